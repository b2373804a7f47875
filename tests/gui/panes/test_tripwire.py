"""The fields of what ended a run or an attempt."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import Events, leak_run
from tests.support.pane_context import feed, open_pane
from tripscope_gui.panes.tripwire import TripwirePane
from tripscope_gui.theme import Theme


def fields(pane: TripwirePane) -> dict[str, str]:
    model = pane.model
    return {
        model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())
    }


def test_the_tripwire_of_a_run_field_by_field(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TripwirePane, example_events("secret-in-prompt"))
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert list(fields(pane).items()) == [
        ("reason", '"Regex filter: blocked content matching patterns: aws-key"'),
        ("processorId", '"secrets"'),
        ("retry", "false"),
        ("strategy", '"block"'),
        ("matches[0].rule", '"aws-key"'),
        ("matches[0].match", '"[REDACTED_MATCH]"'),
        ("matches[0].index", "12 UTF-16"),
    ]


def test_a_rejected_attempt_has_its_own(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TripwirePane)
    feed(pane.context, example_events("support-agent"))
    pane.context.selection.select(step=1, attempt=0)
    found = fields(pane)
    assert found["processorId"] == '"quality-guardrail"'
    assert found["hook"] == '"processOutputStep"'
    assert found["retry"] == "true"
    assert found["pattern"] == '"/DEPLOY KEY/i"'


def test_an_error_is_named_as_one(qtbot: QtBot, theme: Theme) -> None:
    made = Events()
    made.end("error", error={"name": "HookError", "message": "it <b>raised</b>"})
    pane = open_pane(qtbot, theme, TripwirePane, made.all)
    assert pane.model.columns[0].title == "error"
    assert fields(pane)["message"] == '"it <b>raised</b>"'


def test_no_tripwire_is_said_in_words(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TripwirePane)
    assert pane.empty.accessibleName().startswith("No run yet")
    pane.context.runs.load(leak_run())
    assert pane.empty.accessibleName() == "No tripwire. Nothing was blocked in this run"
    pane.context.runs.load(example_events("secret-in-prompt"))
    assert pane.table.isVisible()
    pane.table.selectRow(1)
    pane._copy()
    assert QGuiApplication.clipboard().text() == 'processorId: "secrets"'
