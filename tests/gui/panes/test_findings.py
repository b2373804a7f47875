"""The findings pane on runs of the examples."""

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import HOOK, Events, leak_run
from tests.support.pane_context import changes, feed, open_pane
from tripscope.trace.events import FindingMade
from tripscope_gui.models.finding_copy import as_test_case, row_as_text
from tripscope_gui.panes.findings import NARROW, FindingsPane
from tripscope_gui.theme import Theme


def table(pane: FindingsPane) -> list[list[str]]:
    model = pane.model
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def titles(pane: FindingsPane) -> list[str]:
    return [column.title for column in pane.model.columns]


def test_spans_in_all_units_with_overlaps_and_outcomes(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, FindingsPane, example_events("support-agent"))
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert titles(pane) == [
        "rule", "chunk, hook", "UTF-16", "code points", "UTF-8", "replacement", "overlaps",
        "outcome",
    ]  # fmt: skip
    rows = {(row[0], row[2]): row for row in table(pane)}
    card = rows["credit-card", "155–171"]
    assert card[1].startswith("1.2 · ")
    assert card[3:5] == ["154–170", "157–173"]
    assert card[5:] == ["[CREDIT_CARD]", "phone", "changed"]
    covered = rows["phone", "155–165"]
    assert covered[5:] == ["covered", "credit-card", "in credit-card"]
    assert pane.badge == str(len(table(pane)))


def test_what_left_too_early_is_a_row_before_the_findings_of_its_attempt(
    qtbot: QtBot, theme: Theme
) -> None:
    pane = open_pane(qtbot, theme, FindingsPane, example_events("support-agent"))
    qtbot.waitUntil(lambda: any(row.leak is not None for row in pane.model_rows))
    leak = table(pane)[0]
    assert (leak[0], leak[5]) == ("deploy-key", "none")
    assert leak[1].startswith("1.1 · ")
    assert leak[7].startswith("left at ")
    seen = changes(pane.context)
    pane.table.selectRow(0)
    (selection,) = seen
    assert (selection.rule, selection.processor) == ("deploy-key", "secrets")
    assert selection.row is not None
    assert str(selection.row + 1) == leak[7].removeprefix("left at ")


def test_a_block_before_the_model_names_hook_message_and_part(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, FindingsPane, example_events("secret-in-prompt"))
    assert titles(pane)[1] == "where"
    email, key = table(pane)
    assert email[:3] == ["email", "processInput · m1, part 0", "53–68"]
    assert key[-1] == "blocked"


def test_a_narrow_pane_shows_the_unit_in_use(qtbot: QtBot, theme: Theme) -> None:
    events = example_events("support-agent")
    pane = open_pane(qtbot, theme, FindingsPane, events, size=(NARROW - 40, 200))
    assert [t for t in titles(pane) if t in ("UTF-16", "code points", "UTF-8")] == ["UTF-16"]
    pane.context.set_unit("UTF-8")
    assert "UTF-8" in titles(pane)
    spans = [row[titles(pane).index("UTF-8")] for row in table(pane)]
    assert "157–173" in spans


def test_picking_selects_and_the_selection_is_followed_without_a_loop(
    qtbot: QtBot, theme: Theme
) -> None:
    pane = open_pane(qtbot, theme, FindingsPane, example_events("support-agent"))
    seen = changes(pane.context)
    row = next(n for n, row in enumerate(table(pane)) if row[0] == "email")
    pane.table.selectRow(row)
    assert len(seen) == 1
    event = pane.model_rows[row].event
    assert (seen[0].finding, seen[0].rule, seen[0].processor) == (
        event.seq, "email", "regex-filter",
    )  # fmt: skip
    pane.context.selection.select(step=0)
    assert not pane.table.selectionModel().hasSelection()
    pane.context.selection.go_back()
    assert pane.table.currentIndex().row() == row
    assert len(seen) == 3


def test_values_are_masked_until_the_button_is_held(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, FindingsPane, example_events("support-agent"))
    secret = "ann.lee@example.test"
    assert not any(secret in cell for row in table(pane) for cell in row)
    qtbot.mousePress(pane.reveal, Qt.MouseButton.LeftButton)
    assert any(secret in cell for row in table(pane) for cell in row)
    qtbot.mouseRelease(pane.reveal, Qt.MouseButton.LeftButton)
    assert not any(secret in cell for row in table(pane) for cell in row)


def test_a_copied_row_is_masked_and_a_test_case_names_its_span(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, FindingsPane, example_events("support-agent"))
    number = next(n for n, row in enumerate(table(pane)) if row[0] == "email")
    row = pane.model_rows[number]
    words = row_as_text(row)
    assert "21–41 UTF-16" in words
    assert "example.test" not in words
    case = json.loads(as_test_case(row) or "")
    start, end = case["test"]["span"]
    assert case["rule"] == "email"
    assert case["test"]["text"][start:end] == "ann.lee@example.test"
    pane.table.selectRow(number)
    pane.copy_test.click()
    assert json.loads(QGuiApplication.clipboard().text()) == case


def test_a_rule_that_timed_out_is_its_own_row(qtbot: QtBot, theme: Theme) -> None:
    made = Events()
    made.begin_attempt()
    made.put(
        FindingMade, hook=HOOK, processor="pii", rule="email", start=0, end=9, outcome="timed-out"
    )
    made.end_attempt()
    made.end("error")
    pane = open_pane(qtbot, theme, FindingsPane, made.all)
    assert [(row[0], row[-1]) for row in table(pane)] == [("email", "timed-out")]
    assert "not checked" in table(pane)[0]


def test_rows_arrive_in_batches(qtbot: QtBot, theme: Theme) -> None:
    events = example_events("support-agent")
    pane = open_pane(qtbot, theme, FindingsPane)
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    feed(pane.context, events)
    at_once = open_pane(qtbot, theme, FindingsPane, events)
    for each in (pane, at_once):
        qtbot.waitUntil(lambda p=each: any(row.leak is not None for row in p.model_rows))
    assert table(pane) == table(at_once)


def test_empty_states_say_what_ran(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, FindingsPane)
    assert pane.empty.accessibleName().startswith("No run yet")
    made = Events()
    made.begin_attempt()
    made.end_attempt()
    made.end("passed")
    pane.context.runs.load(made.all)
    assert pane.empty.isVisible()
    assert pane.empty.accessibleName().startswith("No rule matched. ")
    assert "rules" in pane.empty.accessibleName()
    pane.context.runs.load(leak_run())
    assert pane.table.isVisible()


def test_a_stretch_restricts_the_rows(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, FindingsPane, example_events("support-agent"))
    qtbot.waitUntil(lambda: any(row.leak is not None for row in pane.model_rows))
    whole, store = table(pane), pane.store
    assert store is not None
    first, last = store.findings[1].seq, store.findings[2].seq
    pane.context.set_stretch((first, last))
    assert [row[0] for row in table(pane)] == ["email", "phone"]
    pane.context.set_stretch((0, 5))
    assert pane.empty.accessibleName().startswith("No rule matched in this stretch")
    pane.context.set_stretch(None)
    assert table(pane) == whole
