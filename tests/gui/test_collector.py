"""When the collector runs, and that events on record are out of its sight till runs are dropped."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from tripscope_gui import collector
from tripscope_gui.collector import SETTLE_EVERY, SettledEvents, collect_due, loading


class _Knot:
    """Garbage as soon as it is made."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def thresholds() -> Iterator[None]:
    """One object makes a collection due; ten collections a higher one."""
    before = gc.get_threshold()
    gc.collect()
    gc.set_threshold(1, 10, 10)
    yield
    gc.set_threshold(*before)


def _made() -> "weakref.ref[_Knot]":
    return weakref.ref(_Knot())


@pytest.mark.usefixtures("thresholds")
def test_what_is_due_is_collected() -> None:
    seen = _made()
    assert seen() is not None
    collect_due()
    assert seen() is None


@pytest.mark.usefixtures("thresholds")
def test_nothing_is_collected_before_it_is_due() -> None:
    gc.set_threshold(100_000, 10, 10)
    seen = _made()
    collect_due()
    assert seen() is not None


@pytest.mark.usefixtures("thresholds")
def test_nothing_is_due_for_those_who_want_no_collector() -> None:
    gc.set_threshold(0)
    seen = _made()
    collect_due()
    assert seen() is not None


@pytest.mark.usefixtures("thresholds")
def test_older_generations_are_collected_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector._schedule, "full_from", 0.0)
    found: list[int] = []
    kept: list[list[int]] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            found.append(info["generation"])

    gc.callbacks.append(note)
    try:
        for _ in range(300):
            kept += [[], [], []]
            collect_due()
    finally:
        gc.callbacks.remove(note)
    assert found.count(0) > found.count(1) > found.count(2) >= 1


@pytest.fixture
def settled() -> Iterator[SettledEvents]:
    events = SettledEvents()
    events.release()
    yield events
    events.release()


def test_events_are_settled_now_and_then(settled: SettledEvents) -> None:
    settled.add(SETTLE_EVERY - 1)
    assert gc.get_freeze_count() == 0
    settled.add(1)
    assert gc.get_freeze_count() > 0


def test_released_events_are_seen_again(settled: SettledEvents) -> None:
    settled.add(SETTLE_EVERY)
    settled.release()
    assert gc.get_freeze_count() == 0


def test_what_is_loaded_is_not_looked_at(settled: SettledEvents) -> None:
    was_on = gc.isenabled()
    with loading():
        assert not gc.isenabled()
        seen = _made()
    assert gc.isenabled() is was_on
    gc.collect()
    assert seen() is not None
    settled.release()
    gc.collect()
    assert seen() is None
