"""The Rules pane: an edit, Replay, and the run shows what it did."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown as show
from tests.support.made_events import Events, leak_run
from tests.support.pane_context import feed
from tests.support.window import make_context, session_wire
from tripscope.processor import RULE_SEARCHES
from tripscope.session.model import Session
from tripscope.trace.events import FindingMade, SpanEnded
from tripscope.trace.rule_costs import RuleCost
from tripscope_gui.context import PaneContext
from tripscope_gui.models.rule_table import NAME, GroupRow
from tripscope_gui.panes.rules import RulesPane
from tripscope_gui.store.rule_edits import RuleRow
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height

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
    pane.resize(640, 300)
    show(pane, qtbot)
    return pane


def names(pane: RulesPane) -> list[str]:
    model = pane.model
    return [model.index(row, NAME).data() for row in range(model.rowCount())]


def select(pane: RulesPane, rule: str) -> None:
    pane.table.setCurrentIndex(pane.model.index(names(pane).index(rule), 0))
    pane.table.setFocus()


def own_rules(context: PaneContext) -> list[tuple[str, str, bool]]:
    assert context.session.session is not None
    return [(r.name, r.pattern, r.enabled) for r in context.session.session.chain[0].rules]


def test_rules_of_presets_stand_first(pane: RulesPane, qtmodeltester: object) -> None:
    assert names(pane) == ["email", "phone", "ssn", "credit-card", "word"]
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
    pane.form.pattern.selectAll()
    QTest.keyClicks(pane.form.pattern, "a{2,1}")
    assert own_rules(context)[0][1] == "a{2,1", "a brace that is never closed is plain text"
    draft = pane.desk.draft
    assert draft is not None
    assert draft.pattern == pane.form.pattern.toPlainText() == "a{2,1}"
    assert f"Position {draft.error.position}, UTF-16" in pane.form.notice.accessibleName()
    assert pane.form.notice.isVisible()
    marks = [pane.model.index(row, 8).data(Qt.ItemDataRole.ToolTipRole) for row in range(5)]
    assert "error" in marks[4]
    # another field may be edited meanwhile
    QTest.keyClicks(pane.form.replacement, "!")
    assert pane.form.pattern.toPlainText() == "a{2,1}"
    QTest.keyClick(pane.form.pattern, Qt.Key.Key_Backspace)
    assert pane.desk.draft is None
    assert not pane.form.notice.isVisible()


@pytest.mark.parametrize(("enabled", "said"), [(True, "no run can start"), (False, "switched off")])
def test_a_pattern_that_a_file_holds_and_javascript_refuses_is_explained(
    pane: RulesPane, context: PaneContext, enabled: bool, said: str
) -> None:
    wire = session_wire()
    rule = RULE | {"pattern": "a(", "enabled": enabled}
    wire["chain"][0]["rules"] = [rule]  # type: ignore[index]
    context.session.take(Session.model_validate(wire))
    select(pane, "word")
    assert pane.form.notice.isVisible()
    told = pane.form.notice.accessibleName()
    assert "Position 1, UTF-16" in told
    assert said in told


def test_flags_are_buttons(pane: RulesPane, context: PaneContext) -> None:
    select(pane, "word")
    pane.form.more.click()
    for flag in "iuv":
        pane.form.flags.buttons[flag].click()
    assert context.session.session is not None
    assert context.session.session.chain[0].rules[0].flags == "giv", "u and v exclude each other"
    select(pane, "email")
    assert not pane.form.flags.isEnabled()


def test_a_colour_is_kept_and_holds_in_every_pane(pane: RulesPane, context: PaneContext) -> None:
    select(pane, "word")
    assert context.rule_number("word") == 4
    pane.form.swatches.picked.emit(1)
    assert context.session.session is not None
    assert context.session.session.chain[0].rules[0].colour == 1
    run = context.runs.load(leak_run())
    assert run.store.rules.number("word") == context.rule_number("word") == 1
    assert run.store.rules.number("email") != 1
    context.session.undo_stack.undo()
    assert run.store.rules.number("word") != 1


def test_space_switches_a_rule_off_and_a_preset_rule_stays(
    pane: RulesPane, context: PaneContext
) -> None:
    select(pane, "word")
    QTest.keyClick(pane.table, Qt.Key.Key_Space)
    assert own_rules(context) == [("word", "Mail", False)]
    select(pane, "email")
    QTest.keyClick(pane.table, Qt.Key.Key_Space)
    assert own_rules(context) == [("word", "Mail", False)]


def test_a_preset_is_copied_to_be_edited(pane: RulesPane, context: PaneContext) -> None:
    select(pane, "phone")
    assert pane.form.pattern.isReadOnly()
    pane.form.act()
    assert names(pane) == ["email", "phone", "ssn", "credit-card", "word"]
    assert [name for name, _, _ in own_rules(context)] == names(pane)
    assert context.session.session is not None
    assert "presets" not in context.session.session.chain[0].options
    assert pane.row is not None
    assert pane.row.rule.name == "phone"
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


def test_a_rule_is_dragged_to_another_place(pane: RulesPane, context: PaneContext) -> None:
    pane.add.click()
    pane.add.click()
    assert [name for name, _, _ in own_rules(context)] == ["word", "new-rule", "new-rule-2"]
    select(pane, "new-rule-2")
    rect = pane.table.visualRect(pane.model.index(names(pane).index("word"), 0))
    data = QMimeData()
    event = QDropEvent(
        QPointF(rect.center().x(), rect.top() + 2),
        Qt.DropAction.MoveAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    pane.table.dropEvent(event)
    assert [name for name, _, _ in own_rules(context)] == ["new-rule-2", "word", "new-rule"]
    assert pane.row is not None
    assert pane.row.rule.name == "new-rule-2"
    flags = [pane.model.index(row, 0).flags() for row in range(pane.model.rowCount())]
    own = [bool(f & Qt.ItemFlag.ItemIsDragEnabled) for f in flags]
    assert own == [False] * 4 + [True] * 3


def test_the_window_grows_to_hold_a_rule(pane: RulesPane, context: PaneContext) -> None:
    select(pane, "word")
    pane.form.pattern.selectAll()
    QTest.keyClicks(pane.form.pattern, "x{40}y")
    assert "Shortest match 41 > window 24" in pane.form.notice.accessibleName()
    pane.form.act()
    assert context.session.session is not None
    assert context.session.session.chain[0].options["streamCarryoverSize"] == 64
    assert not pane.form.notice.isVisible()


@pytest.mark.parametrize("size", [(540, 178), (626, 136)])
def test_four_rules_are_in_view_at_the_smallest_sizes(
    pane: RulesPane, size: tuple[int, int]
) -> None:
    select(pane, "email")
    pane.resize(*size)
    QApplication.processEvents()
    assert pane.form.notice.isVisible()
    assert pane.table.viewport().height() >= 4 * Height.ROW
    assert pane.table.horizontalScrollBar().maximum() == 0


def test_hits_come_from_the_run(pane: RulesPane, context: PaneContext) -> None:
    context.runs.load(leak_run())
    assert context.store is not None
    expected = sum(f.rule == "email" and f.processor == "pii" for f in context.store.findings)
    assert pane.model.index(0, 4).data() == str(expected)


def test_time_and_time_outs_come_from_the_run(pane: RulesPane, context: PaneContext) -> None:
    made = Events()
    made.begin_attempt()
    made.put(FindingMade, processor="pii", rule="word", start=0, end=9, outcome="timed-out")
    email, word = {"searches": 3, "ns": 400_000}, {"searches": 1, "ns": 250_000_000}
    told = {"rules": {"email": email, "word": word}}
    made.put(SpanEnded, processor="pii", span=0, name=RULE_SEARCHES, duration=1, attributes=told)
    made.end_attempt()
    made.end()
    feed(context, made.all)
    rows = [[pane.model.index(row, column).data() for column in (4, 5, 6)] for row in range(5)]
    assert rows[0] == ["0", "0.4 ms", "–"]
    assert rows[1] == ["0", "–", "–"], "nothing had to be searched"
    assert rows[4] == ["0", "250 ms", "1"]
    head = [pane.model.headerData(n, Qt.Orientation.Horizontal) for n in (4, 5, 6)]
    assert head == ["hits", "time", "time-outs"]
    assert "ran out of time" in pane.model.index(4, 8).data(Qt.ItemDataRole.ToolTipRole)
    select(pane, "word")
    assert "a search of it did not finish" in pane.form.notice.accessibleName()


def test_a_copied_preset_takes_the_keyboard(pane: RulesPane, context: PaneContext) -> None:
    select(pane, "phone")
    pane.form.notice.link_button.setFocus()
    QTest.keyClick(pane.form.notice.link_button, Qt.Key.Key_Space)
    assert pane.row is not None
    assert (pane.row.rule.name, pane.row.place) == ("phone", 1)
    assert pane.form.pattern.hasFocus()
    QTest.keyClicks(pane.form.pattern, "x")
    assert "x" in own_rules(context)[1][1]


def test_five_thousand_rules_are_edited_in_place(
    pane: RulesPane, context: PaneContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = [{"name": f"r{n}", "pattern": f"word{n}"} for n in range(5000)]
    wire = session_wire()
    wire["chain"][0]["rules"] = rules  # type: ignore[index]
    context.session.take(Session.model_validate(wire))
    pane.desk.choose("pii", "r3000")
    assert pane.table.rowAt(pane.table.viewport().height() // 2) > 2900, "it is scrolled to"
    before = pane.desk.rows
    asked: set[int] = set()
    real = pane.desk.costs.of

    def cost_of(row: RuleRow) -> RuleCost:
        asked.add(row.place)
        return real(row)

    monkeypatch.setattr(pane.desk.costs, "of", cost_of)
    pane.desk.type_pattern("other", "g")
    QApplication.processEvents()
    now = pane.desk.rows
    assert [old for old, new in zip(before, now, strict=True) if old is not new] == [before[3004]]
    assert 0 < len(asked) < 50, "only what is in view is asked for"


def test_in_the_lab_all_processors_stand_in_one_table(qtbot: QtBot, context: PaneContext) -> None:
    session = context.session.session
    assert session is not None
    second = session.chain[0].model_copy(update={"id": "second", "options": {"presets": ["urls"]}})
    context.session.edit("add", session.model_copy(update={"chain": [*session.chain, second]}))
    pane = RulesPane(context)
    pane.settle_in_lab()
    pane.resize(470, 800)
    show(pane, qtbot)
    groups = [pane.model.row(n) for n in range(pane.model.rowCount())]
    heads = [n for n, row in enumerate(groups) if isinstance(row, GroupRow)]
    assert heads == [0, 6]
    pane.table.clicked.emit(pane.model.index(0, 0))
    assert pane.model.rowCount() == 4, "a click on its row folds a processor"
    pane.presets.links["urls"].click()
    assert context.session.session.chain[0].rules[0].name == "url"  # type: ignore[union-attr]
    assert pane.facts.facts


def test_a_preset_is_copied_into_an_empty_session(qtbot: QtBot, theme: Theme) -> None:
    context = make_context(theme)
    context.session.take(Session(name="new"), unsaved=True)
    pane = RulesPane(context)
    pane.settle_in_lab()
    show(pane, qtbot)
    pane.presets.links["pii"].click()
    assert context.session.session is not None
    [spec] = context.session.session.chain
    assert spec.options == {"strategy": "redact"}
    assert [rule.name for rule in spec.rules] == ["email", "phone", "ssn", "credit-card"]
    assert pane.row is not None
    assert pane.row.rule.name == "email"
    assert pane.table.hasFocus()
    context.session.undo_stack.undo()
    assert context.session.session.chain == []


def test_without_a_session_it_says_so(qtbot: QtBot, theme: Theme) -> None:
    pane = RulesPane(make_context(theme))
    show(pane, qtbot)
    assert pane.empty.isVisible()
    assert not pane.add.isEnabled()


def test_the_first_rule_brings_its_processor(qtbot: QtBot, theme: Theme) -> None:
    context = make_context(theme)
    context.session.take(Session(name="new"), unsaved=True)
    pane = RulesPane(context)
    show(pane, qtbot)
    pane.empty.buttons[0].click()
    assert context.session.session is not None
    [spec] = context.session.session.chain
    assert (spec.type, spec.options, len(spec.rules)) == ("regex-filter", {"strategy": "redact"}, 1)
    context.session.undo_stack.undo()
    assert context.session.session.chain == []
