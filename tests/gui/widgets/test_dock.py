"""Docks: pages and focus."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK
from tripscope_gui.widgets.dock import Dock


def test_dock_shows_pages_and_where_the_focus_is(theme: Theme, qtbot: QtBot) -> None:
    window = QMainWindow()
    other = QLineEdit()
    window.setCentralWidget(other)
    dock = Dock(theme, "findings", "Findings")
    first, second = QLineEdit(), QWidget()
    inner = QVBoxLayout(second)
    field = QLineEdit()
    inner.addWidget(field)
    dock.add_page("Findings", first)
    dock.add_page("Runs", second, "7")
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(600, 300)
    shown(window, qtbot)
    other.setFocus()
    assert DARK.accent.name() not in edge_colors(dock)
    dock.show_page(1)
    assert (dock.current, dock.page(1)) == (1, second)
    field.setFocus()
    assert edge_colors(dock) == {DARK.accent.name()}


def edge_colors(dock: Dock) -> set[str]:
    image = dock.grab().toImage()
    return {image.pixelColor(QPoint(0, y)).name() for y in (10, image.height() - 10)} | {
        image.pixelColor(QPoint(image.width() // 2, image.height() - 1)).name()
    }
