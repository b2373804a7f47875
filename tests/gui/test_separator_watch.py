"""Docks keep the sizes that a person gave them, in each arrangement of the window."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

from tests.support.window import finished, live, until, write_session
from tripscope_gui.main_window import MainWindow
from tripscope_gui.pane_grid import PaneGrid
from tripscope_gui.settings import Settings
from tripscope_gui.theme import Theme

Arrangement = Callable[[MainWindow], tuple[QMainWindow, QDockWidget]]


def run_view(window: MainWindow) -> tuple[QMainWindow, QDockWidget]:
    grid = window.work.grid
    return grid, grid.docks["middle-left"]


def rule_lab(window: MainWindow) -> tuple[QMainWindow, QDockWidget]:
    if not window.work.in_lab:
        window.context.actions.trigger("view.rule_lab")
    grid = window.work.rule_lab.grid
    return grid, grid.docks["lab-top"]


def compare(window: MainWindow) -> tuple[QMainWindow, QDockWidget]:
    if not window.work.comparing:
        window.context.actions.trigger("run.compare")
    grid = window.work.compare_area.grid
    return grid, grid.docks["middle-left"]


async def settled(dock: QDockWidget) -> None:
    """Wait until the layout has given a dock its size."""
    seen: list[int] = []

    def same() -> bool:
        seen.append(dock.width())
        return len(seen) > 30 and len(set(seen[-30:])) == 1

    await until(same)


def line_beside(grid: QMainWindow, dock: QDockWidget) -> list[QPoint]:
    """Points on the line right of a dock."""
    right, middle = dock.geometry().right(), dock.geometry().center().y()
    points = [QPoint(x, middle) for x in range(right, right + 12)]
    return [point for point in points if grid.isSeparator(point)]


async def drag(grid: QMainWindow, dock: QDockWidget, by: int) -> None:
    """Move the line right of a dock by that many logical pixels, as with the mouse."""
    left = Qt.MouseButton.LeftButton
    await until(lambda: line_beside(grid, dock))
    (at, *_) = line_beside(grid, dock)
    QTest.mousePress(grid, left, Qt.KeyboardModifier.NoModifier, at)
    for step in range(1, 11):
        QTest.mouseMove(grid, at + QPoint(by * step // 10, 0))
        # the layout follows the mouse by a timer of its own
        await asyncio.sleep(0.02)
    QTest.mouseRelease(grid, left, Qt.KeyboardModifier.NoModifier, at + QPoint(by, 0))


@pytest.mark.parametrize(
    ("arrangement", "key"),
    [(run_view, "docks/wide"), (rule_lab, "docks/lab"), (compare, "docks/compare")],
)
def test_sizes_of_docks_are_kept_for_the_next_start(
    qapp: QApplication, theme: Theme, tmp_path: Path, arrangement: Arrangement, key: str
) -> None:
    settings = Settings.in_memory()
    path = write_session(tmp_path)
    widths: list[int] = []

    async def ready(window: MainWindow) -> tuple[QMainWindow, QDockWidget]:
        await window.documents.open(path)
        await finished(window, lambda: window.context.actions.trigger("run.start"))
        await finished(window, lambda: window.context.actions.trigger("run.replay"))
        grid, dock = arrangement(window)
        await settled(dock)
        return grid, dock

    async def arrange(window: MainWindow) -> None:
        grid, dock = await ready(window)
        widths.append(dock.width())
        assert settings.bytes(key) is None
        await drag(grid, dock, -60)
        await until(lambda: settings.bytes(key) is not None)
        await settled(dock)
        widths.append(dock.width())
        assert widths[1] < widths[0] - 30

    async def look(window: MainWindow) -> None:
        _grid, dock = await ready(window)
        await until(lambda: abs(dock.width() - widths[1]) <= 2)
        window.resize(window.width() - 40, window.height())
        assert abs(dock.width() - widths[0]) > 20
        window.work.reset_docks()
        assert settings.bytes(key) is None
        window.resize(window.width() + 40, window.height())
        await until(lambda: abs(dock.width() - widths[0]) <= 2)

    live(qapp, theme, arrange, settings=settings)
    live(qapp, theme, look, settings=settings)


@pytest.mark.qt_log_ignore("does not support propagateSizeHints", "does not support raise")
@pytest.mark.parametrize(
    ("arrangement", "key"),
    [(run_view, "docks/wide"), (rule_lab, "docks/lab"), (compare, "docks/compare")],
)
def test_docks_that_were_put_back_are_not_kept_as_a_persons(
    qapp: QApplication, theme: Theme, tmp_path: Path, arrangement: Arrangement, key: str
) -> None:
    settings = Settings.in_memory()
    path = write_session(tmp_path)

    async def drive(window: MainWindow) -> None:
        await window.documents.open(path)
        await finished(window, lambda: window.context.actions.trigger("run.start"))
        await finished(window, lambda: window.context.actions.trigger("run.replay"))
        grid, dock = arrangement(window)
        assert isinstance(grid, PaneGrid)
        await settled(dock)
        dock.setFloating(True)
        await until(lambda: settings.bytes(key) is not None)
        assert settings.bytes(key) == grid.state()
        assert grid.custom
        window.work.reset_docks()
        assert not dock.isFloating()
        assert not grid.custom
        await asyncio.sleep(0.01)
        assert settings.bytes(key) is None

    live(qapp, theme, drive, settings=settings)
