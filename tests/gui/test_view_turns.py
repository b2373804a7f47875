"""Views take turns: one at a time while a run is at work."""

import asyncio
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tripscope_gui.view_turns import REPLAY_REST, REST, ViewTurns


def test_each_view_that_asked_is_served_once_and_in_order(qtbot: QtBot) -> None:
    parent = QObject()
    turns = ViewTurns(parent)
    served: list[str] = []

    def first() -> None:
        served.append("first")

    def second() -> None:
        served.append("second")

    for show in (first, second, first):
        turns.ask(show)
    assert served == []
    qtbot.waitUntil(lambda: len(served) == 2)
    turns.ask(first)
    qtbot.waitUntil(lambda: len(served) == 3)
    assert served == ["first", "second", "first"]


def test_a_view_may_ask_again_in_its_own_turn(qtbot: QtBot) -> None:
    parent = QObject()
    turns = ViewTurns(parent)
    served: list[int] = []

    def show() -> None:
        served.append(len(served))
        if len(served) < 3:
            turns.ask(show)

    turns.ask(show)
    qtbot.waitUntil(lambda: len(served) == 3)


def test_finish_serves_all_who_wait_at_once() -> None:
    parent = QObject()
    turns = ViewTurns(parent)
    served: list[str] = []
    turns.ask(lambda: served.append("one"))
    turns.ask(lambda: served.append("two"))
    turns.finish()
    assert served == ["one", "two"]
    turns.finish()
    assert served == ["one", "two"]


def test_hurry_serves_one_after_the_other_and_then_the_last(qtbot: QtBot) -> None:
    parent = QObject()
    turns = ViewTurns(parent)
    turns.begin()
    served: list[str] = []

    def one() -> None:
        served.append("one")
        turns.ask(lambda: served.append("asked by one"))

    turns.ask(one)
    turns.ask(lambda: served.append("two"))
    turns.hurry(lambda: served.append("last"))
    assert served == []
    qtbot.waitUntil(lambda: len(served) == 4)
    assert served == ["one", "two", "asked by one", "last"]


def test_hurried_views_share_a_turn_while_there_is_time(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr("tripscope_gui.view_turns.time.monotonic", lambda: clock[0])
    parent = QObject()
    turns = ViewTurns(parent)
    turns.begin()
    served: list[str] = []

    def show(name: str, took: float) -> Callable[[], None]:
        def shown() -> None:
            clock[0] += took
            served.append(name)
            # after a turn, and what was painted for it
            QTimer.singleShot(0, parent, lambda: served.append("painted"))

        return shown

    for name, took in (("one", 0.001), ("two", 0.1), ("three", 0.001)):
        turns.ask(show(name, took))
    turns.hurry(lambda: served.append("last"))
    qtbot.waitUntil(lambda: "last" in served)
    painted = "painted"
    assert served[:6] == ["one", "two", painted, painted, "three", "last"]


@pytest.mark.parametrize(("rest", "milliseconds"), [(REST, 20), (REPLAY_REST, 80)])
def test_views_rest_longer_in_a_run_whose_end_is_waited_for(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, rest: int, milliseconds: int
) -> None:
    clock = [0.0]
    monkeypatch.setattr("tripscope_gui.view_turns.time.monotonic", lambda: clock[0])
    parent = QObject()
    turns = ViewTurns(parent)
    turns.begin(rest)

    def show() -> None:
        clock[0] += 0.01

    turns.ask(show)
    turns.ask(lambda: None)
    timer = turns._timer
    qtbot.waitUntil(lambda: timer.isActive() and timer.interval() > 0)
    assert timer.interval() == milliseconds


def test_finish_after_hurry_serves_the_last_one_too() -> None:
    parent = QObject()
    turns = ViewTurns(parent)
    turns.begin()
    served: list[str] = []
    turns.ask(lambda: served.append("one"))
    turns.hurry(lambda: served.append("last"))
    turns.finish()
    assert served == ["one", "last"]
    assert not turns.on


class Slow:
    """A view that takes so many milliseconds of a clock that the test holds."""

    def __init__(self, clock: list[float], served: list[str], name: str, seconds: float) -> None:
        self._clock, self._served, self._name, self._seconds = clock, served, name, seconds

    def show(self) -> None:
        self._clock[0] += self._seconds
        self._served.append(self._name)


def test_hurried_views_share_a_turn_as_far_as_what_they_took_before_allows(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr("tripscope_gui.view_turns.time.monotonic", lambda: clock[0])
    parent = QObject()
    turns = ViewTurns(parent)
    turns.begin()
    served: list[str] = []
    views = [Slow(clock, served, name, 0.012) for name in "abc"]
    for view in views:
        turns.ask(view.show)
        qtbot.waitUntil(lambda: not turns.serving and not turns._waiting)
        clock[0] += 1  # its rest is over
    assert served == ["a", "b", "c"]
    served.clear()
    for view in views:
        turns.ask(view.show)
    turns.hurry(lambda: served.append("last"))
    assert turns.hurried
    turns._timer.stop()
    turns._serve()
    assert served == ["a", "b"], "a third one would take longer than two frames"
    qtbot.waitUntil(lambda: len(served) == 4)
    assert served == ["a", "b", "c", "last"]


async def test_work_in_a_thread_waits_until_hurried_views_are_shown(qapp: QApplication) -> None:
    parent = QObject()
    turns = ViewTurns(parent)
    turns.begin()
    told: list[str] = []

    async def work() -> None:
        await turns.shown()
        told.append("work")

    async def end() -> None:
        turns.ask(lambda: told.append("shown"))
        turns.hurry(turns.finish)
        await asyncio.sleep(0)
        turns.finish()

    await work()
    await asyncio.gather(end(), work())
    assert told == ["work", "shown", "work"]


class Told(QLabel):
    """Tells each time it is painted what it says then, and whether its turn is still on."""

    def __init__(self, turns: ViewTurns) -> None:
        super().__init__("before")
        self._turns = turns
        self.painted: list[tuple[str, bool]] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.append((self.text(), self._turns.serving))


def test_a_turn_lasts_until_what_it_asked_qt_to_paint_is_painted(qtbot: QtBot) -> None:
    parent = QObject()
    turns = ViewTurns(parent)
    label = Told(turns)
    qtbot.addWidget(label)
    label.show()
    qtbot.waitUntil(lambda: label.painted != [])
    turns.begin()
    longer = "after, and longer, so that it is laid out anew"
    turns.ask(lambda: label.setText(longer))
    turns.hurry(turns.finish)
    qtbot.waitUntil(lambda: not turns.on and not turns.serving)
    assert label.painted[-1] == (longer, True)
