"""The caller's signal."""

from __future__ import annotations

import asyncio

from tripscope.context import AbortSignal


async def test_signal_tells_waiters_and_listeners_once() -> None:
    signal, heard = AbortSignal(), []
    signal.add_listener(lambda: heard.append(1))
    gone = lambda: heard.append(2)  # noqa: E731
    signal.add_listener(gone)
    signal.remove_listener(gone)
    assert not signal.aborted
    async with asyncio.TaskGroup() as group:
        group.create_task(signal.wait())
        await asyncio.sleep(0)
        signal.abort("enough")
        signal.abort("again")
    assert (signal.aborted, signal.reason, heard) == (True, "enough", [1])
