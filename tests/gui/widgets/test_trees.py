"""The tree preset."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from pytestqt.qtbot import QtBot

from tripscope_gui.delegates.rows import SELECTION_BAR
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, Height
from tripscope_gui.widgets.trees import TreeView


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TreeView:
    tree = TreeView(theme, "Messages")
    qtbot.addWidget(tree)
    model = QStandardItemModel(tree)
    root = QStandardItem("message m1")
    root.appendRow(QStandardItem("part 0"))
    model.appendRow(root)
    model.appendRow(QStandardItem("message m2"))
    tree.setModel(model)
    tree.resize(200, 120)
    tree.show()
    return tree


def test_rows_have_the_height_of_table_rows(view: TreeView) -> None:
    first, second = view.model().index(0, 0), view.model().index(1, 0)
    assert view.visualRect(second).top() - view.visualRect(first).top() == Height.ROW
    assert view.accessibleName() == "Messages"


def test_bar_stands_left_of_the_indentation(view: TreeView) -> None:
    child = view.model().index(0, 0, view.model().index(0, 0))
    view.expandAll()
    view.setCurrentIndex(child)
    image = view.viewport().grab().toImage()
    y = view.visualRect(child).center().y()
    row = [image.pixelColor(x, y) for x in range(SELECTION_BAR + 2)]
    assert row[:SELECTION_BAR] == [DARK.accent] * SELECTION_BAR
    assert row[SELECTION_BAR] == DARK.sel


def test_keys_and_mouse_open_and_close(view: TreeView, qtbot: QtBot) -> None:
    root = view.model().index(0, 0)
    view.setCurrentIndex(root)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.isExpanded(root)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert not view.isExpanded(root)
    spot = view.visualRect(root).center()
    spot.setX(8)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert view.isExpanded(root)


def test_chevron_tells_that_there_is_more(view: TreeView) -> None:
    image = view.viewport().grab().toImage()

    def drawn(row: int) -> bool:
        top = view.visualRect(view.model().index(row, 0)).top()
        area = [(x, y) for x in range(2, 16) for y in range(top + 2, top + 18)]
        return any(image.pixelColor(x, y) != DARK.pane for x, y in area)

    assert drawn(0)
    assert not drawn(1)
