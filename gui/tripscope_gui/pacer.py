"""The engine's breather: how long it may work before the window gets a turn."""

from __future__ import annotations

import asyncio
import time
from typing import Final

SLICE_NS: Final = 8_000_000
"""Half a frame; what the window does in its turn is bounded in `event_feed` and `view_turns`."""


class Pacer:
    """Awaited after each chunk of the model; gives the loop a turn once a slice has passed."""

    def __init__(self) -> None:
        self._last = time.monotonic_ns()

    async def __call__(self) -> None:
        if time.monotonic_ns() - self._last >= SLICE_NS:
            await asyncio.sleep(0)
            self._last = time.monotonic_ns()
