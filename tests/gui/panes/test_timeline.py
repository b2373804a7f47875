"""The timeline pane: the selection both ways, the stretch, by time and by sequence."""

from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.pane_context import changes, feed, open_pane
from tripscope.trace.events import ModelChunk
from tripscope_gui.panes.timeline import TimelinePane
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.timeline.paint import HEAD, RULER

SIZE = (1500, 196)


def lane_y(pane: TimelinePane, lane: str) -> int:
    assert pane.canvas.data is not None
    names = [data.id for data in pane.canvas.data.lanes]
    area = pane.canvas.area()
    return int(area.lane_top(names.index(lane)) + area.lane / 2)


def click(qtbot: QtBot, pane: TimelinePane, x: float, y: float) -> None:
    place = QPoint(round(x), round(y))
    qtbot.mouseClick(pane.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_chunk_picked_in_its_lane_is_selected(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, example_events("support-agent"), SIZE)
    store = pane.store
    assert store is not None
    row = next(r for r in store.rows if r.step == 1 and r.type == "text-delta")
    assert isinstance(row.model, ModelChunk)
    seen = changes(pane.context)
    click(qtbot, pane, pane.canvas.scale.x(row.model.time), lane_y(pane, "model"))
    assert [(s.row, s.step, s.attempt) for s in seen] == [(row.number, 1, 0)]
    assert pane.canvas.cursor_value() == row.time


def test_lanes_and_attempts_can_be_picked(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, example_events("support-agent"), SIZE)
    seen = changes(pane.context)
    click(qtbot, pane, 40, lane_y(pane, "secrets"))
    assert seen[-1].processor == "secrets"
    store = pane.store
    assert store is not None
    rejected = next(attempt for attempt in store.attempts if attempt.rejected)
    click(qtbot, pane, pane.canvas.scale.x(rejected.start) + 12, HEAD - 10)
    assert (seen[-1].step, seen[-1].attempt) == rejected.key


def test_a_stretch_chosen_in_the_ruler_restricts_and_escape_ends_it(
    qtbot: QtBot, theme: Theme
) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, example_events("support-agent"), SIZE)
    store, view = pane.store, pane.canvas.viewport()
    assert store is not None
    attempt = store.attempts.all[-1]
    left = QPoint(round(pane.canvas.scale.x(attempt.start)) + 1, RULER - 6)
    right = QPoint(round(pane.canvas.scale.x(attempt.end)) + 2, RULER - 6)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=left)
    qtbot.mouseMove(view, QPoint((left.x() + right.x()) // 2, left.y()))
    qtbot.mouseMove(view, right)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=right)
    stretch = pane.context.stretch
    assert stretch is not None
    first, last = (store.event(seq) for seq in stretch)
    assert first is not None
    assert last is not None
    assert attempt.start <= first.time <= last.time <= attempt.end + 3 * pane.canvas.scale.unit
    assert last.seq > attempt.first_seq + 20
    qtbot.keyClick(pane.canvas, Qt.Key.Key_Escape)
    assert pane.context.stretch is None
    assert pane.canvas.stretch is None


def test_keys_step_through_chunks_and_lanes(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, example_events("tool-loop"), SIZE)
    seen = changes(pane.context)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Down):
        qtbot.keyClick(pane.canvas, key)
    assert [s.row for s in seen] == [0, 1, 0, 0]
    assert seen[-1].processor == "regex-filter"


def test_by_sequence_each_event_has_its_place(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, example_events("support-agent"), SIZE)
    pane.axis.set_current("sequence")
    store = pane.store
    assert store is not None
    finding = store.findings[-1]
    pane.context.selection.select(finding=finding.seq, seq=finding.seq)
    assert pane.canvas.cursor_value() == finding.seq
    pane.grab()
    assert pane.canvas.scale.kind == "sequence"


def test_a_growing_run_stays_in_view(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, size=SIZE)
    events = example_events("support-agent")
    run = feed(pane.context, events[: len(events) // 2])
    qtbot.waitUntil(lambda: pane.canvas.scale.high > run.store.totals.time > 0)
    assert pane.canvas.scale.low < 0
    pane.grab()
    qtbot.keyClick(pane.canvas, Qt.Key.Key_W)
    zoomed = pane.canvas.scale
    run.store.extend(events[len(events) // 2 :])
    pane.context.events_appended.emit(len(events) // 2, len(events))
    assert pane.canvas.scale == zoomed
    qtbot.keyClick(pane.canvas, Qt.Key.Key_F)
    assert pane.canvas.scale.high > run.store.totals.time
    pane.grab()


def test_tooltips_name_what_is_under_the_pointer(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, example_events("tool-loop"), SIZE)
    store = pane.store
    assert store is not None
    started = store.tools[0].started
    x = pane.canvas.scale.x(started.time) + 30
    found = pane.canvas.hit(QPointF(x, lane_y(pane, "tools")))
    assert found is not None
    assert found.words.startswith("tool lookup_customer")


def test_without_a_run_it_is_empty_and_still(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, size=SIZE)
    for key in (Qt.Key.Key_W, Qt.Key.Key_D, Qt.Key.Key_F, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(pane.canvas, key)
    pane.grab()
    assert pane.canvas.hit(QPointF(300, 60)) is None


def test_another_run_is_shown_whole(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, TimelinePane, example_events("tool-loop"), SIZE)
    pane.context.set_stretch((3, 9))
    pane.context.runs.load(example_events("support-agent"))
    assert pane.context.stretch is None
