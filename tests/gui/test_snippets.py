"""A Mastra snippet becomes a session or part of the chain; the chain becomes code again."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown as show
from tests.support.window import finished, live, until, write_session
from tripscope.session.typescript import parse_snippet
from tripscope_gui.main_window import MainWindow
from tripscope_gui.snippet_view import SnippetDialog, SnippetView
from tripscope_gui.theme import Theme

SNIPPET = """new RegexFilterProcessor({
  presets: ['pii'],
  rules: [{ name: 'order-id', pattern: /ORD-\\d{6}/g, replacement: '[ORDER_ID]' }],
  strategy: 'redact',
})"""


def test_what_was_read_is_told(qtbot: QtBot, theme: Theme) -> None:
    view = SnippetView(theme)
    show(view, qtbot)
    assert not view.make.isEnabled()
    view.edit.setPlainText(SNIPPET)
    view.read()
    assert view.title.text() == "✓ 1 processor, 5 rules"
    assert view.names.accessibleName() == "rules: email, phone, ssn, credit-card, order-id"
    assert view.notes.text() == "phase not given, so it is all"
    assert view.make.isEnabled()


def test_what_cannot_be_read_is_marked(qtbot: QtBot, theme: Theme) -> None:
    view = SnippetView(theme)
    show(view, qtbot)
    view.edit.setPlainText("// 💳\n" + SNIPPET.replace("'pii'],", "'pii',"))
    view.read()
    assert view.title.text().startswith("✕ line 4, column 8")
    assert view.notes.text()
    assert not view.make.isEnabled()
    [mark] = view.edit.extraSelections()
    assert mark.cursor.block().text().startswith("  rules:")
    assert mark.cursor.selectedText() == ":"
    view.edit.setPlainText("")
    view.read()
    assert view.edit.extraSelections() == []


def test_a_snippet_on_the_start_page_becomes_a_session_that_runs(
    qapp: QApplication, theme: Theme
) -> None:
    async def test(window: MainWindow) -> None:
        view = window.start_page.snippet
        view.edit.setPlainText(SNIPPET)
        await until(lambda: view.make.isEnabled())
        view.make.click()
        await until(lambda: window.context.session.session is not None)
        session = window.context.session.session
        assert session is not None
        assert [rule.name for rule in session.chain[0].rules] == ["order-id"]
        assert window.context.session.dirty
        run = await finished(window, lambda: window.context.actions.trigger("run.start"))
        assert run.store.status == "changed"
        window.context.session.undo_stack.setClean()

    live(qapp, theme, test)


def test_processors_are_added_to_the_chain_and_copied_out(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        context = window.context
        window.documents.open_session(write_session(tmp_path))
        QApplication.clipboard().setText(SNIPPET)
        assert context.actions.trigger("rules.paste")
        dialog = window.findChild(SnippetDialog)
        assert isinstance(dialog, SnippetDialog)
        assert not dialog.isModal()
        dialog.view.read()
        dialog.view.add.click()
        assert context.session.session is not None
        assert [spec.id for spec in context.session.session.chain] == ["pii", "regex-filter"]
        assert context.actions.trigger("rules.copy_typescript")
        back = parse_snippet(QApplication.clipboard().text()).processors
        assert {spec.id for spec in back} == {"pii", "regex-filter"}
        assert context.actions.trigger("chain.copy_json")
        assert len(json.loads(QApplication.clipboard().text())) == 2
        assert context.actions.trigger("chain.copy_python")
        compile(QApplication.clipboard().text(), "chain", "exec")
        context.session.undo_stack.undo()
        assert len(context.session.session.chain) == 1
        assert not context.session.dirty

    live(qapp, theme, test)
