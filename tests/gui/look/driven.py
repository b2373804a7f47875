"""A whole window with a hand on it, for tests that drive it by mouse and keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QApplication

from tests.gui.look.hand import Hand
from tests.gui.look.tour_sessions import example
from tests.support.window import live
from tripscope_gui.main_window import MainWindow
from tripscope_gui.shot import show_run
from tripscope_gui.theme import Theme

Drive = Callable[[Hand], Awaitable[None]]


def by_hand(qapp: QApplication, theme: Theme, drive: Drive) -> None:
    """Show an empty window that has the keyboard, drive it, close it."""

    async def test(window: MainWindow) -> None:
        hand = Hand(window)
        await hand.begin()
        await drive(hand)

    live(qapp, theme, test)


def in_example(qapp: QApplication, theme: Theme, name: str, drive: Drive) -> None:
    """Drive a window that shows a run of a shipped example."""

    async def begun(hand: Hand) -> None:
        await show_run(hand.window, example(name))
        await drive(hand)

    by_hand(qapp, theme, begun)
