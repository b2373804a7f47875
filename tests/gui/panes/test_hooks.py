"""The matrix of processors and hooks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import HOOK, Events
from tests.support.pane_context import changes, feed, open_pane
from tripscope.chunks import text_delta
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.models.hook_matrix import HOOK_NAMES, HookMatrix
from tripscope_gui.panes.hooks import HooksPane
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.hook_facts import counts, fact, hook_fact
from tripscope_gui.theme import Theme

SIZE = (960, 380)


def cell(model: HookMatrix, processor: str, hook: str) -> tuple[object, str]:
    place = model.place(processor, hook)
    assert place is not None
    index = model.index(*place)
    return index.data(CellRole.OUTCOME), index.data()


def test_what_ran_and_what_a_tripwire_kept_from_running(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, HooksPane, example_events("secret-in-prompt"), SIZE)
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model = pane.model
    assert cell(model, "unicode-normalizer", "processInput")[0] == "pass"
    assert cell(model, "regex-filter", "processInput")[0] == "changed"
    assert cell(model, "secrets", "processInput")[0] == "blocked"
    assert cell(model, "secrets", "processOutputStream") == ("not-run", "")
    assert cell(model, "quality-guardrail", "processInput") == (None, "·")
    assert counts(pane.store or RunStore()) == (3, 5)


def test_lines_of_model_tools_memory_and_client() -> None:
    blocked = RunStore(example_events("secret-in-prompt"))
    assert fact(blocked, "model").detail == "no request sent"
    assert fact(blocked, "client").quoted.startswith("Regex filter: blocked content")
    passed = RunStore(example_events("support-agent"))
    assert fact(passed, "model").words == "3 requests"
    assert "1,284 tokens in" in fact(passed, "model").detail
    assert fact(passed, "tools").quoted == "lookup_contact"
    assert fact(passed, "client").outcome == "changed"
    assert fact(RunStore(example_events("support-agent")[:40]), "memory").outcome is None


def test_a_phase_that_is_off_is_skipped_not_passed() -> None:
    store = RunStore(example_events("support-agent"))
    secrets = store.chain.get("secrets")
    assert secrets is not None
    skipped = hook_fact(store, secrets, "processInput")
    assert (skipped.outcome, skipped.why) == ("skipped", "its phase is output")
    assert hook_fact(store, secrets, "processOutputStream").outcome == "changed"


def test_a_cell_tells_the_worst_of_its_calls_and_leads_to_it() -> None:
    made = Events()
    made.begin_attempt()
    for index, outcome in enumerate(("pass", "changed", "flagged", "changed")):
        part = made.chunk(index, text_delta("x"))
        made.hook(index, part, (part,), outcome=outcome)
    store = RunStore(made.all)
    pii = store.chain.get("pii")
    assert pii is not None
    found = hook_fact(store, pii, HOOK)
    assert (found.outcome, found.calls, found.duration) == ("flagged", 4, 4000)
    assert getattr(store.event(found.seq), "index", None) == 2


def test_a_picked_cell_is_selected_and_the_selection_followed(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, HooksPane, example_events("support-agent"), SIZE)
    seen = changes(pane.context)
    place = pane.model.place("quality-guardrail", "processOutputStep")
    assert place is not None
    rect = pane.table.visualRect(pane.model.index(*place))
    qtbot.mouseClick(pane.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    (selection,) = seen
    assert (selection.hook, selection.processor) == ("processOutputStep", "quality-guardrail")
    assert (selection.step, selection.attempt) == (1, 0)
    pane.context.selection.select(processor="secrets", hook="processOutputStream")
    index = pane.table.currentIndex()
    assert (index.row(), index.column()) == pane.model.place("secrets", "processOutputStream")
    assert len(seen) == 2
    qtbot.keyClick(pane.table, Qt.Key.Key_Right)
    assert seen[-1].hook == HOOK_NAMES[HOOK_NAMES.index("processOutputStream") + 1]


@pytest.mark.parametrize("width", [640, 966])
def test_columns_fill_the_pane(qtbot: QtBot, theme: Theme, width: int) -> None:
    pane = open_pane(qtbot, theme, HooksPane, example_events("tool-loop"), (width, 300))
    header = pane.table.horizontalHeader()
    assert header.length() == pane.table.viewport().width()
    last = pane.model.rowCount() - 1
    assert pane.table.columnSpan(last, 1) == len(HOOK_NAMES)


def test_it_grows_with_the_run(qtbot: QtBot, theme: Theme) -> None:
    events = example_events("tool-loop")
    pane = open_pane(qtbot, theme, HooksPane, size=SIZE)
    assert pane.empty.isVisible()
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    feed(pane.context, events[:12])
    qtbot.waitUntil(lambda: pane.model.rowCount() > 0)
    assert cell(pane.model, "answer-check", "processOutputStep") == (None, "\N{EN DASH}")
    feed(pane.context, events)
    assert cell(pane.model, "answer-check", "processOutputStep")[0] == "blocked"
    pane.grab()
