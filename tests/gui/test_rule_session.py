"""A session of rules is made from nothing in the window, and saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from tests.support.window import live, until, write_session
from tripscope.session.file import load_session
from tripscope.session.model import ProcessorSpec, SessionRule
from tripscope_gui.main_window import MainWindow
from tripscope_gui.models.rule_table import NAME
from tripscope_gui.panes.chain import ChainPane
from tripscope_gui.panes.pattern import PatternPane
from tripscope_gui.panes.rules import RulesPane
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.reorder_table import ReorderTable


def lab_pane(window: MainWindow, title: str) -> QWidget:
    return next(p for p in window.work.rule_lab.grid.panes if title == p.TITLE)


def chain(window: MainWindow) -> list[ProcessorSpec]:
    session = window.context.session.session
    assert session is not None
    return session.chain


def rules(window: MainWindow) -> list[SessionRule]:
    return chain(window)[0].rules


def drag(table: ReorderTable, source: int, target: int) -> None:
    """Drop a row in front of another one."""
    table.setCurrentIndex(table.model().index(source, NAME))
    rect = table.visualRect(table.model().index(target, NAME))
    event = QDropEvent(
        QPointF(rect.center().x(), rect.top() + 2),
        Qt.DropAction.MoveAction,
        QMimeData(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    table.dropEvent(event)


def typed(edit: QWidget, text: str) -> None:
    edit.setFocus()
    edit.selectAll()  # type: ignore[attr-defined]
    QTest.keyClicks(edit, text)


def test_from_an_empty_session_to_a_file(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "mine"

    async def save_path(*_words: object) -> Path:
        return target

    monkeypatch.setattr("tripscope_gui.dialogs.save_path", save_path)

    async def test(window: MainWindow) -> None:
        session, actions = window.context.session, window.context.actions
        actions.trigger("file.new")
        await until(lambda: session.session is not None)
        assert chain(window) == []
        actions.trigger("view.rule_lab")
        table, form = lab_pane(window, "Rules"), lab_pane(window, "Pattern")
        assert isinstance(table, RulesPane)
        assert isinstance(form, PatternPane)
        table.add.click()
        typed(form.form.name, "order")
        typed(form.form.pattern, r"ORD-(\d+)")
        typed(form.form.replacement, "[$1]")
        typed(form.form.note, "ours")
        form.form.flags.buttons["i"].click()
        form.form.swatches.picked.emit(3)
        wanted = SessionRule(
            name="order",
            pattern=r"ORD-(\d+)",
            flags="gi",
            replacement="[$1]",
            colour=3,
            note="ours",
        )
        assert rules(window) == [wanted]
        table.add.click()
        assert [rule.name for rule in rules(window)] == ["order", "new-rule"]
        drag(table.table, 2, 1)
        assert [rule.name for rule in rules(window)] == ["new-rule", "order"]
        for _ in range(2):
            session.undo_stack.undo()
        assert rules(window) == [wanted]
        for _ in range(2):
            session.undo_stack.redo()
        assert [rule.name for rule in rules(window)] == ["new-rule", "order"]
        actions.trigger("file.save_as")
        await until(lambda: session.path is not None)
        assert session.path == tmp_path / "mine.tripscope.json"
        assert not session.dirty
        assert "mine" in window.windowTitle()
        assert load_session(session.path).chain == chain(window)

    live(qapp, theme, test)


def test_strategy_and_phase_are_set_by_form_and_undone(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        window.context.actions.trigger("view.rule_lab")
        pane = lab_pane(window, "Chain")
        assert isinstance(pane, ChainPane)
        window.context.show_pane("Chain")
        before = dict(chain(window)[0].options)
        for key, value in (("strategy", "warn"), ("phase", "output")):
            editor = pane.form.editors[key]
            assert isinstance(editor, QComboBox)
            editor.setFocus()
            QTest.keyClick(editor, Qt.Key.Key_Home)
            for _ in range(editor.findText(value)):
                QTest.keyClick(editor, Qt.Key.Key_Down)
        assert chain(window)[0].options["strategy"] == "warn"
        assert chain(window)[0].options["phase"] == "output"
        drag_to = len(chain(window))
        pane.add_kind("unicode-normalizer")
        drag(pane.table, drag_to, 0)
        assert [spec.type for spec in chain(window)] == ["unicode-normalizer", "regex-filter"]
        while window.context.session.undo_stack.canUndo():
            window.context.session.undo_stack.undo()
        assert [spec.type for spec in chain(window)] == ["regex-filter"]
        assert chain(window)[0].options == before
        assert not window.context.session.dirty

    live(qapp, theme, test)


def test_of_two_rules_with_one_name_each_is_edited(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    own = [{"name": "x", "pattern": "first"}, {"name": "x", "pattern": "second"}]

    async def test(window: MainWindow) -> None:
        spec = {"id": "f", "type": "regex-filter", "options": {"strategy": "redact"}, "rules": own}
        window.documents.open_session(write_session(tmp_path, chain=[spec]))
        window.context.actions.trigger("view.rule_lab")
        table, form = lab_pane(window, "Rules"), lab_pane(window, "Pattern")
        assert isinstance(table, RulesPane)
        assert isinstance(form, PatternPane)
        table.table.setCurrentIndex(table.model.index(2, NAME))
        assert form.form.pattern.toPlainText() == "second"
        assert "Another rule has this name" in form.form.notice.accessibleName()
        typed(form.form.pattern, "other")
        assert [rule.pattern for rule in rules(window)] == ["first", "other"]
        typed(form.form.name, "y")
        assert [rule.name for rule in rules(window)] == ["x", "y"]
        # on the way to a longer name it is that of another rule for a moment
        typed(form.form.name, "xyz")
        assert [rule.name for rule in rules(window)] == ["x", "xyz"]
        assert not form.form.notice.isVisible()

    live(qapp, theme, test)
