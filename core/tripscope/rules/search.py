"""All matches of all rules in one text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from time import thread_time
from typing import Final, overload

from tripscope.patterns import MatchTimeout
from tripscope.rules.budget import Budget, BudgetUsedUp, Ledger, TooSlow, inline_seconds
from tripscope.rules.folds import Views
from tripscope.rules.matcher import Matcher, Span
from tripscope.rules.prefilter import Prefilter
from tripscope.rules.regions import Found
from tripscope.rules.rule import RegexRule

LONGEST_INLINE: Final = 1_200_000
"""UTF-16 units; `regex` looks at its clock between two steps, and one step may read all of them."""


class _Matchers(Sequence[Matcher]):
    """The matcher of each rule, made when first asked for."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._made: list[Matcher | None] = [None] * len(searcher.rules)

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, place: int) -> Matcher: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Matcher]: ...
    def __getitem__(self, place: int | slice) -> Matcher | Sequence[Matcher]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        made = self._made[place]
        if made is None:
            searcher = self._searcher
            made = Matcher(searcher.rules[place], searcher.prefilter.factors[place])
            self._made[place] = made
        return made


@lru_cache(maxsize=8)
def _prefilter(rules: tuple[RegexRule, ...]) -> Prefilter:
    """Of the same rules once, whoever searches with them: a prefilter never changes."""
    return Prefilter(rules)


class Searcher:
    """Runs rules over texts that are spread into UTF-16 units (see `tripscope.patterns.units`)."""

    def __init__(self, rules: Sequence[RegexRule], budget: Budget) -> None:
        self.rules = tuple(rules)
        self.budget = budget
        self.matchers: Sequence[Matcher] = _Matchers(self)

    @cached_property
    def prefilter(self) -> Prefilter:
        """Made when first asked for: thousands of rules take their time."""
        return _prefilter(self.rules)

    def find(
        self, views: Views, ledger: Ledger, known: dict[int, list[Span]] | None = None
    ) -> list[Found]:
        """Every match, rule by rule, in the order of the rules; matches of nothing too.

        ``known`` holds what was found before, by the rule's place, and is added to.

        Raises:
            TooSlow: a rule needs more time than an inline search may take: use `find_patiently`.
            BudgetUsedUp: a rule has no time left.
        """
        return self.find_some(self.prefilter.candidates(views), views, ledger, known)

    def find_some(
        self,
        places: Iterable[int],
        views: Views,
        ledger: Ledger,
        known: dict[int, list[Span]] | None = None,
    ) -> list[Found]:
        """As `find`, for the rules at these places only."""
        found: list[Found] = []
        for place in places:
            spans = None if known is None else known.get(place)
            if spans is None:
                spans = self._inline(place, views, ledger)
                if known is not None:
                    known[place] = spans
            if spans:
                found += self._accepted(place, views, spans)
        return found

    def find_at_once(self, units: str) -> list[Found]:
        """As `find`, with the budget of one search of the text for each rule and without a thread.

        Raises:
            MatchTimeout: a rule's time is used up.
        """
        views = Views(units)
        given = self.budget.for_text(len(units))
        found: list[Found] = []
        for place in self.prefilter.candidates(views):
            matcher = self.matchers[place]
            try:
                spans = matcher.spans(views, min(inline_seconds(len(units)), given))
            except MatchTimeout:
                spans = matcher.spans_for_long(views, given)
            found += self._accepted(place, views, spans)
        return found

    async def find_patiently(
        self, views: Views, ledger: Ledger, places: Iterable[int] | None = None
    ) -> list[Found]:
        """As `find` (or `find_some`), with slow searches in a thread.

        Raises:
            BudgetUsedUp: a rule could not be checked.
        """
        known: dict[int, list[Span]] = {}
        wanted = self.prefilter.candidates(views) if places is None else list(places)
        while True:
            try:
                return self.find_some(wanted, views, ledger, known)
            except TooSlow as slow:
                known[slow.place] = await self.in_thread(slow.place, views, ledger)

    def _accepted(self, place: int, views: Views, spans: Iterable[Span]) -> list[Found]:
        rule = self.rules[place]
        if rule.check is None:
            return [Found(rule, start, end) for start, end in spans]
        return [
            Found(rule, start, end) for start, end in spans if rule.accepts(views.units, start, end)
        ]

    def _inline(self, place: int, views: Views, ledger: Ledger) -> list[Span]:
        if len(views.units) > LONGEST_INLINE:
            raise TooSlow(place)
        rule = self.rules[place]
        left = ledger.left(self.budget, rule, len(views.units))
        begun = thread_time()
        try:
            return self.matchers[place].spans(views, min(inline_seconds(len(views.units)), left))
        except MatchTimeout:
            raise TooSlow(place) from None
        finally:
            ledger.add(rule, thread_time() - begun, len(views.units))

    async def in_thread(self, place: int, views: Views, ledger: Ledger) -> list[Span]:
        """The spans of one rule, with all the time that it has left.

        Raises:
            BudgetUsedUp: it was not enough.
        """
        rule = self.rules[place]
        left = ledger.left(self.budget, rule, len(views.units))
        matcher, seconds = self.matchers[place], 0.0

        def search() -> list[Span]:
            nonlocal seconds
            begun = thread_time()
            try:
                return matcher.spans_for_long(views, left)
            finally:
                seconds = thread_time() - begun

        try:
            return await asyncio.to_thread(search)
        except MatchTimeout:
            raise BudgetUsedUp(rule, len(views.units), left) from None
        finally:
            ledger.add(rule, seconds, len(views.units))
