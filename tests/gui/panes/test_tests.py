"""Tests of a rule: run at each edit, with the reason where one fails."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown as show
from tests.support.window import make_context, session_wire
from tripscope.session.model import RuleTest, Session
from tripscope_gui.context import PaneContext
from tripscope_gui.panes import tests as module
from tripscope_gui.theme import Theme

RULE = {
    "name": "mail",
    "pattern": "[a-z]+@[a-z.]+",
    "replacement": "[M]",
    "tests": [
        {"text": "ann@example.test", "span": [0, 16]},
        {"text": "o'neil@example.test", "span": [0, 19]},
        {"text": "nobody", "match": False},
    ],
}


@pytest.fixture
def context(theme: Theme) -> PaneContext:
    context = make_context(theme)
    wire = session_wire()
    wire["chain"][0]["options"] = {"strategy": "redact"}  # type: ignore[index]
    wire["chain"][0]["rules"] = [RULE]  # type: ignore[index]
    context.session.take(Session.model_validate(wire))
    return context


@pytest.fixture
def pane(qtbot: QtBot, context: PaneContext) -> module.TestsPane:
    pane = module.TestsPane(context)
    pane.resize(560, 360)
    show(pane, qtbot)
    return pane


def written(context: PaneContext) -> list[RuleTest]:
    assert context.session.session is not None
    return context.session.session.chain[0].rules[0].tests


def select(pane: module.TestsPane, row: int) -> None:
    pane.table.setCurrentIndex(pane.model.index(row, 0))


def test_outcomes_stand_in_the_table(pane: module.TestsPane, qtmodeltester: object) -> None:
    qtmodeltester.check(pane.model)  # type: ignore[attr-defined]
    shown = [[pane.model.index(r, c).data() for c in (1, 2, 3)] for r in range(3)]
    assert shown[1] == ["o'neil@example.test", "match 0–19", "2–19"]
    assert shown[2] == ["nobody", "no match", "none"]
    assert pane.badge == "2/3"
    assert pane.summary.text().startswith("2 pass · 1 fail")


def test_a_failing_test_says_why(pane: module.TestsPane) -> None:
    assert not pane.box.isVisible()
    select(pane, 1)
    assert pane.box.isVisible()
    assert pane.box.words == "Test 2 fails: starts 2 too late"
    assert "expected 0–19 UTF-16" in pane.box.accessibleName()
    pane.resize(560, 178)
    QApplication.processEvents()
    assert not pane.box.isVisible()
    assert pane.summary.text() == "Test 2 fails: starts 2 too late; expected 0–19 UTF-16"


def test_an_edit_of_the_rule_runs_them(pane: module.TestsPane) -> None:
    select(pane, 1)
    pane.desk.type_pattern("[a-z']+@[a-z.]+", "g")
    assert pane.badge == "3/3"
    assert not pane.box.isVisible()
    pane.desk.type_pattern("[a-z", "g")
    assert pane.badge == "3/3", "the last good pattern holds"
    assert "last good pattern" in pane.summary.text()


def test_a_test_is_written_and_undone(pane: module.TestsPane, context: PaneContext) -> None:
    pane.add.click()
    assert pane.line is not None
    assert pane.line.place == 3
    QTest.keyClicks(pane.text, "to bob@x.y")
    QTest.keyClicks(pane.span, "3-10")
    QTest.keyClicks(pane.replacement, "to [M]")
    assert written(context)[3] == RuleTest(text="to bob@x.y", span=(3, 10), replacement="to [M]")
    assert pane.badge == "3/4"
    pane.should.set_current("none")
    assert written(context)[3].span is None
    assert pane.badge == "2/4"
    for _ in range(4):
        context.session.undo_stack.undo()
    assert written(context)[3].text == "", "typing a text was one step"
    context.session.undo_stack.undo()
    assert len(written(context)) == 3


def test_a_span_that_is_none_is_marked(pane: module.TestsPane, context: PaneContext) -> None:
    select(pane, 0)
    pane.span.selectAll()
    QTest.keyClicks(pane.span, "9-")
    assert pane.span.property("invalid") is True
    assert written(context)[0].span == (0, 16)


def test_only_failing_ones_are_shown(pane: module.TestsPane) -> None:
    pane.failing.click()
    assert pane.model.rowCount() == 1
    assert pane.line is not None
    assert pane.line.place == 1
    pane.remove.click()
    assert pane.model.rowCount() == 0
    assert pane.empty.isVisible()


def test_a_selected_text_becomes_a_test() -> None:
    text = "first\n💳 write to ann@x.y now\nlast"
    start = len("first\n") + len("💳".encode("utf-16-le")) // 2 + len(" write to ")
    made = module.around(text, start, start + 7)
    assert made == RuleTest(text="💳 write to ann@x.y now", span=(12, 19))


def test_a_rule_of_a_preset_has_none(qtbot: QtBot, theme: Theme) -> None:
    context = make_context(theme)
    context.session.take(Session.model_validate(session_wire()))
    pane = module.TestsPane(context)
    show(pane, qtbot)
    assert pane.empty.isVisible()
    assert not pane.add.isEnabled()
