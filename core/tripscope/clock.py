"""The time of a run: a monotonic clock that starts at 0 and can be a virtual one for replays."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Nanoseconds since the run began, and how to wait."""

    def now(self) -> int:
        """Nanoseconds since the clock was made; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """Real time. ``origin`` is what `time.perf_counter_ns` said when it began."""

    def __init__(self) -> None:
        self.origin = time.perf_counter_ns()

    def now(self) -> int:
        """See `Clock.now`."""
        return time.perf_counter_ns() - self.origin

    async def sleep(self, seconds: float) -> None:
        """See `Clock.sleep`."""
        await asyncio.sleep(seconds)


class SkippingClock(SystemClock):
    """Real time, but a sleep is over at once, as if it had taken its time."""

    async def sleep(self, seconds: float) -> None:
        """Move the time on by ``seconds`` and let other tasks have a turn."""
        self.origin -= round(seconds * 1e9)
        await asyncio.sleep(0)


class VirtualClock:
    """Passes only when told to: by `advance_to`, or by a sleep, which takes no real time."""

    def __init__(self) -> None:
        self._now = 0

    def now(self) -> int:
        """See `Clock.now`."""
        return self._now

    def advance_to(self, nanoseconds: int) -> None:
        """Set the time; a time that has passed already changes nothing."""
        self._now = max(self._now, nanoseconds)

    async def sleep(self, seconds: float) -> None:
        """Move the time on by ``seconds`` and let other tasks have a turn."""
        self.advance_to(self._now + round(seconds * 1e9))
        await asyncio.sleep(0)
