"""What one rule knows about a block so far: its final matches, and from where on it is uncertain.

A lane's ``hold`` is an offset in the block such that every match that begins in front of it is
final and in ``found``, whatever text follows. It never goes back.
"""

from __future__ import annotations

from time import thread_time
from typing import Final, Protocol

import regex

from tripscope.patterns import MatchTimeout
from tripscope.patterns.units import join_surrogates
from tripscope.rules.automaton import END, Automaton, State
from tripscope.rules.factor import Factor
from tripscope.rules.folds import Views
from tripscope.rules.hold.text import BlockText
from tripscope.rules.matcher import Cursor, Matcher, Span

_LOOK_AT_CLOCK: Final = 127
NOTHING_MORE: Final = 1 << 62
"""The hold of a rule that will not match again in its block."""


class Lane(Protocol):
    """See the module; ``reads_all``: its matches are only known when the block ends."""

    matcher: Matcher
    hold: int
    found: list[Span]
    reads_all: bool

    def feed(self, text: BlockText, units: str, timeout: float) -> None:
        """``units`` have been added to the text.

        Raises:
            MatchTimeout: the seconds were not enough.
        """
        ...

    def close(self, text: BlockText, timeout: float) -> None:
        """The block ends here; `found` has everything from now on. Raises as `feed`."""
        ...

    @property
    def needs_from(self) -> int:
        """The offset from which the lane may still ask for the text."""
        ...


class AutomatonLane:
    """A rule whose automaton reads along: as certain as can be, at every character."""

    reads_all = False

    def __init__(self, matcher: Matcher, automaton: Automaton) -> None:
        self.matcher = matcher
        self.hold = 0
        self.found: list[Span] = []
        self._automaton = automaton
        self._unicode = matcher.rule.compiled.tree.unicode
        self._every = matcher.rule.is_global
        self._state: State = automaton.searching()
        self._starts: list[int] = []
        self._best: Span | None = None
        self._at = 0
        self._deadline = 0.0

    @property
    def needs_from(self) -> int:
        """See `Lane`; one character more, for the place in front of a new search."""
        return min(self.hold, self._at) - 2

    def feed(self, text: BlockText, units: str, timeout: float) -> None:
        """See `Lane`."""
        if self.hold == NOTHING_MORE:
            return
        if self._at + len(units) != text.size:
            units = text.cut(self._at)
        self._deadline = thread_time() + timeout
        self._read(text, units)

    def close(self, text: BlockText, timeout: float) -> None:
        """See `Lane`."""
        self._deadline = thread_time() + timeout
        while self.hold != NOTHING_MORE:
            self._read(text, text.cut(self._at), last=True)
            move = self._automaton.move(self._state, END)
            if move.matched is not None:
                self._best = ((*self._starts, self._at)[move.matched], self._at)
            if self._best is None:
                self.hold = NOTHING_MORE
            elif self._settle(text):
                continue

    def _read(self, text: BlockText, units: str, *, last: bool = False) -> None:
        while units:
            units = self._read_until_sure(units, last)
            if not self._state.over or not self._settle(text):
                break
            units = text.cut(self._at)
        self._set_hold()

    def _read_until_sure(self, units: str, last: bool) -> str:
        """Read on until a match is final; gives what was not read."""
        chars = units
        if self._unicode and not units.isascii():
            chars = join_surrogates(units)
            if not last and "\ud800" <= chars[-1] <= "\udbff":
                chars = chars[:-1]  # its other half may come
        state = self._state
        at = self._at
        class_of = self._automaton.class_of
        for count, char in enumerate(chars):
            if count & _LOOK_AT_CLOCK == _LOOK_AT_CLOCK and thread_time() > self._deadline:
                raise MatchTimeout
            number = class_of(char)
            move = state.moves.get(number) or self._automaton.move(state, number)
            if move.matched is not None:
                self._best = ((*self._starts, at)[move.matched], at)
            state = move.target
            if not move.same or len(move.sources) != len(self._starts):
                starts = (*self._starts, at)
                self._starts = [starts[source] for source in move.sources]
            at += 2 if char > "\uffff" else 1
            if state.over:
                break
        read = at - self._at
        self._state, self._at = state, at
        return units[read:]

    def _settle(self, text: BlockText) -> bool:
        """The match found is final; search on behind it. False if the rule is done."""
        assert self._best is not None
        start, end = self._best
        if self.matcher.rule.accepts(text.cut(start, end), 0, end - start):
            self.found.append(self._best)
        self._best = None
        self._starts = []
        if not self._every:
            self.hold = NOTHING_MORE
            return False
        before = join_surrogates(text.cut(max(0, end - 2), end))[-1:]
        self._state = self._automaton.searching(before if self._unicode else before[-1:])
        self._at = end
        return True

    def _set_hold(self) -> None:
        if self.hold == NOTHING_MORE:
            return
        first = self._starts[0] if self._starts else self._at
        self.hold = first if self._best is None else min(first, self._best[0])


class WindowLane:
    """A rule of known length that looks back at most so far: certain that far from the end."""

    reads_all = False

    def __init__(self, matcher: Matcher, longest: int, behind: int) -> None:
        self.matcher = matcher
        self.hold = 0
        self.found: list[Span] = []
        self._ahead = longest + 1
        self._behind = behind + 1
        self._done = 0

    @property
    def needs_from(self) -> int:
        """See `Lane`."""
        return self._done - self._behind

    def feed(self, text: BlockText, units: str, timeout: float) -> None:
        """See `Lane`."""
        self._search(text, text.size - self._ahead, timeout)

    def close(self, text: BlockText, timeout: float) -> None:
        """See `Lane`."""
        self._search(text, text.size, timeout)
        self.hold = NOTHING_MORE

    def _search(self, text: BlockText, sure: int, timeout: float) -> None:
        """Find what begins at ``sure`` at the latest."""
        if self.hold == NOTHING_MORE or sure < self._done:
            return
        base = max(0, self._done - self._behind)
        units = text.cut(base)
        native = self.matcher.native(units)
        assert native is not None
        deadline = thread_time() + timeout
        while True:
            left = max(deadline - thread_time(), 1e-6)
            match = _native_search(native, units, self._done - base, left)
            if match is None or match.start() + base > sure:
                break
            if self.matcher.rule.accepts(units, *match.span()):
                self.found.append((match.start() + base, match.end() + base))
            self._done = match.end() + base
            if not self.matcher.rule.is_global:
                self.hold = NOTHING_MORE
                return
        self._done = max(self._done, sure + 1)
        self.hold = self._done


class BlockLane:
    """A rule that is certain only when the block ends; holds from its first possible start."""

    reads_all = True

    def __init__(self, matcher: Matcher, factor: Factor | None) -> None:
        self.matcher = matcher
        self.hold = 0
        self.found: list[Span] = []
        self._factor = factor if factor is not None and factor.reach is not None else None
        self._met = self._factor is None
        self._looked = 0

    @property
    def needs_from(self) -> int:
        """See `Lane`."""
        return 0

    def feed(self, text: BlockText, units: str, timeout: float) -> None:
        """See `Lane`."""
        factor = self._factor
        if self._met or factor is None or factor.reach is None:
            return
        overlap = max(map(len, factor.needles)) - 1
        base = max(0, self._looked - overlap)
        at = Cursor(Views(text.cut(base)), factor).next(0)
        self._looked = text.size
        self._met = at >= 0
        first = base + at if self._met else text.size - overlap
        self.hold = max(self.hold, first - factor.reach)

    def close(self, text: BlockText, timeout: float) -> None:
        """See `Lane`."""
        views = Views(text.cut(0))
        accepts = self.matcher.rule.accepts
        self.found = [
            span
            for span in self.matcher.spans_for_long(views, timeout)
            if accepts(views.units, *span)
        ]
        self.hold = NOTHING_MORE


def _native_search(
    native: regex.Pattern[str], units: str, start: int, timeout: float
) -> regex.Match[str] | None:
    try:
        return native.search(units, start, timeout=timeout)
    except TimeoutError:
        raise MatchTimeout from None


def lane_of(matcher: Matcher) -> Lane:
    """The lane that lets go of text soonest."""
    if matcher.automaton is not None:
        return AutomatonLane(matcher, matcher.automaton)
    behind = matcher.looks_behind
    native = all(matcher.native(text) is not None for text in ("", "\u0100"))
    if native and matcher.longest is not None and behind is not None:
        return WindowLane(matcher, matcher.longest, behind)
    return BlockLane(matcher, matcher.factor)
