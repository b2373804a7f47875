"""Events on record are out of the collector's sight, until runs are dropped."""

import gc
from collections.abc import Iterator

import pytest

from tripscope_gui.collector import SETTLE_EVERY, SettledEvents


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
