"""Work in a thread: what it returns and raises, and that the collector rests meanwhile."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator

import pytest

from tests.support.patience import PATIENCE
from tripscope_gui.collector import collect_due
from tripscope_gui.threads import in_thread


@pytest.fixture
def collected() -> Iterator[list[int]]:
    """Generations that were collected since; each is due from the first object on."""
    generations: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            generations.append(info["generation"])

    before = gc.get_threshold()
    gc.set_threshold(1, 1000, 1000)
    gc.callbacks.append(note)
    yield generations
    gc.callbacks.remove(note)
    gc.set_threshold(*before)


async def test_it_comes_from_another_thread() -> None:
    assert await in_thread(threading.get_ident) != threading.get_ident()


async def test_the_collector_rests_until_the_last_of_several(collected: list[int]) -> None:
    first, second = threading.Event(), threading.Event()
    one = asyncio.ensure_future(in_thread(first.wait, PATIENCE))  # noqa: TID251
    two = asyncio.ensure_future(in_thread(second.wait, PATIENCE))  # noqa: TID251
    await asyncio.sleep(0)
    for done, work in ((first, one), (second, two)):
        collect_due()
        assert not collected
        done.set()
        assert await work
    collect_due()
    assert collected


async def test_an_error_comes_out_and_the_collector_is_back(collected: list[int]) -> None:
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 / 0)
    collect_due()
    assert collected


async def test_a_cancelled_wait_leaves_the_work_to_its_end(collected: list[int]) -> None:
    begun, go, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go.wait(PATIENCE)
        done.set()

    task = asyncio.ensure_future(in_thread(work))  # noqa: TID251
    await asyncio.to_thread(begun.wait, PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not done.is_set()
    go.set()
    assert await asyncio.to_thread(done.wait, PATIENCE)
    collect_due()
    assert collected
