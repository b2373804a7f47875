"""How long a rule may search: each call, and each rule over a whole run.

A search runs inline for a moment only; what needs longer goes to a thread, where it holds up no
event loop (the ``regex`` module gives the interpreter lock free), with what is left of the rule's
time.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

from tripscope.patterns import Match, MatchTimeout
from tripscope.rules.rule import RegexRule

INLINE_SECONDS: Final = 0.004


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds that one search of a rule may take, and all searches of one rule in a run."""

    call: float = 0.25
    run: float = 2.0

    def __post_init__(self) -> None:
        if not (self.call > 0 and self.run > 0):
            raise ValueError(f"a time budget is a number of seconds above 0, not {self}")


DEFAULT_BUDGET: Final = Budget()


class TooSlow(Exception):
    """An inline search used up its moment."""

    def __init__(self, rule: RegexRule) -> None:
        self.rule = rule


class BudgetUsedUp(Exception):
    """A rule could not be checked in its time. ``units``: length of the text searched."""

    def __init__(self, rule: RegexRule, units: int, seconds: float) -> None:
        super().__init__(
            f"rule {rule.name!r} could not be checked on a text of {units} UTF-16 units: "
            f"its time budget is used up ({seconds:.3g} s); simplify its pattern, raise the "
            "budget, or send shorter texts"
        )
        self.rule = rule
        self.units = units
        self.seconds = seconds


@dataclass(slots=True)
class Ledger:
    """What the rules of one run have used; seconds by rule name."""

    spent: dict[str, float] = field(default_factory=dict)

    def inline(self, budget: Budget, rule: RegexRule, units: str) -> list[Match]:
        """Search at once.

        Raises:
            TooSlow: the moment was over first.
            BudgetUsedUp: the rule has no time left.
        """
        left = self._left(budget, rule, units)
        begun = time.perf_counter()
        try:
            return rule.compiled.find_all(units, timeout=min(INLINE_SECONDS, left))
        except MatchTimeout:
            raise TooSlow(rule) from None
        finally:
            self._add(rule, begun)

    async def in_thread(self, budget: Budget, rule: RegexRule, units: str) -> list[Match]:
        """Search with all the time there is.

        Raises:
            BudgetUsedUp: it was not enough.
        """
        left = self._left(budget, rule, units)
        begun = time.perf_counter()
        try:
            return await asyncio.to_thread(rule.compiled.find_all, units, timeout=left)
        except MatchTimeout:
            raise BudgetUsedUp(rule, len(units), left) from None
        finally:
            self._add(rule, begun)

    def _left(self, budget: Budget, rule: RegexRule, units: str) -> float:
        left = budget.run - self.spent.get(rule.name, 0.0)
        if left <= 0:
            raise BudgetUsedUp(rule, len(units), budget.run)
        return min(budget.call, left)

    def _add(self, rule: RegexRule, begun: float) -> None:
        self.spent[rule.name] = self.spent.get(rule.name, 0.0) + time.perf_counter() - begun
