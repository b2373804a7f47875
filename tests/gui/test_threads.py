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
    first, second = threading.Event(), threading.Event()
    one = asyncio.ensure_future(in_thread(first.wait, 5))  # noqa: TID251
    two = asyncio.ensure_future(in_thread(second.wait, 5))  # noqa: TID251
    await asyncio.sleep(0)
    first.set()
    assert await one
    assert not gc.isenabled()
    second.set()
    assert await two
    assert gc.isenabled()


async def test_a_cancelled_wait_leaves_the_work_to_its_end() -> None:
    go, done = threading.Event(), threading.Event()

    def work() -> None:
        go.wait(5)
        done.set()

    task = asyncio.ensure_future(in_thread(work))  # noqa: TID251
    await asyncio.sleep(0.01)
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


async def test_work_that_is_cancelled_in_the_queue_wakes_it_too() -> None:
    go = threading.Event()
    tasks = [asyncio.ensure_future(in_thread(go.wait, 5)) for _ in range(4)]  # noqa: TID251
    await asyncio.sleep(0.01)
    for task in tasks[2:]:
        task.cancel()
    await asyncio.gather(*tasks[2:], return_exceptions=True)
    go.set()
    assert all(await asyncio.gather(*tasks[:2]))
    assert gc.isenabled()
