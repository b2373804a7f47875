"""The breather of long work: how long it may go on before the window gets a turn."""

from __future__ import annotations

import asyncio
import time
from typing import Final

SLICE_NS: Final = 8_000_000
"""Half a frame; what the window does in its turn is bounded in `event_feed` and `view_turns`."""


class Pacer:
    """Awaited after each small piece of work; gives the loop a turn once a slice has passed."""

    def __init__(self, slice_ns: int = SLICE_NS) -> None:
        self._slice = slice_ns
        self._last = time.monotonic_ns()

    async def __call__(self) -> None:
        if time.monotonic_ns() - self._last >= self._slice:
            await asyncio.sleep(0)
            self._last = time.monotonic_ns()
