"""The Rules pane: an edit, Replay, and the run shows what it did."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.support.window import make_context, session_wire
from tripscope.session.model import Session
from tripscope_gui.context import PaneContext
from tripscope_gui.panes.rules import RulesPane
from tripscope_gui.theme import Theme

RULE = {"name": "word", "pattern": "Mail", "flags": "g", "replacement": "[W]"}


@pytest.fixture
def context(theme: Theme) -> PaneContext:
    context = make_context(theme)
    wire = session_wire()
    wire["chain"][0]["rules"] = [RULE]  # type: ignore[index]
    context.session.take(Session.model_validate(wire))
    return context


@pytest.fixture
def pane(qtbot: QtBot, context: PaneContext) -> RulesPane:
    pane = RulesPane(context)
    qtbot.addWidget(pane)
    pane.resize(640, 300)
    pane.show()
    return pane


def shown(pane: RulesPane) -> list[str]:
    model = pane.model
    return [model.index(row, 1).data() for row in range(model.rowCount())]


def select(pane: RulesPane, rule: str) -> None:
    pane.table.setCurrentIndex(pane.model.index(shown(pane).index(rule), 0))


def own_rules(context: PaneContext) -> list[tuple[str, str, bool]]:
    assert context.session.session is not None
    return [(r.name, r.pattern, r.enabled) for r in context.session.session.chain[0].rules]


def test_rules_of_presets_stand_first(pane: RulesPane, qtmodeltester: object) -> None:
    assert shown(pane) == ["email", "phone", "ssn", "credit-card", "word"]
    qtmodeltester.check(pane.model)  # type: ignore[attr-defined]


def test_typing_a_pattern_is_one_step_that_can_be_undone(
    pane: RulesPane, context: PaneContext
) -> None:
    select(pane, "word")
    pane.form.pattern.selectAll()
    QTest.keyClicks(pane.form.pattern, "n[o]w")
    assert own_rules(context) == [("word", "n[o]w", True)]
    context.session.undo_stack.undo()
    assert own_rules(context) == [("word", "Mail", True)]
    assert pane.form.pattern.toPlainText() == "Mail"


def test_a_pattern_that_javascript_refuses_keeps_the_last_good_one(
    pane: RulesPane, context: PaneContext
) -> None:
    select(pane, "word")
    pane.form.pattern.set_text("")
    QTest.keyClicks(pane.form.pattern, "a{2,1}")
    assert own_rules(context)[0][1] == "a{2,1", "a brace that is never closed is plain text"
    assert pane.form.problem() is not None
    assert pane.form.notice.isVisible()
    assert "Position" in pane.form.notice.accessibleName()


def test_space_switches_a_rule_off_and_a_preset_rule_stays(
    pane: RulesPane, context: PaneContext
) -> None:
    select(pane, "word")
    QTest.keyClick(pane.table, Qt.Key.Key_Space)
    assert own_rules(context) == [("word", "Mail", False)]
    select(pane, "email")
    QTest.keyClick(pane.table, Qt.Key.Key_Space)
    assert own_rules(context) == [("word", "Mail", False)]


def test_a_preset_rule_is_copied_to_be_edited(pane: RulesPane, context: PaneContext) -> None:
    select(pane, "email")
    assert pane.form.pattern.isReadOnly()
    pane.form.link_activated.emit()
    assert [name for name, _, _ in own_rules(context)] == ["word", "email-2"]
    assert pane.row is not None
    assert pane.row.rule.name == "email-2"
    assert not pane.form.pattern.isReadOnly()


def test_rules_are_added_moved_and_removed(pane: RulesPane, context: PaneContext) -> None:
    pane.add.click()
    assert [name for name, _, _ in own_rules(context)] == ["word", "new-rule"]
    pane.table.setFocus()
    QTest.keyClick(pane.table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [name for name, _, _ in own_rules(context)] == ["new-rule", "word"]
    pane.remove.click()
    assert [name for name, _, _ in own_rules(context)] == ["word"]
    pane.undo.click()
    assert [name for name, _, _ in own_rules(context)] == ["new-rule", "word"]


def test_the_window_grows_to_hold_a_rule(pane: RulesPane, context: PaneContext) -> None:
    select(pane, "word")
    pane.form.pattern.set_text("")
    QTest.keyClicks(pane.form.pattern, "x{40}y")
    assert "Shortest match 41 > window 24" in pane.form.notice.accessibleName()
    pane.form.link_activated.emit()
    assert context.session.session is not None
    assert context.session.session.chain[0].options["streamCarryoverSize"] == 64


def test_without_a_session_it_says_so(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    pane = RulesPane(make_context(theme))
    qtbot.addWidget(pane)
    pane.show()
    assert pane.empty.isVisible()
    assert not pane.add.isEnabled()
