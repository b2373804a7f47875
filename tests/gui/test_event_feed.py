"""Events come into the store a bounded share a frame, and views are told in their turn."""

from itertools import pairwise

import pytest
from pytestqt.qtbot import QtBot

from tests.support.made_events import Events
from tests.support.window import make_context
from tripscope.chunks import text_delta
from tripscope_gui import run_store
from tripscope_gui.collector import SettledEvents
from tripscope_gui.event_feed import EventFeed
from tripscope_gui.store.run_index import index_of
from tripscope_gui.theme import Theme


def made(chunks: int) -> Events:
    events = Events()
    events.begin_attempt()
    for number in range(chunks):
        part = events.chunk(number, text_delta("ab "))
        events.hook(number, part, (part,), held=0, intervals=())
    events.end_attempt()
    events.end()
    return events


def test_all_events_arrive_in_ranges_that_meet_and_then_it_is_empty(
    qtbot: QtBot, theme: Theme
) -> None:
    context = make_context(theme)
    feed = EventFeed(context, SettledEvents())
    run = context.workspace.add()
    told: list[tuple[int, int]] = []
    context.events_appended.connect(lambda first, end: told.append((first, end)))
    feed.begin(run)
    context.show_current()
    context.turns.begin()
    events = made(8000).all
    for event in events:
        feed.put(event)
    assert feed.waiting == len(events)
    assert not run.store.events
    with qtbot.waitSignal(feed.emptied):
        pass
    assert list(run.store.events) == events
    assert index_of(run.store).ready
    qtbot.waitUntil(lambda: bool(told) and told[-1][1] == len(events))
    assert told[0][0] == 0
    assert all(before[1] == after[0] for before, after in pairwise(told))
    assert len(told) < 50
    feed.finish()


def test_finish_takes_all_at_once_and_what_is_shown_anew_is_not_told_twice(
    qtbot: QtBot, theme: Theme
) -> None:
    context = make_context(theme)
    feed = EventFeed(context, SettledEvents())
    run = context.workspace.add()
    told: list[tuple[int, int]] = []
    context.events_appended.connect(lambda first, end: told.append((first, end)))
    feed.begin(run)
    context.show_current()
    events = made(10).all
    for event in events:
        feed.put(event)
    feed.finish()
    assert told == [(0, len(events))]
    feed.tell()
    context.show_current()
    feed.tell()
    assert told == [(0, len(events))]


def test_a_paused_feed_keeps_what_comes(qtbot: QtBot, theme: Theme) -> None:
    context = make_context(theme)
    feed = EventFeed(context, SettledEvents())
    feed.begin(context.workspace.add())
    feed.pause()
    for event in made(10).all:
        feed.put(event)
    with qtbot.assertNotEmitted(feed.emptied, wait=60):
        pass
    assert feed.waiting == len(made(10).all)
    with qtbot.waitSignal(feed.emptied):
        feed.resume()
    assert feed.waiting == 0
    feed.finish()


def test_a_long_run_is_packed_when_nothing_waits(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_store, "LONG_RUN", 1000)
    context = make_context(theme)
    feed = EventFeed(context, SettledEvents())
    run = context.workspace.add()
    feed.begin(run)
    context.show_current()
    events = made(2000).all
    for event in events:
        feed.put(event)
    qtbot.waitUntil(lambda: not feed.waiting and run.store.events.loose < 2000)
    assert list(run.store.events) == events
    feed.finish()
