"""Tab goes through the window as it is read, and where it is can be seen."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.support.window import finished, live, until, write_session
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.tab_order import move_focus, tab_stops


async def opened(window: MainWindow, folder: Path) -> None:
    window.activateWindow()
    await until(window.isActiveWindow)
    window.documents.open_session(write_session(folder))
    await finished(window, window.context.runs.start)


def named(window: MainWindow, name: str) -> QWidget:
    [found] = [w for w in tab_stops(window) if w.accessibleName() == name]
    return found


def tab(window: MainWindow, *, back: bool = False) -> QWidget:
    focused = QApplication.focusWidget() or window
    QTest.keyClick(focused, Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab)
    now = window.focusWidget()
    assert now is not None
    return now


def test_tab_goes_on_in_what_is_read_next(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def drive(window: MainWindow) -> None:
        await opened(window, tmp_path)
        named(window, "Filter of the chunks").setFocus()
        names = [tab(window).accessibleName() for _ in range(6)]
        assert names == ["changed", "held", "not edge", "+ chip", "follow", "Chunks"]
        assert tab(window, back=True).accessibleName() == "follow"

    live(qapp, theme, drive)


def test_all_of_the_window_is_gone_through_once_in_both_ways(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await opened(window, tmp_path)
        stops = tab_stops(window)
        stops[-1].setFocus()
        went = [tab(window) for _ in stops]
        assert went == stops
        assert [tab(window, back=True) for _ in stops] == [*reversed(stops[:-1]), stops[-1]]

    live(qapp, theme, drive)


def test_tab_goes_on_from_what_takes_no_tab(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await opened(window, tmp_path)
        window.work.setFocus()
        now = tab(window)
        assert window.work.isAncestorOf(now)
        assert now is next(stop for stop in tab_stops(window) if window.work.isAncestorOf(stop))

    live(qapp, theme, drive)


def test_the_keyboard_is_seen_wherever_it_is(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await opened(window, tmp_path)
        unseen = []
        for stop in tab_stops(window):
            window.work.setFocus()
            place = stop.rect().translated(stop.mapTo(window, QPoint()))
            if not isinstance(stop, QAbstractButton):
                # the dock around it is lit too
                place = place.adjusted(-3, -30, 3, 3)
            before = window.grab(place).toImage()
            stop.setFocus(Qt.FocusReason.TabFocusReason)
            if window.grab(place).toImage() == before:
                unseen.append(stop.accessibleName() or type(stop).__name__)
        assert unseen == []

    live(qapp, theme, drive)


def test_what_has_no_height_is_gone_over_and_one_stop_is_reached_in_both_ways(
    qtbot: QtBot,
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 200)
    flat, button = QPushButton(window), QPushButton(window)
    flat.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    flat.setGeometry(0, 0, 50, 0)
    button.setGeometry(0, 20, 50, 20)
    window.show()
    assert tab_stops(window) == [button]
    for forward in (True, False):
        button.clearFocus()
        assert move_focus(window, forward=forward)
        assert window.focusWidget() is button
