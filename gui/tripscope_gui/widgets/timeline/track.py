"""Spans of one lane on one axis, ready to be drawn at any scale.

A view of a hundred thousand spans shows at most one colour per pixel column. `Track.pixels` works
that out from the spans where few are in view, and else from levels of detail: spans merged into
buckets whose width is a power of two, made once per level and only extended afterwards.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import compress, repeat
from math import floor
from operator import rshift
from typing import Final

FEW: Final = 1500
"""Spans in view up to which each one is looked at."""
_PART: Final = 8_192
"""Spans that are put into a level between two frames."""
NONE: Final = 255
"""Pixel without a span."""


class _Level:
    """Buckets ``1 << shift`` wide that hold a span's start, with the smallest code in each."""

    __slots__ = ("codes", "keys", "shift", "taken")

    def __init__(self, shift: int) -> None:
        self.shift = shift
        self.keys = array("q")
        self.codes = array("B")
        self.taken = 0

    def coarser(self, shift: int, rank: Sequence[int]) -> _Level:
        """The same spans in wider buckets, without going through the spans again."""
        made = _Level(shift)
        made.taken = self.taken
        keys, codes, down = made.keys, made.codes, shift - self.shift
        last = -1
        for key, code in zip(self.keys, self.codes, strict=True):
            key >>= down
            if key != last:
                keys.append(key)
                codes.append(code)
                last = key
            elif rank[code] < rank[codes[-1]]:
                codes[-1] = code
        return made

    def extend(
        self,
        starts: array[int],
        codes: array[int],
        rank: Sequence[int],
        most: int | None = None,
    ) -> None:
        """Take the spans that came since, at most so many; the last bucket may get more of them."""
        end = len(starts) if most is None else min(len(starts), self.taken + most)
        new = starts[self.taken : end]
        if not new:
            return
        new_codes = codes[self.taken : end]
        self.taken = end
        shift = self.shift
        # a loop in C for each code, the ones that must show last
        buckets: dict[int, int] = {}
        for code in sorted(set(new_codes), key=rank.__getitem__, reverse=True):
            some = compress(new, map(code.__eq__, new_codes))
            buckets.update(dict.fromkeys(map(rshift, some, repeat(shift)), code))
        keys = sorted(buckets)
        if self.keys and keys[0] <= self.keys[-1]:
            self._overlap(keys, buckets, rank)
            return
        self.keys.extend(keys)
        self.codes.extend(map(buckets.__getitem__, keys))

    def _overlap(self, keys: list[int], buckets: dict[int, int], rank: Sequence[int]) -> None:
        """New buckets that begin before the last one ends; a few of them at most."""
        first = bisect_left(self.keys, keys[0])
        for key, code in zip(self.keys[first:], self.codes[first:], strict=True):
            other = buckets.get(key)
            if other is None or rank[code] < rank[other]:
                buckets[key] = code
        del self.keys[first:], self.codes[first:]
        for key in sorted(buckets):
            self.keys.append(key)
            self.codes.append(buckets[key])


class _Strip:
    """Pixel columns of a grid that were worked out, ``first`` to ``end``."""

    __slots__ = ("codes", "count", "first", "unit")

    def __init__(self, unit: float, count: int) -> None:
        self.unit, self.count = unit, count
        self.first = 0
        self.codes = bytearray()

    @property
    def end(self) -> int:
        return self.first + len(self.codes)


class Track:
    """``starts`` and ``ends`` grow elsewhere; ``ends`` below ``starts`` means open.

    ``rank`` orders codes: where several share a pixel, the one of the smallest rank shows.
    """

    def __init__(
        self,
        starts: array[int],
        ends: array[int],
        codes: array[int],
        rank: Sequence[int] = tuple(range(256)),
    ) -> None:
        self.starts, self.ends, self.codes = starts, ends, codes
        self._rank = rank
        self._levels: dict[int, _Level] = {}
        self._long: dict[int, array[int]] = {}
        self._measured = 0
        self._open: list[int] = []
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
        if (
            kept is None
            or kept.count != len(self.starts)
            or abs(unit - kept.unit) > 1e-9 * kept.unit
        ):
            kept = self._strip = _Strip(unit, len(self.starts))
        first = floor(low / kept.unit)
        end = first + width + 1
        if not kept.first <= first <= kept.end or not kept.first <= end:
            if kept.first <= end <= kept.end:
                kept.codes[:0] = self._columns(first, kept.first, kept.unit)
                kept.first = first
            else:
                kept.first, kept.codes = first, self._columns(first, end, kept.unit)
        if end > kept.end:
            kept.codes += self._columns(kept.end, end, kept.unit)
        if len(kept.codes) > 8 * width:
            del kept.codes[: first - kept.first]
            kept.first = first
            del kept.codes[width + 1 :]
        start = first - kept.first
        return kept.codes[start : start + width + 1], low / kept.unit - first

    def _columns(self, first: int, end: int, unit: float) -> bytearray:
        """Codes of the pixel columns ``first`` to ``end`` of the grid."""
        row = bytearray([NONE]) * max(0, end - first)
        inside = range(bisect_left(self.starts, first * unit), bisect_left(self.starts, end * unit))
        if len(inside) > FEW:
            self._fill(row, self._level(unit), first, unit)
            return row
        starts, codes, rank = self.starts, self.codes, self._rank
        for place in inside:
            pixel = int(starts[place] / unit) - first
            if 0 <= pixel < len(row):
                kept = row[pixel]
                if kept == NONE or rank[codes[place]] < rank[kept]:
                    row[pixel] = codes[place]
        return row

    def long_spans(self, low: float, high: float, least: float, end: int) -> Iterator[int]:
        """Places of spans at least ``least`` long that touch ``[low, high]``.

        Open ones end at ``end``. Of spans that don't overlap, few are that long.
        """
        self._measure()
        for size, places in self._long.items():
            if (2 << size) <= least:
                continue
            # a span of this class is shorter than twice its size's power
            first = bisect_left(places, low - (2 << size), key=self.starts.__getitem__)
            for place in places[first:]:
                start = self.starts[place]
                if start > high:
                    break
                if self.ends[place] >= low and self.ends[place] - start >= least:
                    yield place
        for place in self._open:
            if self.starts[place] <= high and end >= low and end - self.starts[place] >= least:
                yield place

    def make_level(self) -> bool:
        """Make a part of the finest level that is missing or behind; whether there was one."""
        if len(self.starts) <= FEW:
            return False
        whole = max(1, self.starts[-1] - self.starts[0])
        finest = max(0, (whole // len(self.starts)).bit_length() - 1)
        for shift in range(finest, whole.bit_length()):
            level = self._levels.get(shift)
            if level is None or len(self.starts) - level.taken > FEW:
                self._level_of(shift, _PART)
                return True
        return False

    def _level(self, scale: float) -> _Level:
        shift = max(0, int(scale).bit_length() - 1)
        return self._level_of(shift)

    def _level_of(self, shift: int, most: int | None = None) -> _Level:
        level = self._levels.get(shift)
        if level is None:
            finer = max((kept for kept in self._levels if kept < shift), default=None)
            if finer is None:
                level = _Level(shift)
            else:
                level = self._levels[finer].coarser(shift, self._rank)
            self._levels[shift] = level
        level.extend(self.starts, self.codes, self._rank, most)
        return level

    def _fill(self, row: bytearray, level: _Level, first: int, unit: float) -> None:
        keys, codes, rank = level.keys, level.codes, self._rank
        bucket = 1 << level.shift
        low = bisect_left(keys, int(first * unit) // bucket)
        high = bisect_right(keys, int((first + len(row)) * unit) // bucket)
        per, width = bucket / unit, len(row)
        for key, code in zip(keys[low:high], codes[low:high], strict=True):
            pixel = int(key * per) - first
            if 0 <= pixel < width:
                kept = row[pixel]
                if kept == NONE or rank[code] < rank[kept]:
                    row[pixel] = code

    def _measure(self) -> None:
        """Sort the spans that came since into classes of length; close those that ended."""
        still = []
        for place in self._open:
            if self.ends[place] < self.starts[place]:
                still.append(place)
            else:
                self._class(self.ends[place] - self.starts[place], place)
        self._open = still
        starts, ends = self.starts, self.ends
        for place in range(self._measured, len(starts)):
            length = ends[place] - starts[place]
            if length > 0:
                self._class(length, place)
            elif length < 0:
                self._open.append(place)
        self._measured = len(starts)

    def _class(self, length: int, place: int) -> None:
        size = length.bit_length() - 1
        places = self._long.get(size)
        if places is None:
            places = self._long[size] = array("I")
        if not places or places[-1] < place:
            places.append(place)
            return
        places.insert(bisect_left(places, place), place)
