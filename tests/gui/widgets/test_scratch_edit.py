"""A text that is typed in stays the text it was, whatever Qt can show of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown as show
from tripscope_gui.store.point_spans import TextSpan
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.scratch_edit import ScratchEdit


@pytest.fixture
def edit(qtbot: QtBot, theme: Theme) -> ScratchEdit:
    edit = ScratchEdit(theme, "scratch")
    edit.resize(400, 200)
    show(edit, qtbot)
    return edit


def test_typing_changes_the_text_and_moves_the_spans(edit: ScratchEdit) -> None:
    texts: list[str] = []
    edit.typed.connect(texts.append)
    edit.show_text("💳 one\x00\ud83d two\nthree", editable=True)
    edit.set_spans([TextSpan(3, 6, "match", "a", 0), TextSpan(15, 18, "match", "b", 1)])
    edit.set_caret(6)
    QTest.keyClicks(edit, "XY")
    assert edit.text() == "💳 oneXY\x00\ud83d two\nthree"
    assert texts[-1] == edit.text()
    assert [(s.start, s.end) for s in edit.spans] == [(3, 6), (17, 20)]
    cursor = edit.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    edit.setTextCursor(cursor)
    edit.insertPlainText("\n!")
    assert edit.text().endswith("three\n!")
    assert edit.offset_of(edit.textCursor().position()) == edit.length


def test_all_of_it_can_be_replaced(edit: ScratchEdit) -> None:
    edit.show_text("one\ntwo", editable=True)
    edit.selectAll()
    QTest.keyClicks(edit, "z")
    assert edit.text() == "z"
    edit.undo()
    assert edit.text() == "one\ntwo"


def test_a_text_with_endless_lines_can_be_pasted_and_read(edit: ScratchEdit) -> None:
    edit.show_text("", editable=True)
    data = QMimeData()
    data.setText("word " * 2000)
    edit.insertFromMimeData(data)
    assert edit.text() == "word " * 2000
    assert edit.isReadOnly()
    edit.show_text("short", editable=True)
    assert not edit.isReadOnly()


def test_what_is_not_to_be_edited_is_not(edit: ScratchEdit) -> None:
    edit.show_text("one", editable=False)
    QTest.keyClicks(edit, "x")
    assert edit.text() == "one"


def test_matches_of_a_rule_with_an_error_are_paler(edit: ScratchEdit) -> None:
    edit.show_text("mmmm", editable=True)
    edit.set_spans([TextSpan(0, 4, "match", "a", 0)])
    bright = edit.viewport().grab().toImage()
    edit.set_dimmed({"a"})
    assert edit.viewport().grab().toImage() != bright
    edit.set_dimmed(())
    assert edit.viewport().grab().toImage() == bright


@pytest.mark.parametrize("typed", ["X", "\N{CREDIT CARD}", "\n", "\b\b"])
def test_what_was_typed_can_be_gone_on_with(edit: ScratchEdit, typed: str) -> None:
    edit.show_text("one\ntwo", editable=True)
    edit.moveCursor(QTextCursor.MoveOperation.End)
    if typed == "\b\b":
        edit.textCursor().deletePreviousChar()
        edit.moveCursor(QTextCursor.MoveOperation.End)
        edit.textCursor().deletePreviousChar()
    else:
        edit.insertPlainText(typed)
    text = edit.text()
    edit.show_text(text + "more\nand more", editable=True)
    assert edit.text() == text + "more\nand more"
    assert edit.toPlainText() == edit.text()
    assert edit.offset_of(edit.document().characterCount() - 1) == edit.length


def test_marks_of_direction_stay_in_a_text_that_was_only_read_before(edit: ScratchEdit) -> None:
    text = "ab \u202e cd"
    edit.show_text(text, editable=False)
    assert "\u202e" not in edit.toPlainText()
    edit.show_text(text, editable=True)
    edit.selectAll()
    edit.insertPlainText("x")
    edit.undo()
    assert edit.text() == text
    edit.show_text(text, editable=False)
    assert "\u202e" not in edit.toPlainText()
