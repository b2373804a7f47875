"""Which of many spans are long, told without looking at each of them at every scale."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from operator import sub
from typing import Final

_SPANS: Final = 128
"""Spans that a block of the finest level stands for."""
_EACH: Final = 32
"""Blocks of the next finer level that a block stands for."""


class _Blocks:
    """Of each block the greatest length, and an axis value at which all its spans are over."""

    __slots__ = ("lasts", "lengths")

    def __init__(self) -> None:
        self.lengths = array("q")
        self.lasts = array("q")

    def note(self, block: int, length: int, last: int) -> None:
        if block == len(self.lengths):
            self.lengths.append(length)
            self.lasts.append(last)
            return
        if length > self.lengths[block]:
            self.lengths[block] = length
        if last > self.lasts[block]:
            self.lasts[block] = last


class LongSpans:
    """Spans sorted by start, whose arrays grow elsewhere; an end below its start means open.

    Blocks of spans, and blocks of blocks, know their longest one, so that a search passes over
    what holds none that is long enough. Of spans that don't overlap few are that long.
    """

    def __init__(self, starts: array[int], ends: array[int]) -> None:
        self._starts, self._ends = starts, ends
        self._levels = [_Blocks()]
        self._taken = 0
        self._open: list[int] = []

    def find(self, low: float, high: float, least: float, end: int) -> Iterator[int]:
        """Places of spans at least ``least`` long that touch ``[low, high]``, in their order.

        Those that are open come last; they end at ``end``. One of no length is never found.
        """
        self._catch_up()
        least = max(1, least)
        top = len(self._levels) - 1
        for block in range(len(self._levels[top].lengths)):
            yield from self._within(top, block, low, high, least)
        for place in self._open:
            start = self._starts[place]
            if start <= high and end >= low and end - start >= least:
                yield place

    def _within(
        self, level: int, block: int, low: float, high: float, least: float
    ) -> Iterator[int]:
        blocks = self._levels[level]
        if blocks.lengths[block] < least or blocks.lasts[block] < low:
            return
        if self._starts[block * _SPANS * _EACH**level] > high:
            return
        if level:
            parts = range(block * _EACH, (block + 1) * _EACH)
            for part in parts[: len(self._levels[level - 1].lengths) - parts.start]:
                yield from self._within(level - 1, part, low, high, least)
            return
        starts, ends = self._starts, self._ends
        for place in range(block * _SPANS, min((block + 1) * _SPANS, self._taken)):
            last, start = ends[place], starts[place]
            if last - start >= least and last >= low and start <= high:
                yield place

    def _catch_up(self) -> None:
        """Take the spans that came since, and the ends of those that were open."""
        ends, still = self._ends, []
        for place in self._open:
            if ends[place] < self._starts[place]:
                still.append(place)
            else:
                self._note(place // _SPANS, ends[place] - self._starts[place], ends[place])
        self._open = still
        first, count = self._taken, len(self._starts)
        if ends is self._starts:
            # ticks, all of them
            first = count
        while first < count:
            block = first // _SPANS
            end = min(count, (block + 1) * _SPANS)
            lengths = list(map(sub, ends[first:end], self._starts[first:end]))
            if min(lengths) < 0:
                self._open += [first + n for n, length in enumerate(lengths) if length < 0]
            longest = max(lengths)
            self._note(block, longest, self._starts[end - 1] + longest)
            first = end
        self._taken = count

    def _note(self, block: int, length: int, last: int) -> None:
        levels = self._levels
        for blocks in levels:
            blocks.note(block, length, last)
            block //= _EACH
        top = levels[-1]
        if len(top.lengths) > _EACH:
            made = _Blocks()
            for number, known in enumerate(zip(top.lengths, top.lasts, strict=True)):
                made.note(number // _EACH, *known)
            levels.append(made)
