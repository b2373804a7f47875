"""The one place of the engine that starts tasks: pieces of work that run side by side.

`asyncio.TaskGroup` is not used here because the engine yields chunks while the work runs, and a
task group must not be left through a ``yield``: it would wrap `GeneratorExit` in an exception
group.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from types import TracebackType
from typing import Any, Self


class SideBySide:
    """Runs coroutines together; on leaving its block cancels and awaits those that still run.

    A coroutine must handle its own errors: what one raises is raised again by `wait`.
    """

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[Any]] = []
        self._stir = asyncio.Event()

    def start(self, work: Coroutine[Any, Any, Any], *, name: str) -> None:
        """Start one piece of work; it begins to run at the next await."""
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(lambda _: self._stir.set())
        self._tasks.append(task)

    def stir(self) -> None:
        """Wake whoever waits in `rounds`, to look at what the work has put out so far."""
        self._stir.set()

    async def rounds(self) -> AsyncGenerator[None, None]:
        """Yield after each stir, and a last time when all work is done.

        Raises:
            BaseException: what a piece of work raised; the others are cancelled on leaving the
            block.
        """
        while True:
            running = [task for task in self._tasks if not task.done()]
            self._stir.clear()
            yield
            for task in self._tasks:
                if task.done():
                    task.result()
            if not running:
                return
            await self._stir.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
