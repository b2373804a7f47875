"""The collector rests while a thread works, and wakes after the last one, whatever happened."""

from __future__ import annotations

import asyncio
import gc
import threading

import pytest

from tripscope_gui.threads import in_thread


async def test_the_collector_rests_meanwhile() -> None:
    assert gc.isenabled()
    states, thread = await in_thread(lambda: (gc.isenabled(), threading.get_ident()))
    assert states is False
    assert thread != threading.get_ident()
    assert gc.isenabled()


async def test_an_error_comes_out_and_the_collector_wakes() -> None:
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 / 0)
    assert gc.isenabled()


async def test_it_wakes_after_the_last_of_several() -> None:
    both = threading.Barrier(3)
    first, second = threading.Event(), threading.Event()

    def wait_for(event: threading.Event) -> bool:
        both.wait(5)
        return event.wait(5)

    one = asyncio.ensure_future(in_thread(wait_for, first))  # noqa: TID251
    two = asyncio.ensure_future(in_thread(wait_for, second))  # noqa: TID251
    await asyncio.to_thread(both.wait, 5)
    first.set()
    assert await one
    assert not gc.isenabled()
    second.set()
    assert await two
    assert gc.isenabled()


async def test_a_cancelled_wait_leaves_the_work_to_its_end() -> None:
    begun, go, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go.wait(5)
        done.set()

    task = asyncio.ensure_future(in_thread(work))  # noqa: TID251
    await asyncio.to_thread(begun.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not gc.isenabled()
    go.set()
    await asyncio.to_thread(done.wait, 5)
    for _ in range(200):
        if gc.isenabled():
            break
        await asyncio.sleep(0.005)
    assert gc.isenabled()
