"""Work side by side: looked at while it runs, and never left behind."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.engine import Gate
from tripscope.tasks import SideBySide


async def test_rounds_follow_stirs_and_end_with_the_work() -> None:
    out: list[int] = []

    async def work(side: SideBySide, number: int) -> None:
        out.append(number)
        side.stir()
        await asyncio.sleep(0)

    seen: list[int] = []
    async with SideBySide() as side:
        for number in range(3):
            side.start(work(side, number), name=f"work {number}")
        async for _ in side.rounds():
            seen.append(len(out))
    assert out == [0, 1, 2]
    assert seen[0] == 0
    assert seen[-1] == 3


async def test_no_work_is_one_round() -> None:
    async with SideBySide() as side:
        assert [1 async for _ in side.rounds()] == [1]


async def test_what_one_raises_cancels_the_others() -> None:
    gate = Gate()

    async def fail() -> None:
        await gate.reached.wait()
        raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):  # noqa: PT012
        async with SideBySide() as side:
            side.start(gate.wait(), name="waits")
            side.start(fail(), name="fails")
            async for _ in side.rounds():
                pass
    assert gate.cancelled


async def test_leaving_early_cancels_and_awaits() -> None:
    gate = Gate()
    async with SideBySide() as side:
        side.start(gate.wait(), name="waits")
        await gate.reached.wait()
    assert gate.cancelled
