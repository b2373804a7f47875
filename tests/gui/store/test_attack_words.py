"""An attack in words, and as a test."""

from __future__ import annotations

import pytest

from tripscope.rules.blow_up import Attack
from tripscope.rules.rule import RegexRule
from tripscope.rules.v8 import Measured
from tripscope_gui.store.attack_words import attack_test, notice_words, pieces, verdict

SQUARE = Attack("", " ", "!", 2)
DOUBLES = Attack("x", "ab", "", None)


@pytest.mark.parametrize(
    ("attack", "title"),
    [
        (DOUBLES, "Can blow up in JavaScript"),
        (SQUARE, "Slow on long texts in JavaScript"),
        (Attack("", "a", "", 3), "Slow in JavaScript"),
    ],
)
def test_the_warning_says_how_time_grows(attack: Attack, title: str) -> None:
    told, text = notice_words(attack)
    assert told == title
    assert "time" in text


def test_a_text_is_told_by_its_pieces() -> None:
    assert pieces(DOUBLES) == '"x", then "ab" 32 times'
    assert pieces(SQUARE) == '" " 20,000 times, then "!"'
    assert pieces(Attack("y" * 30, "z", "", 2)).startswith(f'"{"y" * 24}\u2026"')


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        (Measured(((10, 0.2),), 12), "V8 was stopped on 12 UTF-16 units"),
        (Measured(((10, 0.00001), (20, 0.00002))), "V8 needs 0.0 ms for 20 UTF-16 units: not slow"),
        (Measured(((10, 0.01), (20, 0.04))), "time grows with the power 2.0"),
        (Measured(()), "V8 gave no answer"),
    ],
)
def test_what_v8_took(measured: Measured, words: str) -> None:
    assert words in verdict(measured, SQUARE)


def test_a_test_expects_what_is_found_now() -> None:
    kept = attack_test(RegexRule("r", r"\s+$"), SQUARE)
    assert (kept.text, kept.match) == (" " * 2000 + "!", False)
    assert attack_test(RegexRule("r", r"\s"), SQUARE).match
    hangs = attack_test(RegexRule("r", r"(?=(a|aa)+$b)a"), Attack("", "a", "!", None))
    assert not hangs.match
