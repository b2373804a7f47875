"""Spans of one lane on one axis, ready to be drawn at any scale.

A view of a hundred thousand spans shows at most one colour per pixel column. `Track.pixels` looks
at as many spans as there are columns and finds by bisection what those leave open: what that takes
grows with the width of the view and hardly with the run. Columns that were worked out stay until
the scale changes; spans that come at the end of a growing run touch those at its end.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import floor
from typing import Final

from tripscope_gui.widgets.timeline.grid import Grid
from tripscope_gui.widgets.timeline.long_spans import LongSpans

NONE: Final = 15
"""Pixel without a span; greater than every code."""


class _Strip:
    """Columns of a grid that were worked out, ``first`` to ``end``, of ``count`` spans."""

    __slots__ = ("codes", "count", "first", "grid")

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.count = 0
        self.first = 0
        self.codes = bytearray()

    @property
    def end(self) -> int:
        return self.first + len(self.codes)


class Track:
    """``starts``, ``ends`` and ``codes`` grow elsewhere; an end below its start means open.

    ``order`` holds all codes that may come: where several share a pixel, the last one shows.
    """

    def __init__(
        self, starts: array[int], ends: array[int], codes: bytearray, order: Sequence[int]
    ) -> None:
        self.starts, self.ends, self.codes = starts, ends, codes
        self._order = order
        self._long = LongSpans(starts, ends)
        self._strip: _Strip | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def between(self, low: float, high: float) -> range:
        """Places of the spans that start in ``[low, high]``."""
        return range(bisect_left(self.starts, low), bisect_right(self.starts, high))

    def nearest(self, at: float) -> int | None:
        """The place of the span that starts nearest to ``at``; None if there is none."""
        if not self.starts:
            return None
        place = bisect_left(self.starts, at)
        around = [p for p in (place - 1, place) if 0 <= p < len(self.starts)]
        return min(around, key=lambda p: abs(self.starts[p] - at))

    def long_spans(self, low: float, high: float, least: float, end: int) -> Iterator[int]:
        """Places of spans at least ``least`` long that touch ``[low, high]``; see `LongSpans`."""
        return self._long.find(low, high, least, end)

    def pixels(self, low: float, unit: float, width: int) -> tuple[bytearray, float]:
        """A code per pixel column, `NONE` where no span starts.

        Columns stand on a fixed grid, so a panned view works out only those that are new.

        Args:
            low: axis value of the left edge.
            unit: axis units per pixel, positive.
            width: pixels.

        Returns:
            ``width`` + 1 columns, and how many pixels left of the edge the first one begins.
        """
        kept = self._strip
        if kept is None or abs(unit - kept.grid.asked) > 1e-9 * unit:
            kept = self._strip = _Strip(Grid(unit))
        self._take_new(kept)
        grid = kept.grid
        first = floor(low / grid.unit)
        end = first + width + 1
        if not kept.first <= first <= kept.end or not kept.first <= end:
            if kept.first <= end <= kept.end:
                kept.codes[:0] = self._columns(grid, first, kept.first)
                kept.first = first
            else:
                kept.first, kept.codes = first, self._columns(grid, first, end)
        if end > kept.end:
            kept.codes += self._columns(grid, kept.end, end)
        if len(kept.codes) > 8 * width:
            del kept.codes[: first - kept.first]
            kept.first = first
            del kept.codes[width + 1 :]
        start = first - kept.first
        return kept.codes[start : start + width + 1], low / grid.unit - first

    def _take_new(self, kept: _Strip) -> None:
        """Put the spans that came since into the columns that stand there."""
        starts, count = self.starts, kept.count
        kept.count = len(starts)
        if not kept.codes or count == kept.count:
            return
        first = max(kept.first, kept.grid.column(starts[count]))
        end = min(kept.end, kept.grid.column(starts[-1]) + 1)
        if first < end:
            place = slice(first - kept.first, end - kept.first)
            kept.codes[place] = self._columns(kept.grid, first, end)

    def _columns(self, grid: Grid, first: int, end: int) -> bytearray:
        """Codes of the columns ``first`` to ``end`` of the grid."""
        starts, codes = self.starts, self.codes
        low = bisect_left(starts, grid.edge(first))
        high = bisect_left(starts, grid.edge(end), low)
        row = bytearray([NONE]) * (end - first)
        present = [code for code in self._order if codes.find(code, low, high) >= 0]
        for code in present[:1]:
            # whatever else is in a column shows before it
            self._fill(row, code, range(low, high), grid, first)
        for code in present[1:]:
            place = codes.find(code, low, high)
            while place >= 0:
                column = grid.column(starts[place])
                row[column - first] = code
                after = bisect_left(starts, grid.edge(column + 1), place, high)
                place = codes.find(code, after, high)
        return row

    def _fill(self, row: bytearray, code: int, inside: range, grid: Grid, first: int) -> None:
        """Put a code into each column that has a span.

        About as many spans are looked at as there are columns. Where those leave a gap, what
        starts next after its edge tells where the gap ends.
        """
        starts = self.starts
        every = max(1, len(inside) // len(row))
        for column in set(grid.columns(starts[inside.start : inside.stop : every])):
            row[column - first] = code
        if every == 1:
            return
        gap = row.find(NONE)
        while gap >= 0:
            place = bisect_left(starts, grid.edge(first + gap), inside.start, inside.stop)
            if place == inside.stop:
                return
            column = grid.column(starts[place]) - first
            row[column] = code
            gap = row.find(NONE, column + 1)
