"""What a run's searches count, whatever the clock: no time is measured here."""

import pytest

from tripscope.rules.budget import Budget, BudgetUsedUp, Ledger
from tripscope.rules.rule import RegexRule

RULE = RegexRule("digits", r"\d+")
TICK = 0.0156
"""Seconds between two values of a coarse clock."""


def test_many_quick_searches_use_nothing_up_also_by_a_coarse_clock() -> None:
    fine, coarse = Ledger(), Ledger()
    each = 6.5e-6
    for number in range(1, 300_001):
        fine.add(RULE, each, 10)
        ticks = int(number * each / TICK) - int((number - 1) * each / TICK)
        coarse.add(RULE, ticks * TICK, 10)
    assert fine.left(Budget(), RULE, 10) == coarse.left(Budget(), RULE, 10)


def test_slow_searches_use_the_budget_up() -> None:
    ledger = Ledger()
    for _ in range(20):
        ledger.left(Budget(), RULE, 10)
        ledger.add(RULE, 0.101, 10)
    with pytest.raises(BudgetUsedUp, match="'digits' could not be checked"):
        ledger.left(Budget(), RULE, 10)
