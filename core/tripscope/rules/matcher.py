"""Spans of one rule in one text, found where its factor says that they can be.

A long text is not searched as a whole: the native pattern looks only at the surroundings of
needles, far enough that the answer is that of a search of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from time import thread_time
from typing import Final, TypeAlias

import regex

from tripscope.patterns import MatchTimeout
from tripscope.patterns.charset import CharSet
from tripscope.patterns.native_class import ranges
from tripscope.patterns.syntax import Anchor, BackRef, Look
from tripscope.rules.automaton import Automaton, automaton_of
from tripscope.rules.budget import INLINE_SECONDS
from tripscope.rules.factor import Factor
from tripscope.rules.folds import Views
from tripscope.rules.needle import needle_of
from tripscope.rules.rule import RegexRule
from tripscope.rules.tree_facts import chars_of, kinds_of, looks_behind, ways

Span: TypeAlias = tuple[int, int]

# Those below that choose among ways to one answer were tried, at a fourth or less and at four times
# or more, on the texts of tests/bench/bench_regex_filter.py (prose of 200 characters to 1 MB, with
# and without hits, and numbers only): the rows moved by less than they move between two turns.
_SMALL: Final = 1024
"""UTF-16 units up to which the whole text is searched: to go from needle to needle costs the more
calls, and a call the more than the characters between them."""
_QUICK: Final = 256
"""UTF-16 units that any tame pattern searches at once, without a look at the clock; `_MAX_WAYS`
bounds what that can take."""
_MAX_WAYS: Final = 20_000
"""Ways through `_QUICK` units that a tame pattern may try: few enough that the worst of
them stays within `tripscope.rules.budget.INLINE_SECONDS`."""
_STRETCH: Final = 16
"""UTF-16 units that a search looks at beyond its needle at first; doubled where needles are dense,
to at most `_MAX_STRETCH`."""
_MAX_STRETCH: Final = 1 << 16
"""UTF-16 units: beyond them the call costs nothing beside the search, and longer ones only
overshoot the match."""
_NONE: Final = -2
"""Stands for a needle that does not come again."""
_FEW: Final = 300
"""Characters that a match can hold, if they are to be stripped: `str.strip` goes through them for
each unit. Letters, digits and signs of ASCII are 94, with Latin-1 190."""
_HALVES: Final = CharSet.of((0xD800, 0xDFFF))
_CLOSE: Final = 4
"""UTF-16 units between two needles that are dense: fewer than a match of any preset
has, but ipv6."""
_MANY: Final = 16
"""Dense needles in vain, one after the other, after which longer searches take over. Numbers only
are such a text: there it is `_MANY` that bounds what is wasted."""
_TRIES_PER_LOOK_AT_CLOCK: Final = 256
"""Searches, each of at most `_QUICK` units, so some 0.1 ms: a look at the clock takes 0.3 us."""


class Cursor:
    """Goes from needle to needle through a text, forwards only."""

    __slots__ = ("_needles", "_places", "_views", "factor")

    def __init__(self, views: Views, factor: Factor) -> None:
        self.factor = factor
        self._views = views
        self._needles = [needle_of(text, factor.level) for text in factor.needles]
        self._places = [-1] * len(factor.needles)

    def next(self, start: int) -> int:
        """Offset of the first needle from ``start`` on; -1 if there is none."""
        if len(self._needles) == 1:
            return self._needles[0].find(self._views, start)
        best = -1
        for number, needle in enumerate(self._needles):
            place = self._places[number]
            if -1 <= place < start:
                place = needle.find(self._views, start)
                self._places[number] = place if place >= 0 else _NONE
            if place >= 0 and (best < 0 or place < best):
                best = place
        return best


class Matcher:
    """Finds what ``rule.compiled.find_all`` finds, as spans.

    ``grows``: with more text behind it, a match that begins where it began only gets longer; so it
    is for patterns that look at nothing outside what they take.
    """

    def __init__(self, rule: RegexRule, factor: Factor | None) -> None:
        self.rule = rule
        self.factor = factor
        pattern = rule.compiled
        facts = pattern.facts
        self.longest = facts.longest
        self._shortest = facts.shortest
        self._unicode = pattern.tree.unicode
        self._global = rule.is_global
        self._plain = "y" not in rule.flags and not facts.can_be_empty
        kinds = set(kinds_of(pattern.tree.root))
        self._looks = Look in kinds
        self._tame = ways(pattern.tree.root, _QUICK) <= _MAX_WAYS
        self._near: tuple[int, int] | None = None
        near = None if factor is None else factor.reach
        if near is not None and self.longest is not None and self._tame and not self._looks:
            self._near = (near, self.longest + 1) if near + self.longest < _QUICK else None
        self.grows = rule.check is None and not kinds & {Look, Anchor, BackRef}

    def spans(self, views: Views, timeout: float) -> list[Span]:
        """All matches with flag g, else the first, in UTF-16 units.

        Raises:
            MatchTimeout: the seconds were not enough.
        """
        units = views.units
        native = self.native(units)
        if native is None:
            found = self.rule.compiled.find_all(units, timeout=timeout)
            return [(match.index, match.index + match.length) for match in found]
        quick = len(units) <= _QUICK and self._tame
        given = None if quick else timeout
        try:
            if not self._global:
                first = native.search(units, timeout=given)
                return [] if first is None else [first.span()]
            if len(units) > _SMALL and self.factor is not None:
                return self._around(native, views, self.factor, thread_time() + timeout)
            return [match.span() for match in native.finditer(units, timeout=given)]
        except TimeoutError:
            raise MatchTimeout from None

    def spans_for_long(self, views: Views, timeout: float) -> list[Span]:
        """As `spans`, for a text on which that takes long: linear where the pattern allows it."""
        units = views.units
        if self.automaton is None or not self.can_follow(units):
            return self.spans(views, timeout)
        native = self.native(units)
        if native is None or self.factor is None or not self._global:
            return self.automaton.spans(units, timeout, every=self._global)
        deadline = thread_time() + timeout
        return self._around(native, views, self.factor, deadline, self.automaton)

    def can_follow(self, units: str) -> bool:
        """Whether the automaton, which takes each unit for a character, may read this text."""
        return not self._unicode or units.isascii()

    def first_start(self, views: Views, needle: int) -> int:
        """Where a match can begin at the earliest, if it needs more text or not; -1 for nowhere.

        ``needle``: offset of the first needle.
        """
        factor = self.factor
        if factor is None:
            return 0
        units = views.units
        taken = self._taken_chars
        if taken is None or self._looks:
            return self._earliest(units, factor, 0, needle)
        cursor = Cursor(views, factor)
        while needle >= 0:
            start = 0 if factor.reach is None else max(0, needle - factor.reach)
            start += len(units[start:needle].rstrip(taken))
            behind = units[needle:].lstrip(taken)
            if not behind or len(units) - len(behind) - start >= self._shortest:
                return start
            needle = cursor.next(needle + 1)
        return -1

    @property
    def looks_behind(self) -> int | None:
        """How far lookbehinds see, in UTF-16 units; None without bound, or if one looks ahead."""
        return looks_behind(self.rule.compiled.tree.root)

    @cached_property
    def automaton(self) -> Automaton | None:
        """The linear engine of the rule; None if its pattern needs more than that."""
        return automaton_of(self.rule.compiled.tree) if self._plain else None

    def native(self, units: str) -> regex.Pattern[str] | None:
        """The pattern that ``finditer`` may run on; None where only `Pattern` gives exact spans."""
        ascii_only = units.isascii()
        if not self._plain or (self._unicode and not ascii_only):
            return None
        return self.rule.compiled.native(ascii_only=ascii_only)

    def _around(
        self,
        native: regex.Pattern[str],
        views: Views,
        factor: Factor,
        deadline: float,
        automaton: Automaton | None = None,
    ) -> list[Span]:
        """The matches of a long text, looked for around each needle."""
        cursor = Cursor(views, factor)
        if self._near is None:
            return list(self._islands(native, views, cursor, 0, deadline, automaton))
        reach, behind = self._near
        most = min(_STRETCH, _QUICK - reach - behind)
        units = views.units
        search = native.search
        taken = self._taken_chars
        found: list[Span] = []
        done = missed = tried = more = 0
        needle = cursor.next(0)
        while needle >= 0:
            start = max(needle - reach, done)
            end = needle + behind + more
            sure = needle + 1 + more
            tried += 1
            if taken is not None:
                before, after = units[start:needle], units[needle:end]
                start += len(before.rstrip(taken))
                if rest := after.lstrip(taken):
                    # No match goes on behind this run of what one can hold.
                    sure = needle + len(after) - len(rest)
                    end = sure + 1
            match = search(units, start, end) if end - start > self._shortest else None
            # One that begins behind what is sure may be cut short here; it has its own needle.
            if match is None or match.start() >= sure:
                done = max(sure, needle + 1)
                following = cursor.next(done)
                missed = missed + 1 if following - done <= _CLOSE else 0
                # Where needles are dense, fewer and longer searches are cheaper.
                more = most if missed else 0
                needle = following
                if missed > _MANY:
                    found += self._islands(native, views, cursor, done, deadline, automaton)
                    return found
            else:
                found.append(match.span())
                done = match.end()
                missed = more = 0
                needle = cursor.next(done)
            if tried % _TRIES_PER_LOOK_AT_CLOCK == 0 and thread_time() > deadline:
                raise MatchTimeout
        return found

    def _islands(
        self,
        native: regex.Pattern[str],
        views: Views,
        cursor: Cursor,
        done: int,
        deadline: float,
        automaton: Automaton | None = None,
    ) -> Iterator[Span]:
        """As `_around`, where a search may take long; by ``automaton`` where it does."""
        units = views.units
        size = len(units)
        # No match begins in front of done, or it has been told.
        stretch = _STRETCH
        needle = cursor.next(done)
        while needle >= 0:
            start = self._earliest(units, cursor.factor, done, needle)
            end, sure = self._horizon(units, start, needle, stretch)
            span = self._find(native, units, start, end, deadline, automaton)
            if span is None:
                if end == size:
                    return
                done = max(done, sure)
                needle = cursor.next(max(needle + 1, sure))
                # Where needles are dense, fewer and longer searches are cheaper.
                dense = needle - done <= stretch
                stretch = min(2 * stretch, _MAX_STRETCH) if dense else _STRETCH
            elif span[0] >= sure and end < size:
                stretch *= 2
            else:
                yield span
                done = span[1]
                stretch = _STRETCH
                needle = cursor.next(done)

    def _find(
        self,
        native: regex.Pattern[str],
        units: str,
        start: int,
        end: int,
        deadline: float,
        automaton: Automaton | None,
    ) -> Span | None:
        if end - start <= _QUICK and self._tame:
            match = native.search(units, start, end)
            return None if match is None else match.span()
        left = max(deadline - thread_time(), 1e-6)
        try:
            given = left if automaton is None else min(left, INLINE_SECONDS)
            match = native.search(units, start, end, timeout=given)
        except TimeoutError:
            if automaton is None:
                raise
            return automaton.search(units, start, end, deadline)
        return None if match is None else match.span()

    def _earliest(self, units: str, factor: Factor, done: int, needle: int) -> int:
        if factor.reach is not None:
            return max(done, needle - factor.reach)
        if self._backward is None:
            return done
        match = self._backward.match(units, done, needle)
        return done if match is None else match.start()

    def _horizon(self, units: str, start: int, needle: int, stretch: int) -> tuple[int, int]:
        """How far to search, and up to where all starts are decided by that."""
        size = len(units)
        if self._looks:
            return size, size
        if self.longest is not None:
            end = max(needle + self.longest + 1, start + stretch + self.longest)
            return (size, size) if end >= size else (end, end - self.longest)
        if self._forward is None:
            return size, size
        match = self._forward.match(units, needle)
        end = needle if match is None else match.end()
        return (size, size) if end >= size else (end + 1, end)

    @cached_property
    def _union(self) -> CharSet:
        """All that a match can hold."""
        union = CharSet()
        for chars in chars_of(self.rule.compiled.tree.root):
            union |= chars
        if union.ranges and union.ranges[-1][1] > 0xFFFF:
            union |= _HALVES  # what such a character is in a text that is spread
        return union

    @cached_property
    def _taken_chars(self) -> str | None:
        """Those, unless they are many."""
        union = self._union
        return "".join(map(chr, union)) if len(union) <= _FEW else None

    @cached_property
    def _taken(self) -> str | None:
        """The same as a class; None if that is everything."""
        union = self._union
        others = union.complement()
        if not others.ranges:
            return None
        if len(others.ranges) < len(union.ranges):
            return f"[^{ranges(others)}]"
        return f"[{ranges(union)}]" if union.ranges else None

    @cached_property
    def _forward(self) -> regex.Pattern[str] | None:
        taken = self._taken
        return None if taken is None else regex.compile(f"{taken}*+", cache_pattern=False)

    @cached_property
    def _backward(self) -> regex.Pattern[str] | None:
        taken = self._taken
        return None if taken is None else regex.compile(f"(?r){taken}*", cache_pattern=False)
