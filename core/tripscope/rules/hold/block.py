"""One text block under ``streamHold: complete``: what its rules agree on, and what may leave."""

from __future__ import annotations

from time import thread_time

from tripscope.patterns import MatchTimeout
from tripscope.rules.budget import Budget, BudgetUsedUp, Ledger
from tripscope.rules.hold.lanes import NOTHING_MORE, Lane, lane_of
from tripscope.rules.hold.text import BlockText
from tripscope.rules.regions import Found, Region, merge
from tripscope.rules.search import Searcher


class Block:
    """A block of text with a lane for each rule.

    ``taken``: units that came in; ``sure``: units that may leave, as no match that begins in front
    of there, or joins one that does, can change; ``left``: units that have left; ``let_out``: units
    of what stands for those. ``told``: matches that begin in front of there have been reported.
    ``unchecked``: rules that have been given up, until somebody clears the list.
    """

    def __init__(self, searcher: Searcher, budget: Budget, ledger: Ledger) -> None:
        self.text = BlockText()
        self.sure = 0
        self.left = 0
        self.let_out = 0
        self.told = 0
        self._budget = budget
        self._ledger = ledger
        self._lanes: list[Lane] = [lane_of(matcher) for matcher in searcher.matchers]
        self.reads_all = any(lane.reads_all for lane in self._lanes)
        self._held_at = -1
        self.unchecked: list[BudgetUsedUp] = []

    @property
    def taken(self) -> int:
        """Units that came in."""
        return self.text.size

    def take(self, units: str) -> None:
        """More text."""
        self.text.add(units)
        for lane in self._lanes:
            self._run(lane, units)
        self._find_sure()

    def close(self) -> None:
        """No more text will come; takes its time where rules could not decide before."""
        for lane in self._lanes:
            self._run(lane, None)
        self._find_sure()

    def _run(self, lane: Lane, units: str | None) -> None:
        """Feed a lane, or close it; one that has no time left is given up and noted."""
        if lane.hold == NOTHING_MORE:
            return
        rule = lane.matcher.rule
        begun = thread_time()
        try:
            left = self._ledger.left(self._budget, rule, self.text.size)
            if units is None:
                lane.close(self.text, left)
            else:
                lane.feed(self.text, units, left)
        except MatchTimeout:
            self.unchecked.append(BudgetUsedUp(rule, self.text.size, left))
            lane.hold = NOTHING_MORE
        except BudgetUsedUp as over:
            self.unchecked.append(over)
            lane.hold = NOTHING_MORE
        finally:
            self._ledger.add(rule, thread_time() - begun, len(units or "") or self.text.size)

    def final_matches(self) -> list[Found]:
        """All matches that are certain and not yet left, rule by rule."""
        hold = self.hold
        return [
            Found(lane.matcher.rule, start, end)
            for lane in self._lanes
            for start, end in lane.found
            if start < hold
        ]

    @property
    def hold(self) -> int:
        """Every match that begins in front of here is certain."""
        return min((lane.hold for lane in self._lanes), default=NOTHING_MORE)

    def regions(self) -> list[Region]:
        """The regions that may leave."""
        return [region for region in merge(self.final_matches()) if region.end <= self.sure]

    def leave(self, end: int) -> None:
        """The text in front of ``end`` has left."""
        self.left = end
        for lane in self._lanes:
            if lane.found and lane.found[0][1] <= end:
                lane.found = [span for span in lane.found if span[1] > end]
        if not self.reads_all:
            needed = min((lane.needs_from for lane in self._lanes), default=end)
            self.text.forget(min(needed, end))

    def _find_sure(self) -> None:
        hold = self.hold
        if hold == self._held_at and hold < NOTHING_MORE:
            return
        self._held_at = hold
        sure = min(hold, self.text.size)
        if any(lane.found for lane in self._lanes):
            for region in merge(self.final_matches()):
                if region.start < sure < region.end:
                    sure = region.start
        self.sure = max(self.sure, sure)
