"""Keeps the cyclic collector off the events of runs: its pauses would freeze the window."""

from __future__ import annotations

import gc
from typing import Final

SETTLE_EVERY: Final = 4096


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
