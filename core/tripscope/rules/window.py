"""How much of a held text can be let out, with a window of fixed size held back.

The rule is the reference's: all but the last ``window`` units go out; a region of matches across
that place pulls it back to the region's start. Only starts of matches in front of that place
matter, and those are looked at once, when the place comes by.
"""

from __future__ import annotations

from functools import cached_property
from time import thread_time
from typing import Final, NamedTuple

from tripscope.rules.automaton import Growth
from tripscope.rules.carryover import FilterState
from tripscope.rules.folds import Views
from tripscope.rules.matcher import Matcher, Span
from tripscope.rules.regions import Found, Region, merge
from tripscope.rules.search import Searcher

_TOO_LONG: Final = 0.05


class Decision(NamedTuple):
    """Let out ``end`` units, with these regions replaced."""

    end: int
    regions: list[Region]


class Window:
    """Decides for one filter; ``size`` in UTF-16 units."""

    def __init__(self, searcher: Searcher, size: int) -> None:
        self.size = size
        self._searcher = searcher
        self._place_of = {id(rule): place for place, rule in enumerate(searcher.rules)}

    @cached_property
    def undecided(self) -> int:
        """At the end of a text a match may have begun whose needle has not come yet."""
        return max(
            (
                group.factor.reach + max(map(len, group.factor.needles)) - 1
                for group in self._searcher.prefilter.groups
                if group.factor.reach is not None
            ),
            default=0,
        )

    def still_grows(self, own: FilterState) -> bool:
        """Whether the match at the front of the held text still covers all that could go out.

        Feeds it what came since; says how long to ``wait`` if so.
        """
        growth = own.growth
        if growth is None:
            return False
        if not growth.over:
            begun = thread_time()
            growth.feed("".join(own.pieces[own.unfed :]))
            own.unfed = len(own.pieces)
            if thread_time() - begun > _TOO_LONG:
                own.growth = None  # an automaton of very many states: a search has a time budget
                return False
        if growth.end > own.size - self.size:
            own.wait = growth.end + self.size
            return True
        own.growth = None
        return False

    def decide(self, own: FilterState, known: dict[int, list[Span]] | None = None) -> Decision:
        """Look at the held text; afterwards `FilterState.cut` must be called with the end.

        ``known``: spans found before, by the place of the rule.

        Raises:
            TooSlow, BudgetUsedUp: see `Searcher.find_some`; nothing has changed then.
        """
        units = own.joined()
        end = own.size - self.size
        own.wait = self.size + 1
        own.growth = None
        if not self._searcher.prefilter.may_match(units):
            own.safe = max(0, len(units) - self.undecided - end)
            return Decision(end, [])
        views = Views(units)
        places, safe = self._candidates(views, end)
        own.safe = max(0, safe - end)
        if not places:
            return Decision(end, [])
        own.safe = 0
        found = self._searcher.find_some(places, views, own.ledger, known)
        regions = merge([match for match in found if match.start < end])
        for region in regions:
            if region.start < end < region.end:
                self._expect(own, region)
                end = region.start
        return Decision(end, [region for region in regions if region.end <= end])

    def _candidates(self, views: Views, end: int) -> tuple[list[int], int]:
        """The rules that may match from in front of ``end``, and up to where none can begin."""
        prefilter = self._searcher.prefilter
        size = len(views.units)
        places = list(prefilter.always)
        safe = 0 if places else size - self.undecided
        for group in prefilter.groups:
            at = group.first(views)
            if at < 0:
                continue
            for place in group.places:
                start = self._searcher.matchers[place].first_start(views, at)
                if 0 <= start < end:
                    places.append(place)
                if 0 <= start < safe:
                    safe = start
        places.sort()
        return places, safe

    def _expect(self, own: FilterState, region: Region) -> None:
        """How long to wait, and what to watch, for a region that cannot go out yet."""
        last: Found = max(region.members, key=lambda member: member.end)
        matcher = self._matcher(last)
        if last.start == region.start:
            stays = matcher.grows
        else:
            # A chain holds only as long as each of its links does.
            stays = all(self._matcher(member).grows for member in region.members)
        if not stays:
            return
        own.wait = last.end - region.start + self.size
        if last.start == region.start and last.end == own.size and matcher.can_follow(own.held):
            automaton = matcher.automaton
            if automaton is not None:
                own.growth = Growth(automaton)
                own.growth.feed(own.held[region.start :])
                own.unfed = 0

    def _matcher(self, found: Found) -> Matcher:
        return self._searcher.matchers[self._place_of[id(found.rule)]]
