"""The pattern editor: one line, with a mark at the place of a syntax error."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from tripscope_gui.theme import Theme
from tripscope_gui.widgets.line_edges import edge
from tripscope_gui.widgets.pattern_edit import PatternEdit


def test_typing_tells_and_the_program_does_not(qtbot: QtBot, theme: Theme) -> None:
    edit = PatternEdit(theme, "pattern")
    qtbot.addWidget(edit)
    told: list[str] = []
    edit.edited.connect(told.append)
    edit.set_text("a+")
    assert told == []
    qtbot.keyClicks(edit, "b")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert told == ["ba+"]


def test_pasted_lines_become_one(qtbot: QtBot, theme: Theme) -> None:
    edit = PatternEdit(theme, "pattern")
    qtbot.addWidget(edit)
    lines = QMimeData()
    lines.setText("a\nb\r\nc")
    edit.insertFromMimeData(lines)
    assert edit.toPlainText() == "a\\nb\\nc"


def test_the_mark_stands_at_its_position_in_utf16_units(qtbot: QtBot, theme: Theme) -> None:
    edit = PatternEdit(theme, "pattern")
    qtbot.addWidget(edit)
    edit.set_text("😀a{2,1}")
    edit.set_error(3)
    [mark] = edit.extraSelections()
    assert mark.cursor.selectedText() == "{"
    edit.set_error(99)
    assert edit.extraSelections()[0].cursor.selectedText() == "}"
    edit.set_error(None)
    assert edit.extraSelections() == []


def test_a_pattern_begins_at_the_left_whatever_its_letters(qtbot: QtBot, theme: Theme) -> None:
    edit = PatternEdit(theme, "pattern")
    qtbot.addWidget(edit)
    edit.resize(400, 28)
    edit.show()
    edit.set_text("\u05d0\u05d1+[a-z]{2}(x|y)")
    edit.moveCursor(QTextCursor.MoveOperation.End)
    line = edit.document().firstBlock().layout().lineAt(0)
    # its end stands at its right, behind all else
    end = edge(line, edit.textCursor().position())
    assert end == pytest.approx(line.x() + line.naturalTextWidth())
    assert edit.cursorRect().left() < 200
