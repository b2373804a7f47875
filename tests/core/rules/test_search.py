"""Needles, islands and the automaton find what a search of the whole text finds."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import assume, given

from tests.support.patterns import PRESET_RULES, rules, texts
from tripscope.patterns import MatchTimeout
from tripscope.patterns.units import spread
from tripscope.rules import matcher as matcher_module
from tripscope.rules import search as search_module
from tripscope.rules.budget import Budget, Ledger, TooSlow
from tripscope.rules.factor import factor_of
from tripscope.rules.folds import Level, Views
from tripscope.rules.matcher import Matcher
from tripscope.rules.needle import Needle
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher


def _plain(rule: RegexRule, units: str) -> list[tuple[int, int]]:
    try:
        found = rule.compiled.find_all(units, timeout=0.3)
    except MatchTimeout:
        assume(False)
    return [(match.index, match.end) for match in found]


@given(rules(), texts)
def test_a_match_always_holds_a_needle(some: list[RegexRule], text: str) -> None:
    units = spread(text)
    for rule in some:
        factor = factor_of(rule.compiled.tree)
        if factor is None:
            continue
        view = Views(units)[factor.level]
        for start, end in _plain(rule, units):
            inside = view[start:end]
            places = [inside.find(needle) for needle in factor.needles if needle in inside]
            assert places, (rule.pattern, factor)
            assert factor.reach is None or min(places) <= factor.reach


@given(rules(), texts)
def test_all_ways_to_search_agree(some: list[RegexRule], text: str) -> None:
    units = spread(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matcher_module, "_SMALL", 0)
        for rule in some:
            expected = _plain(rule, units)
            matcher = Matcher(rule, factor_of(rule.compiled.tree))
            assert matcher.spans(Views(units), 1) == expected
            assert matcher.spans_for_long(Views(units), 1) == expected
            if matcher.automaton is not None and matcher.can_follow(units):
                every = rule.is_global
                assert matcher.automaton.spans(units, 1, every=every) == expected


@given(rules(), texts)
def test_the_prefilter_only_rules_out_what_cannot_match(some: list[RegexRule], text: str) -> None:
    searcher = Searcher(some, Budget())
    units = spread(text)
    places = searcher.prefilter.candidates(Views(units))
    for place, rule in enumerate(some):
        if _plain(rule, units):
            assert place in places
            assert searcher.prefilter.may_match(text)


def test_every_preset_rule_has_a_needle_and_an_automaton() -> None:
    searcher = Searcher(PRESET_RULES, Budget())
    assert not searcher.prefilter.always
    assert all(matcher.automaton for matcher in searcher.matchers)


@pytest.mark.parametrize(
    ("text", "level"), [("x_needle", 0), ("0_0", 1), ("A-00-", 5), ("xx:xx:", 2), ("0:0", 3)]
)
def test_a_long_text_is_looked_through_by_other_ways_to_the_same_places(
    text: str, level: Level
) -> None:
    near = "-:_" + "5:5 3-7 x_needl B-1- ab:cd. " * 700
    units = "ab_" * 4000 + near + "xx_needle 1_2 Z-47- de:ad:be 3:3 " * 3 + "_:-" * 6000
    view = Views(units)[level]
    needle = Needle(text, level)
    for start in (0, 11_999, 12_000, 12_003, 20_000, len(units) - 9000, len(units)):
        at = start
        while at >= 0:
            assert needle.find(Views(units), at) == view.find(text, at)
            at = view.find(text, max(at + 1, len(units) - 9100))
            at = at if at < len(units) - 17_000 else -1


def test_long_texts_take_the_same_road_as_short_ones() -> None:
    filler = "on 3 May 2023 at 10:15, then 1999. " * 400
    hits = "ann@x.test 415-555-0132 123-45-6789 4111-1111-1111-1111 api_key = " + "k" * 30
    text = f"{filler}{hits} {filler}Bearer abc {hits}{filler}https://x.test/a b {filler}"
    searcher = Searcher(PRESET_RULES, Budget())
    got = [(match.rule.name, match.start, match.end) for match in searcher.find_at_once(text)]
    assert got == [
        (rule.name, start, end) for rule in PRESET_RULES for start, end in _plain(rule, text)
    ]
    assert len(got) == 12


def test_nested_counts_are_more_ways_than_a_float_holds() -> None:
    rule = RegexRule("r", "x(?:(?:(?:(?:a{1,3}){12}){12}){12}){12}|key")
    [one] = Searcher([rule], Budget()).find_at_once("a key")
    assert (one.start, one.end) == (2, 5)


def test_thousands_of_rules_cost_no_more_than_each_of_them() -> None:
    calls = itertools.count(1000)

    def work(count: int) -> float:
        # patterns of their own for each call: nothing is in a cache
        own = next(calls)
        some = [RegexRule(f"r{n}", f"zz{own}a{n}q") for n in range(count)]
        begun = time.process_time()
        searcher = Searcher(some, Budget())
        text = f"nothing here but zz{own}a7q"
        found = searcher.find(Views(text), Ledger())
        assert [one.rule.name for one in found] == ["r7"]
        return time.process_time() - begun

    work(10)
    few, many = (min(work(count) for _ in range(3)) for count in (300, 2400))
    # a cost that grows with the pairs of rules would be 64 times as much
    assert many < 32 * few


async def test_a_very_long_text_is_searched_in_a_thread_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_module, "LONGEST_INLINE", 10)
    searcher = Searcher([RegexRule("digits", r"\d+", "g", "")], Budget())
    assert len(searcher.find(Views("1" * 10), Ledger())) == 1
    with pytest.raises(TooSlow):
        searcher.find(Views("1" * 11), Ledger())
    found = await searcher.find_patiently(Views("1" * 11), Ledger())
    assert [(one.start, one.end) for one in found] == [(0, 11)]
