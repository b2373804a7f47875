"""Static warning for patterns that take time without bound in a backtracking engine.

A pattern is ambiguous if some loop can take the same text in more than one way: then each turn
doubles what JavaScript has to try when the match fails in the end. That is looked for on pairs of
paths through the pattern. Tripscope's own engines may be fast on it all the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tripscope.patterns.analysis import can_match_empty
from tripscope.patterns.charset import CharSet
from tripscope.patterns.syntax import (
    Alt,
    Anchor,
    BackRef,
    Char,
    Empty,
    Group,
    Look,
    Node,
    Repeat,
    Seq,
    Tree,
)

_MAX_PLACES: Final = 160
_MAX_COPIES: Final = 3
_TURNS: Final = 32
_SUFFIXES: Final = "!\x00 a0\n"
_PREFERRED: Final = "a0-_ .:/@"


@dataclass(frozen=True, slots=True)
class Attack:
    """A text on which matching takes time: ``prefix``, ``pump`` many times, ``suffix``."""

    prefix: str
    pump: str
    suffix: str

    def text(self, turns: int = _TURNS) -> str:
        """The text with so many turns; each doubles the time, or more."""
        return self.prefix + self.pump * turns + self.suffix


def attack_on(tree: Tree) -> Attack | None:
    """A text that makes the pattern blow up; None if none was found (that is no proof)."""
    try:
        graph = _Graph(tree.root)
    except _TooLarge:
        return None
    for loop in range(len(graph.chars)):
        pump = graph.ambiguous_turn(loop)
        if pump is not None:
            prefix = graph.way_to(loop)
            return Attack(prefix or "", pump, graph.suffix_after(loop))
    return None


class _TooLarge(Exception):
    pass


class _Graph:
    """Places that take a character, and how often each leads to each without one in between."""

    def __init__(self, root: Node) -> None:
        self.chars: list[CharSet] = []
        self.next: list[dict[int, int]] = []
        self.first: dict[int, int] = {}
        self._build(root, {-1: 1})

    def _build(self, node: Node, before: dict[int, int]) -> dict[int, int]:
        """Wire a node behind the places ``before`` (-1: the start); gives those it ends at."""
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
            case Empty() | Look() | Anchor() | BackRef():
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
        return any(
            (self.first if one == -1 else self.next[one]).get(place, 0) > 0 for one in before
        )

    def _place(self, chars: CharSet) -> int:
        if len(self.chars) >= _MAX_PLACES:
            raise _TooLarge
        self.chars.append(chars)
        self.next.append({})
        return len(self.chars) - 1

    def _wire(self, one: int, place: int, ways: int) -> None:
        edges = self.first if one == -1 else self.next[one]
        edges[place] = edges.get(place, 0) + ways

    def ambiguous_turn(self, loop: int) -> str | None:
        """A text that leads from a place back to it in two ways."""
        start = (loop, loop, False)
        came: dict[tuple[int, int, bool], tuple[tuple[int, int, bool], str]] = {}
        queue = deque([start])
        while queue:
            state = queue.popleft()
            one, other, parted = state
            for a, ways in self.next[one].items():
                for b in self.next[other]:
                    common = self.chars[a] & self.chars[b]
                    if not common.ranges:
                        continue
                    apart = parted or a != b or ways > 1
                    following = (a, b, apart)
                    if following not in came:
                        came[following] = (state, _sample(common))
                        queue.append(following)
                    if following == (loop, loop, True):
                        return _path(came, start, following)
        return None

    def way_to(self, goal: int) -> str | None:
        """The shortest text that leads to a place and through it."""
        came: dict[int, int] = dict.fromkeys(self.first, -1)
        queue = deque(self.first)
        while queue:
            place = queue.popleft()
            if place == goal:
                text = ""
                while place != -1:
                    text = _sample(self.chars[place]) + text
                    place = came[place]
                return text
            for following in self.next[place]:
                if following not in came:
                    came[following] = place
                    queue.append(following)
        return None

    def suffix_after(self, loop: int) -> str:
        """A character that neither goes on nor, it is hoped, lets the match end."""
        allowed = CharSet()
        for place in self.next[loop]:
            allowed |= self.chars[place]
        return next((char for char in _SUFFIXES if ord(char) not in allowed), "")


def _sum(many: Iterable[dict[int, int]]) -> dict[int, int]:
    total: dict[int, int] = {}
    for one in many:
        for place, ways in one.items():
            total[place] = total.get(place, 0) + ways
    return total


def _sample(chars: CharSet) -> str:
    for char in _PREFERRED:
        if ord(char) in chars:
            return char
    return chr(chars.ranges[0][0])


def _path(
    came: dict[tuple[int, int, bool], tuple[tuple[int, int, bool], str]],
    start: tuple[int, int, bool],
    end: tuple[int, int, bool],
) -> str:
    text = ""
    state = end
    while True:
        state, char = came[state]
        text = char + text
        if state == start:
            return text
