"""How busy the window's thread is."""

from __future__ import annotations

import time


class Load:
    """The share of its time that the calling thread computed since it was asked last."""

    def __init__(self) -> None:
        self._asked, self._computed = time.monotonic(), time.thread_time()

    def share(self) -> float:
        """0 for a thread that waited all the time, 1 for one that never did."""
        asked, computed = self._asked, self._computed
        self._asked, self._computed = time.monotonic(), time.thread_time()
        return (self._computed - computed) / max(self._asked - asked, 1e-6)
