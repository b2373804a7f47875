"""Events that are packed behind one's back are still what a list of them would be."""

import threading
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.core.trace.strategies import events as event_strategy
from tripscope.trace import packed_events
from tripscope.trace.events import AnyEvent, Warned
from tripscope.trace.packed_events import PackedEvents
from tripscope.trace.packing import PAGE_EVENTS, unpack

COUNT = 5 * PAGE_EVENTS + 100


def warned(count: int = COUNT, first: int = 0) -> list[AnyEvent]:
    return [Warned(n, n, None, None, None, None, f"\ud83d {n}") for n in range(first, count)]


def packed(events: Sequence[AnyEvent], loose: int = 2) -> PackedEvents:
    made = PackedEvents(events)
    while made.pack(0, loose=loose):
        pass
    return made


@pytest.fixture(params=[None, 2, 0], ids=["loose", "packed", "packed to the last page"])
def made(request: pytest.FixtureRequest) -> PackedEvents:
    return PackedEvents(warned()) if request.param is None else packed(warned(), request.param)


def test_it_is_like_a_list(made: PackedEvents) -> None:
    events = warned()
    assert len(made) == COUNT
    assert list(made) == events
    assert list(reversed(made)) == events[::-1]
    for place in (0, 1, PAGE_EVENTS - 1, PAGE_EVENTS, COUNT - 1, -1, -COUNT):
        assert made[place] == events[place]
    for place in (COUNT, -COUNT - 1, 10**9):
        with pytest.raises(IndexError):
            made[place]
    cuts = (slice(None), slice(3, 2), slice(500, 1600), slice(-3, None), slice(None, None, 400))
    for cut in (*cuts, slice(COUNT, None), slice(9, 3, -2)):
        assert made[cut] == events[cut]
    assert not PackedEvents()
    assert list(PackedEvents()) == []


def test_a_time_is_found(made: PackedEvents) -> None:
    events = [replace(event, time=event.seq // 3 * 10) for event in made]
    made = packed(events)
    assert isinstance(made, PackedEvents)
    for time in (-1, 0, 1, 10, 1700, 1710, 5000, 10**9):
        assert made.first_since(time) == bisect_left(events, time, key=lambda event: event.time)
    assert PackedEvents().first_since(0) == 0


def test_it_grows_while_it_is_packed() -> None:
    made = PackedEvents()
    for first in range(0, COUNT, 50):
        made.extend(warned(min(first + 50, COUNT), first))
        made.pack(0)
        assert len(made) == min(first + 50, COUNT)
        assert made[-1].seq == len(made) - 1
        assert made[first // 2].seq == first // 2
    assert list(made) == warned()


def test_an_iterator_goes_on_with_what_came_since() -> None:
    made = PackedEvents(warned(10))
    events = iter(made)
    assert next(events) == made[0]
    made.extend(warned(PAGE_EVENTS + 5, 10))
    assert len(list(events)) == PAGE_EVENTS + 4


def test_packing_stops_in_time_and_leaves_the_newest() -> None:
    made = PackedEvents(warned())
    turns = 1
    while made.pack(0):
        turns += 1
    assert turns == 3 * PAGE_EVENTS // packed_events._SLICE
    newest = made[-1]
    assert made[-1] is newest
    assert made[3 * PAGE_EVENTS] is made[3 * PAGE_EVENTS]
    assert not made.pack(10**12)
    assert made.pack(0, loose=0)
    assert not made.pack(10**12, loose=0)


def test_pages_are_for_the_history() -> None:
    for made in (PackedEvents(warned()), packed(warned()), packed(warned(), 0)):
        made.pack(0, loose=0)
        assert [event for batch in unpack(made.pages()) for event in batch] == warned()
    assert PackedEvents().pages() == []


def test_a_page_stays_open_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bytes] = []
    unpack_page = packed_events.unpack_page
    monkeypatch.setattr(
        packed_events, "unpack_page", lambda page: (opened.append(page), unpack_page(page))[1]
    )
    made = packed(warned(20 * PAGE_EVENTS), 0)
    first = made[0]
    assert made[0] is first
    for _ in range(3):
        for number in range(4):
            assert made[number * PAGE_EVENTS + 3].seq == number * PAGE_EVENTS + 3
    assert len(opened) == 4
    for number in range(19):
        _ = made[number * PAGE_EVENTS]
        _ = made[0]
    assert len(opened) == 4 + 15
    assert made[0] is first


@settings(max_examples=20)
@given(events=st.lists(event_strategy(), max_size=6))
def test_any_event_comes_back(events: list[AnyEvent]) -> None:
    events = [replace(event, seq=n) for n, event in enumerate(events)]
    made = packed([*events, *warned(PAGE_EVENTS)], 0)
    assert made[: len(events)] == events


def test_another_thread_may_read_while_it_grows_and_is_packed() -> None:
    made = PackedEvents(warned(PAGE_EVENTS))
    problems: list[Any] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                count = len(made)
                for place in range(0, count, 97):
                    assert made[place].seq == place
                assert sum(1 for _ in made) >= count
        except BaseException as error:
            problems.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for first in range(PAGE_EVENTS, 8 * PAGE_EVENTS, 64):
        made.extend(warned(first + 64, first))
        made.pack(0, loose=0)
    done.set()
    reader.join()
    assert problems == []
