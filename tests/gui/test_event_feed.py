"""Events come into the store a bounded share a frame, and views are told in their turn."""

from itertools import pairwise

import pytest
from pytestqt.qtbot import QtBot

from tests.support.made_events import Events
from tests.support.window import make_context
from tripscope.chunks import text_delta
from tripscope.trace.events import AnyEvent
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


class Fed:
    """A feed with a run that has begun; ``told`` has the ranges of events that views heard of."""

    def __init__(self, theme: Theme) -> None:
        self.context = make_context(theme)
        self.feed = EventFeed(self.context, SettledEvents())
        self.run = self.context.workspace.add()
        self.told = told = list[tuple[int, int]]()
        self.context.events_appended.connect(lambda first, end: told.append((first, end)))
        self.feed.begin(self.run)

    def put(self, chunks: int) -> list[AnyEvent]:
        """The events of a run of so many chunks, which wait in the feed now."""
        events = made(chunks).all
        for event in events:
            self.feed.put(event)
        return events


def test_all_events_arrive_in_ranges_that_meet_and_then_it_is_empty(
    qtbot: QtBot, theme: Theme
) -> None:
    fed = Fed(theme)
    feed, run, told = fed.feed, fed.run, fed.told
    fed.context.show_current()
    fed.context.turns.begin()
    events = fed.put(8000)
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


def test_the_first_events_of_a_run_wait_for_no_turn(qtbot: QtBot, theme: Theme) -> None:
    fed = Fed(theme)
    fed.context.show_current()
    fed.context.turns.begin()
    fed.feed.expect()
    qtbot.wait(1)
    assert fed.told == []
    fed.put(2)
    fed.feed._tick()
    assert fed.told[0][0] == 0
    asked = list(fed.context.turns._waiting)
    assert fed.context.tell_news not in asked
    fed.put(2)
    fed.feed._tick()
    assert fed.context.tell_news in fed.context.turns._waiting
    fed.feed.finish()


def test_finish_takes_all_at_once_and_what_is_shown_anew_is_not_told_twice(
    qtbot: QtBot, theme: Theme
) -> None:
    fed = Fed(theme)
    fed.context.show_current()
    events = fed.put(10)
    fed.feed.finish()
    assert fed.told == [(0, len(events))]
    fed.context.tell_news()
    fed.context.show_current()
    fed.context.tell_news()
    assert fed.told == [(0, len(events))]


def test_a_paused_feed_keeps_what_comes(qtbot: QtBot, theme: Theme) -> None:
    fed = Fed(theme)
    feed = fed.feed
    feed.pause()
    events = fed.put(10)
    with qtbot.assertNotEmitted(feed.emptied, wait=60):
        pass
    assert feed.waiting == len(events)
    with qtbot.waitSignal(feed.emptied):
        feed.resume()
    assert feed.waiting == 0
    feed.finish()


def test_what_is_left_of_a_run_that_is_over_is_drained_without_pauses(
    qtbot: QtBot, theme: Theme
) -> None:
    fed = Fed(theme)
    feed, timer = fed.feed, fed.feed._timer
    assert timer.interval() > 0
    events = fed.put(10)
    feed.catch_up()
    assert timer.interval() == 0
    with qtbot.waitSignal(feed.emptied):
        pass
    assert list(fed.run.store.events) == events
    feed.pause()
    feed.catch_up()
    assert not timer.isActive(), "somebody holds the view"
    feed.begin(fed.run)
    assert timer.interval() > 0
    feed.finish()


def test_a_long_run_is_packed_when_nothing_waits(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_store, "LONG_RUN", 1000)
    fed = Fed(theme)
    feed, run = fed.feed, fed.run
    fed.context.show_current()
    events = fed.put(2000)
    qtbot.waitUntil(lambda: not feed.waiting and run.store.events.loose < 2000)
    assert list(run.store.events) == events
    feed.finish()
