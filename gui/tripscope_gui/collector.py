"""When the cyclic collector runs, and what it looks at: its pauses are pauses of the window.

By itself the collector runs wherever something is allocated: in a thread, or while Qt paints. Dead
cycles of the window hold Qt objects, and one that is destroyed in a thread that is not its own, or
by the paint event that draws it, takes the process with it. So a window turns the collector off and
calls `collect_due` between two events.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SETTLE_EVERY: Final = 4096
_FULL_SHARE: Final = 20
"""Looks at all objects lie so many times as far apart as the last one took: a twentieth of all."""


class _Schedule:
    """Whether the collector may run, and when it may look at all objects again."""

    def __init__(self) -> None:
        self.rests = 0
        self.full_from = 0.0


_schedule = _Schedule()


def collect_due() -> None:
    """Collect what the collector would have by itself; nothing while somebody asks it to rest."""
    (young, middle, old), (most_young, most_middle, most_old) = gc.get_count(), gc.get_threshold()
    if not 0 < most_young < young or _schedule.rests:
        return
    if middle <= most_middle:
        gc.collect(0)
        return
    began = time.monotonic()
    if old <= most_old or began < _schedule.full_from:
        gc.collect(1)
        return
    gc.collect()
    now = time.monotonic()
    _schedule.full_from = now + _FULL_SHARE * (now - began)


@contextmanager
def rest() -> Iterator[None]:
    """No collection by `collect_due` meanwhile."""
    _schedule.rests += 1
    try:
        yield
    finally:
        _schedule.rests -= 1


@contextmanager
def loading() -> Iterator[None]:
    """No collection meanwhile, and none later of what was made: modules and classes stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def resting() -> bool:
    """Whether somebody works in a thread just now."""
    return _schedule.rests > 0


class SettledEvents:
    """Counts events that were put on record and takes them out of the collector's sight.

    Events hold no cycles, so they die with their last reference all the same. What else is around
    is not looked at any more either, until `release`.
    """

    def __init__(self) -> None:
        self._waiting = 0

    def begin(self) -> None:
        """A run begins: whatever is there by now is not looked at while it is at work."""
        self._waiting = 0
        gc.freeze()

    def add(self, events: int) -> None:
        """So many more are on record."""
        self._waiting += events
        if self._waiting >= SETTLE_EVERY:
            self._waiting = 0
            gc.freeze()

    def release(self) -> None:
        """Let the collector see everything again: runs are about to be dropped."""
        self._waiting = 0
        gc.unfreeze()
