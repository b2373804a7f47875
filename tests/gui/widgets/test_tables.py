"""The table preset: what it draws, how it is used, what it never does."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHeaderView
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors
from tests.support.paints import Paints
from tripscope_gui.delegates.rows import SELECTION_BAR, CellRole
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, LIGHT, Height
from tripscope_gui.widgets.tables import TableView


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TableView:
    table = TableView(theme, "Findings")
    qtbot.addWidget(table)
    model = QStandardItemModel(4, 3, table)
    for row in range(4):
        for column in range(3):
            model.setItem(row, column, QStandardItem(f"r{row}c{column}"))
    table.setModel(model)
    table.set_column_widths([90, 90, 90])
    table.resize(300, 150)
    table.show()
    return table


def cell(view: TableView, row: int, column: int) -> QImage:
    index = view.model().index(row, column)
    image: QImage = view.viewport().grab(view.visualRect(index)).toImage()
    return image


def item(view: TableView, row: int, column: int) -> QStandardItem:
    model = view.model()
    assert isinstance(model, QStandardItemModel)
    return model.item(row, column)


def test_rows_have_one_height_and_nothing_is_measured_by_content(view: TableView) -> None:
    assert [view.rowHeight(row) for row in range(4)] == [Height.ROW] * 4
    assert view.horizontalHeader().height() == Height.TABLE_HEAD
    header = view.horizontalHeader()
    for column in range(3):
        assert header.sectionResizeMode(column) != QHeaderView.ResizeMode.ResizeToContents
    view.set_column_widths([60, 60, 60], stretch=2)
    assert header.sectionResizeMode(2) == QHeaderView.ResizeMode.Stretch
    assert view.accessibleName() == "Findings"


def test_selection_is_ground_and_bar_at_the_left(view: TableView, qtbot: QtBot) -> None:
    rect = view.visualRect(view.model().index(1, 1))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert {index.row() for index in view.selectedIndexes()} == {1}
    first = cell(view, 1, 0)
    assert [first.pixelColor(x, 5) for x in range(SELECTION_BAR)] == [DARK.accent] * SELECTION_BAR
    assert first.pixelColor(SELECTION_BAR + 1, 1) == DARK.sel
    assert cell(view, 1, 1).pixelColor(1, 5) == DARK.sel
    assert cell(view, 0, 0).pixelColor(1, 5) == DARK.pane


def test_keys_move_the_selection_and_tab_leaves(view: TableView, qtbot: QtBot) -> None:
    view.setFocus()
    view.selectRow(0)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert {index.row() for index in view.selectedIndexes()} == {1}
    assert not view.tabKeyNavigation()


def test_rows_are_parted_by_one_line_and_columns_by_none(view: TableView) -> None:
    image = cell(view, 0, 2)
    low = image.height() - 1
    assert {image.pixelColor(x, low).name() for x in range(image.width())} == {DARK.line.name()}
    assert image.pixelColor(image.width() - 1, 3) == DARK.pane


def test_marks_stand_before_the_text(view: TableView) -> None:
    item(view, 0, 0).setData("blocked", CellRole.OUTCOME)
    item(view, 0, 1).setData(1, CellRole.RULE)
    item(view, 0, 2).setData("warning", CellRole.ICON)
    item(view, 0, 2).setData("flagged", CellRole.TONE)
    assert DARK.outcome("blocked").name() in colors(cell(view, 0, 0))
    assert {DARK.rule(1).name(), DARK.rule_tint(1).name()} <= colors(cell(view, 0, 1))
    assert DARK.outcome("flagged").name() in colors(cell(view, 0, 2))


def test_ground_and_check_box(view: TableView) -> None:
    item(view, 2, 0).setData("tint_violet", CellRole.GROUND)
    assert cell(view, 2, 0).pixelColor(1, 1) == DARK.tint_violet
    item(view, 2, 1).setData(Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    assert DARK.accent_fill.name() in colors(cell(view, 2, 1))
    item(view, 2, 1).setData(Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert DARK.accent_fill.name() not in colors(cell(view, 2, 1))


def text_columns(image: QImage) -> list[int]:
    return [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y) != DARK.pane for y in range(2, image.height() - 3))
    ]


def test_numbers_align_right(view: TableView) -> None:
    left = text_columns(cell(view, 3, 1))
    item(view, 3, 1).setData(Qt.AlignmentFlag.AlignRight, Qt.ItemDataRole.TextAlignmentRole)
    right = text_columns(cell(view, 3, 1))
    assert left[0] < 12
    assert right[0] > 45
    assert 90 - 12 < right[-1] < 90 - 5


def test_long_text_stays_inside_its_cell(view: TableView) -> None:
    neighbour = cell(view, 3, 1)
    item(view, 3, 0).setText("<b>long</b>\ud83d\n" * 50_000)
    assert text_columns(cell(view, 3, 0))[-1] < 90 - 5
    assert cell(view, 3, 1) == neighbour


def test_theme_switch_repaints(view: TableView, theme: Theme) -> None:
    theme.set_mode("light")
    assert cell(view, 0, 0).pixelColor(1, 3) == LIGHT.pane


def test_rows_that_came_are_painted_once(view: TableView) -> None:
    paints = Paints(view.viewport())
    paints.settle()
    paints.count = 0
    model = view.model()
    assert isinstance(model, QStandardItemModel)
    model.insertRow(4, QStandardItem("one more"))
    view.viewport().update()
    paints.settle()
    assert paints.count == 1


def test_check_box_is_toggled_by_mouse_and_space(view: TableView, qtbot: QtBot) -> None:
    box = item(view, 0, 0)
    box.setCheckable(True)
    rect: QRect = view.visualRect(box.index())
    spot = rect.topLeft() + QRect(7, 4, 13, 13).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert box.checkState() == Qt.CheckState.Checked
    view.setCurrentIndex(box.index())
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert box.checkState() == Qt.CheckState.Unchecked
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert box.checkState() == Qt.CheckState.Unchecked


@pytest.fixture
def long(view: TableView) -> TableView:
    model = view.model()
    assert isinstance(model, QStandardItemModel)
    model.setRowCount(100)
    # five rows and a part of one
    view.resize(300, Height.TABLE_HEAD + 5 * Height.ROW + 9)
    return view


def in_view(view: TableView, row: int) -> bool:
    top = view.rowViewportPosition(row)
    return top >= 0 and top + Height.ROW <= view.viewport().height()


def test_no_row_is_cut_at_the_top_where_the_table_went_by_itself(long: TableView) -> None:
    long.setCurrentIndex(long.model().index(0, 0))
    for row in (3, 5, 6, 40, 41, 39, 90, 7, 0, 98):
        long.setCurrentIndex(long.model().index(row, 0))
        assert in_view(long, row)
        assert long.verticalScrollBar().value() % Height.ROW == 0, row
    long.setCurrentIndex(long.model().index(99, 0))
    assert in_view(long, 99), "the last row is in view, whatever that cuts"


def test_the_current_row_stays_in_view_when_the_table_gets_lower(
    long: TableView, qtbot: QtBot
) -> None:
    long.setCurrentIndex(long.model().index(4, 0))
    long.resize(300, Height.TABLE_HEAD + 3 * Height.ROW + 9)
    assert in_view(long, 4)
    long.verticalScrollBar().setValue(50 * Height.ROW)
    long.resize(300, Height.TABLE_HEAD + 2 * Height.ROW)
    assert long.verticalScrollBar().value() == 50 * Height.ROW, "it was scrolled away by hand"


def test_the_row_that_is_clicked_is_selected_although_whoever_hears_of_it_scrolls(
    long: TableView, qtbot: QtBot
) -> None:
    long.selectionModel().currentChanged.connect(lambda now, _before: long.scrollTo(now))
    # the sixth row is in view by nine pixels
    place = long.visualRect(long.model().index(5, 0)).topLeft() + QPoint(20, 4)
    qtbot.mouseClick(long.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert long.currentIndex().row() == 5
    assert {index.row() for index in long.selectedIndexes()} == {5}
    assert in_view(long, 5)
    long.setCurrentIndex(long.model().index(50, 0))
    assert in_view(long, 50), "it is let go of"


def test_a_table_that_a_click_hides_goes_on_following_the_current_row(
    long: TableView, qtbot: QtBot
) -> None:
    place = long.visualRect(long.model().index(1, 0)).center()
    qtbot.mousePress(long.viewport(), Qt.MouseButton.LeftButton, pos=place)
    long.hide()
    long.show()
    long.setCurrentIndex(long.model().index(50, 0))
    assert in_view(long, 50)
