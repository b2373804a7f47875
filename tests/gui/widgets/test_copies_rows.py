"""Rows of every table and tree can be copied, as they are shown."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.support.window import finished, live, write_session
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.copies_rows import CopiesRows
from tripscope_gui.widgets.tables import TableView
from tripscope_gui.widgets.trees import TreeView

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def model() -> QStandardItemModel:
    made = QStandardItemModel(1, 3)
    made.setHorizontalHeaderLabels(["rule", "", "span"])
    for column, text in enumerate(("<b>mail</b>", "", "5\u201321")):
        made.setItem(0, column, QStandardItem(text))
    return made


@pytest.mark.parametrize("kind", [TableView, TreeView])
def test_a_row_as_text_and_as_json(
    qtbot: QtBot, theme: Theme, kind: type[TableView] | type[TreeView]
) -> None:
    view = kind(theme, "rows")
    qtbot.addWidget(view)
    rows = model()
    view.setModel(rows)
    QGuiApplication.clipboard().setText("before")
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "before"
    view.setCurrentIndex(rows.index(0, 0))
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "<b>mail</b>\t5\u201321"
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL | SHIFT)
    told = json.loads(QGuiApplication.clipboard().text())
    assert told == {"rule": "<b>mail</b>", "column 2": "", "span": "5\u201321"}


def test_the_menu_offers_both(qtbot: QtBot, theme: Theme) -> None:
    view = TableView(theme, "rows")
    qtbot.addWidget(view)
    rows = model()
    view.setModel(rows)
    view.setCurrentIndex(rows.index(0, 0))
    assert view.contextMenuPolicy() == Qt.ContextMenuPolicy.ActionsContextMenu
    text, as_json = view.actions()
    assert (text.text(), as_json.text()) == (
        "Copy row as text\tCtrl+C",
        "Copy row as JSON\tCtrl+Shift+C",
    )
    as_json.trigger()
    assert json.loads(QGuiApplication.clipboard().text())["rule"] == "<b>mail</b>"
    text.trigger()
    assert QGuiApplication.clipboard().text().startswith("<b>mail</b>")


def test_no_table_of_the_window_is_without(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await window.documents.open(write_session(tmp_path))
        await finished(window, lambda: window.context.actions.trigger("run.start"))
        copied = []
        for pane in window.work.grid.panes:
            window.context.show_pane(pane.TITLE)
            for view in (*pane.findChildren(TableView), *pane.findChildren(TreeView)):
                rows = view.model()
                if not view.isVisible() or not rows.rowCount():
                    continue
                assert isinstance(view, CopiesRows)
                view.setCurrentIndex(rows.index(0, 0))
                view.copy_row(as_json=True)
                told = json.loads(QGuiApplication.clipboard().text())
                assert any(told.values()), pane.TITLE
                copied.append(pane.TITLE)
        assert {"Findings", "Messages", "Runs", "Rules", "State"} <= set(copied)

    live(qapp, theme, drive)
