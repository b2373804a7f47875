"""How long a rule may search: each call, and each rule over a whole run.

A search runs inline for a moment only; what needs longer goes to a thread, where it holds up no
event loop (the ``regex`` module gives the interpreter lock free), with what is left of the rule's
time.

Searches of ours go by the processor time of their thread, so that a busy machine sends none of them
to a thread. The ``regex`` module measures by the processor time of the process, all of its threads
together: while other threads compute, it gives a search up after less. What a run has used is
the processor time of its searches too: waiting for a busy machine uses no rule's budget up.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from tripscope.processor import RULE_SEARCHES
from tripscope.rules.rule import RegexRule
from tripscope.wire import JSON

INLINE_SECONDS: Final = 0.004
_INLINE_SECONDS_PER_UNIT: Final = 8e-9
_FREE_SECONDS_PER_UNIT: Final = 1e-6  # so that a long run of ordinary text is no slow run
_FREE_SECONDS: Final = 2e-5  # what a search of one unit takes: many small deltas are no slow run


def inline_seconds(units: int) -> float:
    """How long a search may hold up the event loop: a moment, or what any search of 1 MB takes."""
    return max(INLINE_SECONDS, units * _INLINE_SECONDS_PER_UNIT)


class Budget(Struct, frozen=True):
    """Seconds that one search of a rule may take, and all searches of one rule in a run.

    A long text may take longer than ``call``: as long as any text of its length may, up to ``run``.
    """

    call: float = 0.25
    run: float = 2.0

    def __post_init__(self) -> None:
        if not (self.call > 0 and self.run > 0):
            raise ValueError(f"a time budget is a number of seconds above 0, not {self}")

    def for_text(self, units: int) -> float:
        """Seconds that one search of so many UTF-16 units may take."""
        return max(self.call, min(self.run, self.call + units * _FREE_SECONDS_PER_UNIT))


DEFAULT_BUDGET: Final = Budget()


class TooSlow(Exception):
    """An inline search used up its moment. ``place``: of the rule among its set."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


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


class Ledger(Struct):
    """What the rules of one run have used; seconds by rule name.

    ``searches``: [how many, seconds] by rule name, of searches that `measured` has not told yet.
    """

    spent: dict[str, float] = field(default_factory=dict)
    searches: dict[str, list[float]] = field(default_factory=dict)

    def left(self, budget: Budget, rule: RegexRule, units: int) -> float:
        """Seconds that a search of ``units`` of text may take now.

        Raises:
            BudgetUsedUp: none.
        """
        left = budget.run - self.spent.get(rule.name, 0.0)
        if left <= 0:
            raise BudgetUsedUp(rule, units, budget.run)
        return min(budget.for_text(units), left)

    def add(self, rule: RegexRule, seconds: float, units: int) -> None:
        """Count what a search of ``units`` of text took beyond what any search of them may."""
        told = self.searches.get(rule.name)
        if told is None:
            self.searches[rule.name] = [1, seconds]
        else:
            told[0] += 1
            told[1] += seconds
        free = _FREE_SECONDS + units * _FREE_SECONDS_PER_UNIT
        # what a quick search leaves counts too: a clock that ticks in milliseconds tells some
        # searches as a whole tick, and most of them as nothing
        self.spent[rule.name] = max(0.0, self.spent.get(rule.name, 0.0) + seconds - free)

    def measured(self) -> tuple[str, int, JSON] | None:
        """What was searched since this was last asked: see `tripscope.runner.HookRunner`.

        Texts in which a prefilter finds no candidate are not searched.
        """
        told, self.searches = self.searches, {}
        if not told:
            return None
        rules: dict[str, JSON] = {
            name: {"searches": count, "ns": round(seconds * 1e9)}
            for name, (count, seconds) in told.items()
        }
        total = round(sum(seconds for _, seconds in told.values()) * 1e9)
        return RULE_SEARCHES, total, {"rules": rules}
