"""Stretches of a text, to look up by place; offsets are UTF-16 code units of that text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Generic, Protocol, TypeVar


class Placed(Protocol):
    """Anything that stands at ``[start, end)``."""

    @property
    def start(self) -> int:
        """The first unit."""

    @property
    def end(self) -> int:
        """Behind the last unit."""


T = TypeVar("T", bound=Placed)
_start = attrgetter("start")


def reach_of(items: Sequence[Placed], before: int = 0) -> list[int]:
    """For each the furthest end of all up to it, and of ``before``.

    A long one may reach over many short ones behind it.
    """
    return list(accumulate((max(before, item.end) for item in items), max))


def touching(items: Sequence[T], reach: Sequence[int], low: int, high: int) -> Iterator[T]:
    """Those that have a unit in ``[low, high)``; ``items`` are sorted by start."""
    for place in range(bisect_right(reach, low), len(items)):
        item = items[place]
        if item.start >= high:
            return
        if item.end > low:
            yield item


class GrowingIndex(Generic[T]):
    """Sorted by start. What comes behind all others, as it mostly does, costs constant time."""

    def __init__(self) -> None:
        self.items: list[T] = []
        self._reach: list[int] = []

    def add(self, *items: T) -> None:
        """Put some in their places, behind those that start there too."""
        if not items:
            return
        new = sorted(items, key=_start)
        place = len(self.items)
        if place and new[0].start < self.items[-1].start:
            place = bisect_right(self.items, new[0].start, key=_start)
            new = sorted((*self.items[place:], *new), key=_start)
        self.items[place:] = new
        self._reach[place:] = reach_of(new, self._reach[place - 1] if place else 0)

    def touching(self, low: int, high: int) -> Iterator[T]:
        """Those that have a unit in ``[low, high)``, in order."""
        return touching(self.items, self._reach, low, high)

    def before(self, offset: int) -> int:
        """How many start before an offset."""
        return bisect_right(self.items, offset - 1, key=_start)
