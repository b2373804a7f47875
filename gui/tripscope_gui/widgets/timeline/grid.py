"""Columns of equal width on an axis, in whole numbers: a value lies in one column, and no doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from operator import floordiv, lshift
from typing import Final

_BITS: Final = 17
"""Of the width: over a screen of 4,000 columns the last one is off by less than a tenth."""


class Grid:
    """Columns about ``unit`` axis units wide, counted from 0 at the axis value 0."""

    __slots__ = ("_shift", "_size", "asked", "unit")

    def __init__(self, unit: float) -> None:
        self.asked = unit
        # the width in fractions of an axis unit, so few that products of times stay short
        self._shift = max(0, _BITS - int(unit).bit_length())
        self._size = max(1, round(unit * (1 << self._shift)))
        self.unit = self._size / (1 << self._shift)
        """How wide a column is."""

    def edge(self, column: int) -> int:
        """The least whole axis value in a column, or in one after it if it holds none."""
        return -(-column * self._size >> self._shift)

    def column(self, value: int) -> int:
        """The column that a value lies in."""
        return (value << self._shift) // self._size

    def columns(self, values: Iterable[int]) -> Iterator[int]:
        """The column of each value."""
        return map(floordiv, map(lshift, values, repeat(self._shift)), repeat(self._size))
