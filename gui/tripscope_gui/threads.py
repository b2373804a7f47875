"""Work in a thread of its own, with the cyclic collector paused meanwhile.

The collector runs in whatever thread happens to allocate. Dead cycles of the window hold Qt
objects, and a timer or a widget must not be destroyed outside the window's thread.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class _Pause:
    """Counts who wants the collector to rest; the last one wakes it if it was awake."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._was_on = False

    def __enter__(self) -> None:
        with self._lock:
            if self._count == 0:
                self._was_on = gc.isenabled()
                gc.disable()
            self._count += 1

    def __exit__(self, *_error: object) -> None:
        with self._lock:
            self._count -= 1
            if self._count == 0 and self._was_on:
                gc.enable()


_pause = _Pause()


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``work`` returns, worked out in a thread; a cancel leaves it running to its end."""

    def run() -> T:
        with _pause:
            return work(*args, **kwargs)

    return await asyncio.to_thread(run)
