"""In how many ways a pattern can read one text: what makes a backtracking engine slow.

A pattern is a graph of places that take a character. If one place can be left and reached again
with one text in two ways, the ways double with each turn (exponential ambiguity). If a text leads
from place p to p, from p to q and from q to q, there are as many ways as places in the text where
to go over (polynomial ambiguity; Weber and Seidl, "On the degree of ambiguity of finite automata",
1991). The search for a match that may begin anywhere is such a p too. Anchors and references are
passed over here, so what is found is a suspicion (see `tripscope.rules.blow_up`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias, TypeVar

from tripscope.patterns.analysis import can_match_empty
from tripscope.patterns.charset import ANY, CharSet
from tripscope.patterns.syntax import (
    Alt,
    Char,
    Group,
    Look,
    Node,
    Repeat,
    Seq,
)

Word: TypeAlias = tuple[CharSet, ...]
"""Any text that takes one character of each set."""
SEARCH: Final = 0
"""The place that reads the text in front of a match."""
S = TypeVar("S")
_MAX_PLACES: Final = 160
_MAX_COPIES: Final = 3
_MAX_STATES: Final = 20_000
_MAX_PAIRS: Final = 1_000_000
"""Pairs of places that are looked at for turns that double: half a second."""


class TooLarge(Exception):
    """A pattern has more places than can be looked at."""


class Graph:
    """Places that take a character, and how often each leads to each without one in between.

    Raises:
        TooLarge: the pattern has too many.
    """

    def __init__(self, root: Node) -> None:
        self.chars: list[CharSet] = [ANY]
        self.next: list[dict[int, int]] = [{SEARCH: 1}]
        self._common: dict[tuple[int, int], CharSet] = {}
        self._left = _MAX_STATES
        self._pairs_left = _MAX_PAIRS
        ends = self._build(root, {SEARCH: 1})
        self._reach = [self._reachable(place) for place in range(len(self.chars))]
        self.can_match = not self._reach[SEARCH].isdisjoint(ends)
        """Whether any text matches; V8 does not even try a pattern that has none."""

    def _build(self, node: Node, before: dict[int, int]) -> dict[int, int]:
        """Wire a node behind the places ``before``; gives those it ends at."""
        match node:
            case Char(chars):
                place = self._place(chars)
                for one, ways in before.items():
                    self._wire(one, place, ways)
                return {place: 1}
            case Seq(items):
                for item in items:
                    before = self._build(item, before)
                return before
            case Alt(options):
                return _sum(self._build(option, before) for option in options)
            case Group(_, body):
                return self._build(body, before)
            case Repeat():
                return self._repeat(node, before)
            case Look(body, False):
                self._build(body, before)
                return before
            case _:
                return before

    def _repeat(self, node: Repeat, before: dict[int, int]) -> dict[int, int]:
        turns = min(node.low, _MAX_COPIES)
        for _ in range(turns):
            before = self._build(node.body, before)
        if node.high is None:
            first_new = len(self.chars)
            ends = self._build(node.body, before)
            inside = {place: ways for place, ways in ends.items() if place >= first_new}
            for start in [p for p in range(first_new, len(self.chars)) if self._enters(p, before)]:
                for end, ways in inside.items():
                    self.next[end][start] = self.next[end].get(start, 0) + ways
            if can_match_empty(node.body) and node.low == 0:
                return _sum([before, inside])
            return _sum([before, ends]) if turns == node.low else ends
        optional = min(node.high - node.low, _MAX_COPIES)
        out = [before]
        for _ in range(optional):
            before = self._build(node.body, before)
            out.append(before)
        return _sum(out)

    def _enters(self, place: int, before: dict[int, int]) -> bool:
        return any(self.next[one].get(place, 0) > 0 for one in before)

    def _place(self, chars: CharSet) -> int:
        if len(self.chars) >= _MAX_PLACES:
            raise TooLarge
        self.chars.append(chars)
        self.next.append({})
        return len(self.chars) - 1

    def _wire(self, one: int, place: int, ways: int) -> None:
        self.next[one][place] = self.next[one].get(place, 0) + ways

    def _reachable(self, start: int) -> frozenset[int]:
        """Where one comes from a place with one character or more."""
        seen: set[int] = set()
        queue = [start]
        while queue:
            for place in self.next[queue.pop()]:
                if place not in seen and self.chars[place].ranges:
                    seen.add(place)
                    queue.append(place)
        return frozenset(seen)

    def _loop_of(self, place: int) -> frozenset[int]:
        """The places that one can go round through with this one; none if it is in no loop."""
        reach = self._reach[place]
        if place not in reach:
            return frozenset()
        return frozenset(other for other in reach if place in self._reach[other])

    def _both(self, one: int, other: int) -> CharSet:
        key = (one, other) if one < other else (other, one)
        common = self._common.get(key)
        if common is None:
            common = self._common[key] = self.chars[one] & self.chars[other]
        return common

    def doubling_turns(self) -> Iterator[tuple[int, Word]]:
        """(place, text that leads from it back to it in two ways).

        Short of all of them where the pattern is large.
        """
        for place in range(1, len(self.chars)):
            turn = self._doubling_turn(place)
            if turn is not None:
                yield place, turn
            if self._pairs_left <= 0:
                return

    def _doubling_turn(self, loop: int) -> Word | None:
        start = (loop, loop, False)
        came: dict[_Pair, tuple[_Pair, CharSet]] = {}
        queue = deque([start])
        while queue:
            state = queue.popleft()
            one, other, parted = state
            self._pairs_left -= len(self.next[one]) * len(self.next[other])
            if self._pairs_left <= 0:
                return None
            for a, ways in self.next[one].items():
                for b in self.next[other]:
                    common = self._both(a, b)
                    if not common.ranges:
                        continue
                    following = (a, b, parted or a != b or ways > 1)
                    if following not in came:
                        came[following] = (state, common)
                        queue.append(following)
                    if following == (loop, loop, True):
                        return _word(came, start, following)
        return None

    def branching_turns(self) -> Iterator[tuple[int, int, Word]]:
        """(p, q, text that leads from p to p, from p to q and from q to q).

        Short of all of them where the pattern is large.
        """
        loops = {place: loop for place in range(len(self.chars)) if (loop := self._loop_of(place))}
        for p, around_p in loops.items():
            for q, around_q in loops.items():
                if around_p is around_q or q in around_p or q not in self._reach[p]:
                    continue
                turn = self._branching_turn(p, q, around_p, around_q)
                if turn is not None:
                    yield p, q, turn
                if self._left <= 0:
                    return

    def _branching_turn(
        self, p: int, q: int, around_p: frozenset[int], around_q: frozenset[int]
    ) -> Word | None:
        start, goal = (p, p, q), (p, q, q)
        came: dict[_Triple, tuple[_Triple, CharSet]] = {}
        queue = deque([start])
        while queue:
            self._left -= 1
            if self._left <= 0:
                return None
            state = queue.popleft()
            for a in self.next[state[0]].keys() & around_p:
                for c in self.next[state[2]].keys() & around_q:
                    ends = self._both(a, c)
                    if not ends.ranges:
                        continue
                    for b in self.next[state[1]]:
                        following = (a, b, c)
                        if following in came or not (b == q or q in self._reach[b]):
                            continue
                        common = ends & self.chars[b]
                        if common.ranges:
                            came[following] = (state, common)
                            queue.append(following)
                        if following == goal and following in came:
                            return _word(came, start, goal)
        return None

    def way_to(self, goal: int) -> Word:
        """The shortest text that leads to a place and through it; none for the search itself."""
        came: dict[int, int] = {}
        queue = deque([SEARCH])
        while queue and goal != SEARCH:
            place = queue.popleft()
            for following in self.next[place]:
                if following not in came and following != SEARCH:
                    came[following] = place
                    queue.append(following)
        way: list[CharSet] = []
        while goal != SEARCH:
            way.append(self.chars[goal])
            goal = came[goal]
        return tuple(way[::-1])

    def after(self, place: int) -> CharSet:
        """What may follow a place."""
        allowed = CharSet()
        for following in self.next[place]:
            allowed |= self.chars[following]
        return allowed


_Pair: TypeAlias = tuple[int, int, bool]
_Triple: TypeAlias = tuple[int, int, int]


def _sum(many: Iterable[dict[int, int]]) -> dict[int, int]:
    total: dict[int, int] = {}
    for one in many:
        for place, ways in one.items():
            total[place] = total.get(place, 0) + ways
    return total


def _word(came: Mapping[S, tuple[S, CharSet]], start: S, end: S) -> Word:
    chars: list[CharSet] = []
    state = end
    while True:
        state, char = came[state]
        chars.append(char)
        if state == start:
            return tuple(chars[::-1])
