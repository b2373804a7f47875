from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.support.made_events import Events, leak_run
from tests.support.window import make_context
from tripscope.chunks import text_delta
from tripscope.trace.events import FindingMade, HookCalled, MessagesChanged, RawFrameReceived
from tripscope.trace.text_run import TextRun
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.panes.event import EventPane
from tripscope_gui.panes.text import TextPane
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.theme import Theme


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> TextPane:
    host = QWidget()
    qtbot.addWidget(host)
    made = TextPane(make_context(theme))
    line = QVBoxLayout(host)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(made)
    host.resize(748, 440)
    host.show()
    made.host = host  # type: ignore[attr-defined]
    return made


def load(qtbot: QtBot, pane: TextPane, events: list[object]) -> RunStore:
    store = pane.context.runs.load(events).store  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: not pane._reading.isActive())
    return store


def pick(pane: TextPane, store: RunStore, number: int = 0) -> None:
    run = pane.context.selection.current.run
    pane.context.selection.set(selection_of(run, store, store.findings[number]))


def test_model_and_client_side_by_side(qtbot: QtBot, pane: TextPane) -> None:
    load(qtbot, pane, leak_run())
    assert pane.before.text.text() == "Ann: ann@x"
    assert pane.after.text.text() == "Ann: [EMAIL]"
    assert pane.before.head.text() == "model \u00b7 10 UTF-16 units, 1 match"
    assert pane.after.head.text() == "client \u00b7 12 UTF-16 units, 1 replaced"
    assert [pane.bar.before.itemText(n) for n in range(pane.bar.before.count())] == [
        "model",
        "pii",
        "client",
    ]


def test_a_finding_chosen_elsewhere_is_outlined_on_both_sides(qtbot: QtBot, pane: TextPane) -> None:
    store = load(qtbot, pane, leak_run())
    pick(pane, store)
    assert pane.before.text.outlined == (5, 10)
    assert pane.after.text.outlined == (5, 12)
    assert pane.before.text.flashing
    pane.context.selection.select(row=2, step=0, attempt=0)
    assert pane.before.text.outlined == (8, 10)
    assert pane.after.text.outlined == (5, 12)


def test_any_two_points_can_be_compared(qtbot: QtBot, pane: TextPane) -> None:
    load(qtbot, pane, leak_run())
    pane.bar.before.setCurrentIndex(1)
    pane.bar.before.activated.emit(1)
    assert pane.before.text.text() == "Ann: [EMAIL]"
    assert pane.before.head.text() == "after pii \u00b7 12 UTF-16 units, 1 replaced"


def test_alt_click_selects_finding_chunk_and_rule(qtbot: QtBot, pane: TextPane) -> None:
    store = load(qtbot, pane, leak_run())
    told: list[Selection] = []
    pane.context.selection.changed.connect(told.append)
    pane.select_at(pane.after, 7)
    now = pane.context.selection.current
    assert (now.finding, now.rule, now.row) == (store.findings[0].seq, "email", 1)
    pane.select_at(pane.after, 7)
    assert len(told) == 1
    pane.select_at(pane.before, 2)
    now = pane.context.selection.current
    assert (now.finding, now.row) == (None, 1)
    assert now.span is not None
    assert (now.span.start, now.span.end) == (0, 8)


def test_enter_walks_from_a_placeholder_to_its_cause(qtbot: QtBot, pane: TextPane) -> None:
    events = leak_run()
    place = next(n for n, e in enumerate(events) if e.kind == "model-chunk" and e.index == 1)
    made = Events()
    made.begin_attempt()
    # the same run, each chunk read from a frame
    moved = events[:3]
    for event in events[3:]:
        if event.kind == "model-chunk":
            frame = RawFrameReceived(len(moved), event.time, 0, 0, None, None, 0, "data: {}")
            moved.append(frame)
        head = {"seq": len(moved)}
        fields = {f: getattr(event, f) for f in type(event).__struct_fields__}
        moved.append(type(event)(**(fields | head)))
    assert place
    store = load(qtbot, pane, moved)
    steps: list[tuple[int | None, int | None, str]] = []
    for _ in range(5):
        pane.walk(pane.after, 7)
        now = pane.context.selection.current
        event = store.event(now.seq)
        steps.append((now.row, now.finding, event.kind if event is not None else ""))
    finding = store.findings[0].seq
    assert steps == [
        (1, finding, ""),
        (1, finding, "model-chunk"),
        (2, finding, "model-chunk"),
        (1, finding, "raw-frame"),
        (2, finding, "raw-frame"),
    ]


def test_the_caret_is_told_in_all_units(qtbot: QtBot, pane: TextPane) -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("\U0001f980\u00e9x"))
    made.hook(0, part, (part,), held=0, intervals=((0, 4, 0, 4, None),))
    made.deliver(0, part)
    made.end_attempt()
    made.end()
    load(qtbot, pane, made.all)
    cursor = pane.before.text.textCursor()
    cursor.setPosition(3)
    pane.before.text.setTextCursor(cursor)
    assert pane.caret_bar.numbers == ("3", "2", "6")


def blocked_prompt() -> list[object]:
    """A prompt of which one processor makes something else, and the next lets nothing through."""
    one = {"id": "pii", "type": "made-up", "hooks": ["processInput"]}
    two = {"id": "secrets", "type": "made-up", "hooks": ["processInput"]}
    made = Events(chain={"input": [one, two], "output": [], "error": []})

    def message(text: str) -> dict[str, object]:
        return {"id": "m1", "role": "user", "content": {"parts": [{"type": "text", "text": text}]}}

    made.put(MessagesChanged, order=(("m1@0", "input"),), versions=(("m1@0", message("KEY a@x")),))
    head = {"hook": "processInput", "processor": "pii"}
    found = {"message_id": "m1", "part_index": 0}
    made.put(
        FindingMade,
        **head,
        **found,
        rule="email",
        start=4,
        end=7,
        outcome="changed",
        replacement="[MAIL]",
    )
    made.put(
        MessagesChanged,
        **head,
        order=(("m1@1", "input"),),
        versions=(("m1@1", message("KEY [MAIL]")),),
    )
    made.put(HookCalled, **head, duration=1, outcome="changed")
    head["processor"] = "secrets"
    made.put(FindingMade, **head, **found, rule="key", start=0, end=3, outcome="blocked")
    made.put(HookCalled, **head, duration=1, outcome="blocked", error="key found")
    made.end("blocked")
    return made.all


def test_a_tripwire_on_the_prompt_cuts_the_text_off(qtbot: QtBot, pane: TextPane) -> None:
    store = load(qtbot, pane, blocked_prompt())
    pick(pane, store, 1)
    assert pane.bar.before.currentText() == "prompt, as sent"
    assert pane.before.head.text() == "user message m1 \u00b7 7 UTF-16 units, 2 matches"
    assert pane.bar.after.currentText() == "secrets"
    assert pane.after.head.text() == "nothing came out"
    assert pane.after.cut.isVisible()
    assert pane.after.cut.title.text() == "Cut off here by the tripwire"
    assert pane.after.cut.given.text() == "KEY [MAIL]"
    assert pane.after.cut.given.outlined == (0, 3)
    pick(pane, store, 0)
    assert pane.bar.after.currentText() == "pii"
    assert pane.after.text.text() == "KEY [MAIL]"
    assert not pane.after.cut.isVisible()
    assert pane.before.text.outlined == (4, 7)
    assert pane.after.text.outlined == (4, 10)


def test_the_text_grows_with_the_run(qtbot: QtBot, pane: TextPane) -> None:
    events = leak_run()
    store = load(qtbot, pane, events[:8])
    assert pane.before.text.text() == "Ann: ann"
    store.extend(events[8:])
    pane.context.events_appended.emit(8, len(events))
    qtbot.waitUntil(lambda: pane.after.text.text() == "Ann: [EMAIL]")


def test_what_a_run_ends_with_is_shown_in_the_turn_that_brings_it(
    qtbot: QtBot, pane: TextPane
) -> None:
    events = leak_run()
    store = load(qtbot, pane, events[:8])
    assert not store.over
    pane._growth.start(1_000_000)  # a share of the text was shown just now
    store.extend(events[8:])
    pane.context.events_appended.emit(8, len(events))
    assert store.over
    assert pane.after.text.text() == "Ann: [EMAIL]"
    assert not pane._growth.isActive()


def test_a_text_that_grows_is_not_put_together_again(
    qtbot: QtBot, pane: TextPane, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each turn of a long run would take as long as all of its text."""
    events = leak_run()
    store = load(qtbot, pane, events[:8])
    whole = TextRun.text
    asked: list[str] = []

    def text(run: TextRun) -> str:
        asked.append(whole.fget(run))  # type: ignore[attr-defined]
        return asked[-1]

    monkeypatch.setattr(TextRun, "text", property(text))
    store.extend(events[8:10])
    pane.context.events_appended.emit(8, 10)
    qtbot.waitUntil(lambda: pane.before.text.text() == "Ann: ann@x")
    assert asked == []
    assert pane.before.head.text().startswith("model \u00b7 10 UTF-16 units")


def test_overlaps_name_the_winner(qtbot: QtBot, pane: TextPane) -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("abcdefghij"))
    for rule, start, end, winner in (("card", 0, 8, None), ("phone", 0, 4, "card")):
        made.put(
            FindingMade,
            hook="processOutputStream",
            processor="pii",
            rule=rule,
            start=start,
            end=end,
            outcome="changed",
            replacement="[C]",
            winner=winner,
            block="t1",
            index=0,
        )
    out = text_delta("[C]ij")
    made.hook(
        0,
        part,
        (out,),
        outcome="changed",
        held=0,
        intervals=((0, 8, 0, 3, "card"), (8, 10, 3, 5, None)),
    )
    made.deliver(0, out)
    made.end_attempt()
    made.end()
    load(qtbot, pane, made.all)
    assert pane.overlap_box.isVisible()
    lines = pane.overlaps.lines("UTF-16")
    assert [(line[1], line[2], line[4]) for line in lines] == [
        ("card", "0\u20138", "wins, longest match"),
        ("phone", "0\u20134", "covered, no replacement of its own"),
    ]
    pane.window().resize(748, 300)
    QApplication.processEvents()
    assert not pane.overlap_box.isVisible()


def test_both_sides_scroll_together(qtbot: QtBot, pane: TextPane) -> None:
    made = Events()
    made.begin_attempt()
    text = "some words on a line\n" * 200
    part = made.chunk(0, text_delta(text))
    out = text_delta("[R]" + text[21:])
    length = len(text)
    made.hook(
        0,
        part,
        (out,),
        outcome="changed",
        held=0,
        intervals=((0, 21, 0, 3, "r"), (21, length, 3, length - 18, None)),
    )
    made.deliver(0, out)
    made.end_attempt()
    made.end()
    load(qtbot, pane, made.all)
    pane.before.text.scroll_to_top(21 * 100)
    assert pane.before.text.top_offset() == 21 * 100
    assert pane.after.text.top_offset() == 21 * 100 - 18
    pane.bar.sync.setChecked(False)
    pane.before.text.scroll_to_top(21 * 10)
    assert pane.after.text.top_offset() == 21 * 100 - 18


def test_an_empty_pane_says_what_to_do(pane: TextPane) -> None:
    assert pane._stack.currentIndex() == 0


def test_the_event_pane_shows_json(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    pane = EventPane(make_context(theme))
    host = QWidget()
    qtbot.addWidget(host)
    line = QVBoxLayout(host)
    line.addWidget(pane)
    for widget in pane.head_widgets():
        line.addWidget(widget)
    host.show()
    events = leak_run()
    pane.context.runs.load(events)
    assert pane.text.text() == ""
    finding = next(e for e in events if e.kind == "finding")
    pane.context.selection.select(seq=finding.seq)
    assert '"rule": "email"' in pane.text.text()
    pane.context.selection.select(row=1, processor="pii")
    assert '"kind": "hook"' in pane.text.text()
    pane.context.selection.select(row=1)
    assert '"kind": "model-chunk"' in pane.text.text()
    pane.context.selection.select(step=0, attempt=0)
    assert '"kind": "attempt-started"' in pane.text.text()
    pane.copy()
    assert QApplication.clipboard().text() == pane.text.text()
