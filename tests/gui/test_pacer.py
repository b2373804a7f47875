"""Long work gives the loop a turn, and goes on for as long as the others leave it."""

import asyncio
import time

import pytest

from tripscope_gui.pacer import LEAST_NS, SLICE_NS, TURN_NS, Pacer


class Clock:
    """Nanoseconds that pass when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000_000_000
        self.others: list[int] = []
        """What the rest of the loop takes in each of its turns to come."""
        self.turns = 0
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.now)
        monkeypatch.setattr(asyncio, "sleep", self._sleep)

    async def _sleep(self, _seconds: float) -> None:
        self.turns += 1
        self.now += self.others.pop(0)

    async def slice_of(self, pacer: Pacer, step: int = 100_000) -> int:
        """Nanoseconds of work until the loop gets its next turn."""
        begun, turns = self.now, self.turns
        while True:
            self.now += step
            worked = self.now - begun
            await pacer()
            if self.turns > turns:
                return worked


async def test_a_slice_is_what_the_others_leave_of_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)
    pacer = Pacer()
    clock.others = [0, 10_000_000, 40_000_000, 1_000_000]
    assert await clock.slice_of(pacer) == SLICE_NS
    assert await clock.slice_of(pacer) == SLICE_NS
    assert await clock.slice_of(pacer) == TURN_NS - 10_000_000
    assert await clock.slice_of(pacer) == LEAST_NS


async def test_short_slices_stay_short(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    pacer = Pacer(1_000_000)
    clock.others = [0, 30_000_000]
    assert await clock.slice_of(pacer) == 1_000_000
    assert await clock.slice_of(pacer) == 1_000_000


async def test_work_that_is_short_takes_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    pacer = Pacer()
    for _ in range(7):
        clock.now += 1_000_000
        await pacer()
    assert clock.turns == 0


async def test_where_the_window_waits_to_paint_a_slice_is_the_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)
    waits = [False]
    pacer = Pacer(pressed=lambda: waits[0])
    clock.others = [0, 0]
    assert await clock.slice_of(pacer) == SLICE_NS
    waits[0] = True
    assert await clock.slice_of(pacer) == LEAST_NS
