"""The Chain pane: every edit of the chain, each of which can be undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown as show
from tests.support.window import make_context, session_wire
from tripscope.processors import BUILT_INS
from tripscope.session.model import ProcessorSpec, Session
from tripscope_gui.context import PaneContext
from tripscope_gui.panes.chain import ChainPane
from tripscope_gui.theme import Theme


@pytest.fixture
def context(theme: Theme) -> PaneContext:
    context = make_context(theme)
    wire = session_wire()
    wire["chain"] += [{"id": "norm", "type": "unicode-normalizer"}]  # type: ignore[operator]
    context.session.take(Session.model_validate(wire))
    return context


@pytest.fixture
def pane(qtbot: QtBot, context: PaneContext) -> ChainPane:
    pane = ChainPane(context)
    pane.resize(640, 400)
    show(pane, qtbot)
    return pane


def chain(context: PaneContext) -> list[ProcessorSpec]:
    assert context.session.session is not None
    return context.session.session.chain


def ids(context: PaneContext) -> list[str]:
    return [spec.id for spec in chain(context)]


def test_processors_are_added_moved_switched_and_removed(
    pane: ChainPane, context: PaneContext, qtmodeltester: object
) -> None:
    qtmodeltester.check(pane.model)  # type: ignore[attr-defined]
    names = [action.text() for action in pane.add.menu().actions()]
    assert len(names) == len(BUILT_INS)
    action = next(a for a in pane.add.menu().actions() if a.text() == "Answer Check")
    action.trigger()
    assert ids(context) == ["pii", "answer-check", "norm"], "behind the selected one"
    pane.table.setFocus()
    QTest.keyClick(pane.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert ids(context) == ["pii", "norm", "answer-check"]
    pane.table.row_dropped.emit(2, 0)
    assert ids(context) == ["answer-check", "pii", "norm"]
    QTest.keyClick(pane.table, Qt.Key.Key_Space)
    assert not chain(context)[0].enabled
    pane.remove.click()
    assert ids(context) == ["pii", "norm"]
    while context.session.undo_stack.canUndo():
        pane.undo.click()
    assert ids(context) == ["pii", "norm"]


def test_options_are_edited_by_form(pane: ChainPane, context: PaneContext) -> None:
    editors = pane.form.editors
    assert list(editors)[:2] == ["presets", "strategy"]
    strategy = editors["strategy"]
    assert isinstance(strategy, QComboBox)
    assert strategy.currentText() == "redact"
    strategy.textActivated.emit("warn")
    window = editors["streamCarryoverSize"]
    assert isinstance(window, QLineEdit)
    window.selectAll()
    QTest.keyClicks(window, "512")
    box = editors["presets"].findChild(QCheckBox, "urls")
    assert box is not None
    box.click()
    assert chain(context)[0].options == {
        "presets": ["pii", "urls"],
        "strategy": "warn",
        "streamCarryoverSize": 512,
    }
    assert context.session.undo_stack.count() == 3, "typing a number is one step"
    context.session.undo_stack.undo()
    assert not box.isChecked()


def test_an_option_that_is_refused_is_told_and_not_taken(
    pane: ChainPane, context: PaneContext
) -> None:
    window = pane.form.editors["streamCarryoverSize"]
    assert isinstance(window, QLineEdit)
    window.selectAll()
    QTest.keyClicks(window, "0")
    assert "must be a positive safe integer" in pane.notice.accessibleName()
    assert pane.notice.isVisible()
    assert window.property("invalid") is True
    assert chain(context)[0].options["streamCarryoverSize"] == 24
    QTest.keyClicks(window, "9")
    assert not pane.notice.isVisible()
    assert chain(context)[0].options["streamCarryoverSize"] == 9


def test_an_id_stays_unique(pane: ChainPane, context: PaneContext) -> None:
    pane.id.selectAll()
    QTest.keyClicks(pane.id, "norm")
    assert ids(context) == ["nor", "norm"]
    assert "norm is taken" in pane.notice.accessibleName()
    QTest.keyClicks(pane.id, "2")
    assert ids(context) == ["norm2", "norm"]
    assert pane.desk.spec is not None
    assert pane.desk.spec.id == "norm2", "the rule that is worked on stays the same"
    context.session.undo_stack.undo()
    assert ids(context) == ["pii", "norm"]


def test_a_form_has_only_the_fields_of_its_processor(pane: ChainPane) -> None:
    pane.table.setCurrentIndex(pane.model.index(1, 0))
    assert list(pane.form.editors) == ["stripControlChars", "collapseWhitespace", "trim"]
    pane.add_kind("prefill-error-handler")
    assert pane.form.editors == {}
    assert pane.form.none.isVisible()


def test_an_empty_chain_offers_a_filter(qtbot: QtBot, theme: Theme) -> None:
    context = make_context(theme)
    context.session.take(Session(name="new"), unsaved=True)
    pane = ChainPane(context)
    show(pane, qtbot)
    assert pane.empty.isVisible()
    pane.empty.buttons[0].click()
    assert ids(context) == ["regex-filter"]
