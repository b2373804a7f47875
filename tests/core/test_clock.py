"""Real and virtual time."""

from __future__ import annotations

from tripscope.clock import SkippingClock, SystemClock, VirtualClock


async def test_system_clock_begins_near_zero_and_goes_on() -> None:
    clock = SystemClock()
    first = clock.now()
    await clock.sleep(0)
    assert 0 <= first <= clock.now() < 60e9


async def test_virtual_clock_moves_only_when_told() -> None:
    clock = VirtualClock()
    assert clock.now() == 0
    clock.advance_to(5)
    clock.advance_to(3)
    assert clock.now() == 5
    await clock.sleep(3600)
    assert clock.now() == 5 + 3600 * 10**9


async def test_a_skipping_clock_takes_no_time_to_sleep_but_tells_of_it() -> None:
    clock, real = SkippingClock(), SystemClock()
    before = clock.now()
    await clock.sleep(3600)
    assert clock.now() - before >= 3600 * 10**9
    assert real.now() < 60e9
