"""The state pane: values before and after the selected moment."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import HOOK, Events, leak_run
from tests.support.pane_context import changes, feed, open_pane
from tripscope.chunks import text_delta
from tripscope.trace.events import HookCalled, StateChanged
from tripscope_gui.panes.state import StatePane, state_rows
from tripscope_gui.theme import Theme


def shown(pane: StatePane) -> list[tuple[str, ...]]:
    model = pane.model
    return [
        tuple(str(model.index(row, column).data()) for column in range(4))
        for row in range(model.rowCount())
    ]


def counted_run() -> list:  # type: ignore[type-arg]
    """Four calls; ``n`` counts them, ``late`` comes with the third and goes with the fourth."""
    made = Events()
    made.begin_attempt()
    for number in range(4):
        changed = [("n", number or None, number + 1)]
        if number >= 2:
            changed.append(("late", None, "x") if number == 2 else ("late", "x", None))
        made.put(StateChanged, hook=HOOK, processor="pii", changes=tuple(changed))
        made.put(HookCalled, hook=HOOK, processor="pii", duration=1, outcome="pass")
    made.end_attempt()
    made.end()
    return made.all


def test_rows_mark_what_was_added_changed_and_removed() -> None:
    rows = state_rows({"a": 1, "b": "x", "c": [1]}, {"a": 2, "b": "x", "d": None})
    assert [(row.key, row.before, row.after, row.mark) for row in rows] == [
        ("a", "1", "2", "~"),
        ("b", '"x"', '"x"', ""),
        ("c", "[1]", "", "\N{MINUS SIGN}"),
        ("d", "", "null", "+"),
    ]


def test_each_call_shows_what_it_changed(qtbot: QtBot, theme: Theme) -> None:
    events = counted_run()
    pane = open_pane(qtbot, theme, StatePane, events)
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    calls = [event for event in events if isinstance(event, HookCalled)]
    expected = [
        [("+", "n", "", "1")],
        [("~", "n", "1", "2")],
        [("~", "n", "2", "3"), ("+", "late", "", '"x"')],
        [("~", "n", "3", "4"), ("\N{MINUS SIGN}", "late", '"x"', "")],
    ]
    for call, rows in zip(calls, expected, strict=True):
        pane.context.selection.select(seq=call.seq, processor="pii")
        assert shown(pane) == rows


def test_the_scrubber_selects_events_and_keeps_the_processor(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, StatePane, example_events("support-agent"))
    pane.context.selection.select(processor="secrets")
    assert pane.chosen == "secrets"
    seen = changes(pane.context)
    for place in (150, 60):
        pane.scrubber.setValue(place)
    assert [selection.seq for selection in seen] == [150, 60]
    assert pane.chosen == "secrets"
    assert pane.scrubber.value() == 60
    qtbot.keyClick(pane.scrubber, Qt.Key.Key_Right)
    assert seen[-1].seq == 61


def test_a_chunk_shows_the_state_after_its_call(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, StatePane, example_events("support-agent"))
    store = pane.store
    assert store is not None
    row = next(r for r in store.rows if r.step == 1 and r.attempt == 1 and r.type == "text-delta")
    pane.context.selection.select(row=row.number, processor="regex-filter")
    assert [column.title for column in pane.model.columns][3] == f"after (chunk {row.label})"
    held = {line[1]: line[3] for line in shown(pane)}["heldUnits"]
    call = next(call for call in row.calls if call.processor == "regex-filter")
    assert held == str(call.held)


def test_a_finding_shows_the_state_of_the_call_that_made_it(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, StatePane, example_events("secret-in-prompt"))
    store = pane.store
    assert store is not None
    finding = store.findings[-1]
    pane.context.selection.select(finding=finding.seq, processor="secrets", hook="processInput")
    assert [line[0] for line in shown(pane)] == ["+"] * pane.model.rowCount()
    assert pane.model.rowCount() > 0


def test_it_follows_the_newest_event_while_nothing_is_selected(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, StatePane)
    assert pane.empty.accessibleName().startswith("No run yet")
    events = counted_run()
    feed(pane.context, events[:5], 1)
    assert shown(pane) == [("+", "n", "", "1")]
    feed(pane.context, events, 1)
    assert shown(pane)[0] == ("~", "n", "3", "4")


def test_without_any_state_it_says_so(qtbot: QtBot, theme: Theme) -> None:
    events = [event for event in leak_run() if not isinstance(event, StateChanged)]
    pane = open_pane(qtbot, theme, StatePane, events[:3])
    assert pane.empty.accessibleName() == "No processor keeps state here"


def test_a_chosen_chunk_shows_the_state_after_its_own_calls(qtbot: QtBot, theme: Theme) -> None:
    made = Events()
    made.begin_attempt()
    for number in range(3):
        part = made.chunk(number, text_delta("x"))
        change = ("n", number or None, number + 1)
        made.put(StateChanged, hook=HOOK, processor="pii", changes=(change,))
        made.hook(number, part, (part,))
        made.deliver(number, part)
    made.end_attempt()
    made.end()
    pane = open_pane(qtbot, theme, StatePane, made.all)
    store = pane.store
    assert store is not None
    row = store.rows[1]
    assert row.model is not None
    # the cell of the model, of the client, and the row as a whole say the same
    for seq in (row.model.seq, row.delivered[-1].seq, None):
        pane.context.selection.select(row=1, step=0, attempt=0, seq=seq)
        assert shown(pane) == [("~", "n", "1", "2")]
    # the scrubber stays where it is put: there the second call was not made yet
    pane.scrubber.setValue(row.model.seq)
    assert pane.scrubber.value() == row.model.seq
    assert shown(pane) == [("+", "n", "", "1")]
