"""Views take turns: one at a time while a run is at work."""

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tripscope_gui.view_turns import ViewTurns


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
