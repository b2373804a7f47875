"""All matches of all rules in one text."""

from __future__ import annotations

from collections.abc import Sequence

from tripscope.rules.budget import Budget, Ledger, TooSlow
from tripscope.rules.regions import Found
from tripscope.rules.rule import RegexRule


class Searcher:
    """Runs rules over texts that are spread into UTF-16 units (see `tripscope.patterns.units`)."""

    def __init__(self, rules: Sequence[RegexRule], budget: Budget) -> None:
        self.rules = tuple(rules)
        self.budget = budget

    def find_at_once(self, units: str) -> list[Found]:
        """Every match, each rule with the time of one call, on this thread.

        Raises:
            MatchTimeout: a rule's time is used up.
        """
        return [
            Found(rule, match.index, match.end)
            for rule in self.rules
            for match in rule.compiled.find_all(units, timeout=self.budget.call)
        ]

    def find(
        self, units: str, ledger: Ledger, known: dict[int, list[Found]] | None = None
    ) -> list[Found]:
        """Every match, rule by rule, in the order of the rules; matches of nothing too.

        ``known`` holds what was found before, by the rule's place, and is added to.

        Raises:
            TooSlow: a rule needs more time than an inline search may take: use `find_patiently`.
            BudgetUsedUp: a rule has no time left.
        """
        known = {} if known is None else known
        for place, rule in enumerate(self.rules):
            if place not in known:
                known[place] = [
                    Found(rule, match.index, match.end)
                    for match in ledger.inline(self.budget, rule, units)
                ]
        return [match for place in range(len(self.rules)) for match in known[place]]

    async def find_patiently(self, units: str, ledger: Ledger) -> list[Found]:
        """As `find`, with slow searches in a thread.

        Raises:
            BudgetUsedUp: a rule could not be checked.
        """
        known: dict[int, list[Found]] = {}
        while True:
            try:
                return self.find(units, ledger, known)
            except TooSlow as slow:
                rule = slow.rule
                found = await ledger.in_thread(self.budget, rule, units)
                known[self.rules.index(rule)] = [Found(rule, m.index, m.end) for m in found]
