"""The breather of long work: how long it may go on before the window gets a turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

SLICE_NS: Final = 8_000_000
"""Half a frame, where nothing else has work to do."""
LEAST_NS: Final = 2_000_000
"""What work gets in any case: painting alone must not bring it to a standstill."""
TURN_NS: Final = 14_000_000
"""What a turn of the loop should take in all; the timers of a frame are due every 16 ms."""


class Pacer:
    """Awaited after each small piece of work; gives the loop a turn once a slice has passed.

    Work and the window share each turn of the loop: where the window took longer for its part, in
    which it feeds the store, works out what a view shows, or paints, the next slice is shorter.

    Args:
        slice_ns: the longest slice.
        pressed: says whether the window is waiting to paint; slices are as short as can be then.
    """

    def __init__(self, slice_ns: int = SLICE_NS, pressed: Callable[[], bool] | None = None) -> None:
        self._most = self._slice = slice_ns
        self._pressed = pressed
        self._last = time.monotonic_ns()

    async def __call__(self) -> None:
        left = time.monotonic_ns()
        worked = left - self._last
        pressed = self._pressed is not None and worked >= LEAST_NS and self._pressed()
        if pressed or worked >= self._slice:
            await asyncio.sleep(0)
            self._last = time.monotonic_ns()
            others = self._last - left
            self._slice = min(self._most, max(LEAST_NS, TURN_NS - others))
