"""Attacks on a pattern are tried as long as there is time, and no longer."""

import pytest

from tripscope.patterns import compile
from tripscope.rules import blow_up
from tripscope.rules.blow_up import attack_on


def test_a_pattern_on_which_all_attacks_are_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blow_up, "_CAP", 5_000)
    monkeypatch.setattr(blow_up, "_MOST_STEPS", 20_000)
    counters = []

    class Counter(blow_up._Counter):
        def __init__(self) -> None:
            super().__init__()
            counters.append(self)

    monkeypatch.setattr(blow_up, "_Counter", Counter)
    attack_on(compile(r"(?:\s*|a*){65535}").tree)
    assert 2 <= len(counters) <= 20


def test_an_exponential_pattern_is_still_proven() -> None:
    attack = attack_on(compile("(?:a|aa)+$").tree)
    assert attack is not None
    assert attack.degree is None
