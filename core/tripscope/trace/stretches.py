"""Intervals of a text, to look up by where they stand in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

from tripscope.processor import Interval


class Stretches:
    """Intervals to look up by where they stand in what a processor was given."""

    def __init__(self, intervals: Iterable[Interval]) -> None:
        self._sorted = sorted(intervals, key=lambda interval: interval[:2])
        self._ends = list(accumulate((interval[1] for interval in self._sorted), max))

    def touching(self, start: int, end: int) -> Iterator[Interval]:
        """Those that share a unit with ``[start, end)``, in order."""
        for at in range(bisect_right(self._ends, start), len(self._sorted)):
            interval = self._sorted[at]
            if interval[0] >= end:
                return
            if interval[1] > start:
                yield interval
