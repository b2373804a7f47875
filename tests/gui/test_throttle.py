from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tripscope_gui.throttle import Throttle


def test_the_first_call_is_made_at_once_and_the_last_one_is_never_lost(qtbot: QtBot) -> None:
    calls: list[int] = []
    asked: list[int] = []
    owner = QObject()
    throttle = Throttle(lambda: calls.append(len(asked)), 30, owner)
    for number in range(19):
        asked.append(number)
        throttle.ask()
    assert calls == [1]
    qtbot.waitUntil(lambda: len(calls) > 1)
    assert calls == [1, 19]


def test_what_was_asked_for_can_be_forgotten(qtbot: QtBot) -> None:
    calls: list[None] = []
    owner = QObject()
    throttle = Throttle(lambda: calls.append(None), 30, owner)
    throttle.ask()
    throttle.ask()
    throttle.cancel()
    assert not throttle._timer.isActive()
    assert len(calls) == 1
