"""The gate of short texts keeps nothing out that a rule could match."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.support.patterns import PRESET_RULES, rules, texts
from tripscope import patterns
from tripscope.rules.budget import Budget
from tripscope.rules.folds import LEVELS, Views, folded, reduced
from tripscope.rules.gate import Gate, least_digits
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher


@pytest.mark.parametrize(
    ("pattern", "least"),
    [
        (r"\d{3}-\d{2}", 5),
        (r"(?:\d|ab)x?", 0),
        (r"(?:\d\d|\d{3})+", 2),
        (r"(?:a\d)*", 0),
        (r"(?=\d)\w", 0),
        (r"[0-9a-f]{8}", 0),
        (r"([1-5])\1", 1),
    ],
)
def test_so_many_digits_are_in_every_match(pattern: str, least: int) -> None:
    assert least_digits(patterns.compile(pattern).tree.root) == least


@given(texts)
def test_what_is_reduced_is_what_the_view_of_capitals_shows_of_signs(text: str) -> None:
    shown = "".join(char for char in folded(text, 5) if char in "A0")
    assert reduced(text).decode() == shown


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "needle", ["-0", "0.0", "AA00", "x-:", "://", "api", "0000", "a0", "A", "0"]
)
def test_a_needle_that_is_there_gets_in(level: int, needle: str) -> None:
    gate = Gate()
    gate.add(level, [needle, "zzz"], 0)  # type: ignore[arg-type]  # one of LEVELS
    for around in ("{}", "a {} b", "A9{}9A", "é{}\u2003", "\U0001f600{}\ud800"):
        for inner in {needle, needle.upper(), needle.replace("0", "7"), needle.replace("A", "Q")}:
            text = around.format(inner)
            if needle in Views(text)[level]:  # type: ignore[index]
                assert gate.lets_in(text)


@given(rules(), texts)
def test_what_matches_gets_in(some: list[RegexRule], text: str) -> None:
    searcher = Searcher([*some, *PRESET_RULES], Budget())
    if searcher.find_at_once(text if text.isascii() else ""):
        assert searcher.prefilter.may_match(text)
