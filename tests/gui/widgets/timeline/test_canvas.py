"""The canvas: what it draws, and how it is moved."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tripscope_gui.run_store import RunStore
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas
from tripscope_gui.widgets.timeline.data import LaneData, TimelineData
from tripscope_gui.widgets.timeline.paint import LABELS
from tripscope_gui.widgets.timeline.scale import AxisKind


@pytest.fixture
def canvas(qtbot: QtBot, theme: Theme) -> TimelineCanvas:
    made = TimelineCanvas(theme)
    qtbot.addWidget(made)
    made.resize(1592, 168)
    made.show()
    made.show_run(RunStore(example_events("support-agent")), 1)
    return made


def picture(canvas: TimelineCanvas) -> QImage:
    image: QImage = canvas.viewport().grab().toImage()
    return image


def wheel(canvas: TimelineCanvas, x: float, turn: int, *, shift: bool = False) -> None:
    keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    where = QPointF(x, 80)
    event = QWheelEvent(
        where, canvas.viewport().mapToGlobal(where), QPoint(), QPoint(0, turn),
        Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas.viewport(), event)


def test_the_wheel_zooms_at_the_pointer_and_with_shift_it_pans(canvas: TimelineCanvas) -> None:
    at = canvas.scale.value(700)
    unit = canvas.scale.unit
    wheel(canvas, 700, 240)
    assert canvas.scale.unit == pytest.approx(unit / 1.25**2)
    assert canvas.scale.x(at) == pytest.approx(700)
    wheel(canvas, 700, 120, shift=True)
    assert canvas.scale.x(at) == pytest.approx(700 + 120)


def test_a_run_that_was_followed_to_its_tripwire_stands_where_one_shown_whole_does(
    canvas: TimelineCanvas,
) -> None:
    events = example_events("secret-in-prompt")
    canvas.show_run(RunStore(events), 1)
    whole = canvas.scale
    assert canvas.data is not None
    calls = canvas.data.before_steps("time")
    assert calls is not None
    assert calls[0] - whole.low < 0.1 * (whole.high - whole.low), "it begins with the first call"
    store = RunStore(events[:1])
    canvas.show_run(store, 1)
    for event in events[1:]:
        store.extend([event])
        canvas.grow()
    assert canvas.scale == whole


@pytest.mark.parametrize("key", [Qt.Key.Key_W, Qt.Key.Key_S, Qt.Key.Key_A, Qt.Key.Key_D])
def test_keys_move_the_view_and_f_brings_all_back(
    qtbot: QtBot, canvas: TimelineCanvas, key: Qt.Key
) -> None:
    before, whole = canvas.scale, picture(canvas)
    qtbot.keyClick(canvas, key)
    assert canvas.scale != before
    assert picture(canvas) != whole
    qtbot.keyClick(canvas, Qt.Key.Key_F)
    assert canvas.scale == before
    assert picture(canvas) == whole


def test_a_drag_pans_by_what_the_pointer_went(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    at = canvas.scale.value(800)
    view = canvas.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(800, 100))
    for x in (780, 700, 650):
        qtbot.mouseMove(view, QPoint(x, 100))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(650, 100))
    assert canvas.scale.x(at) == pytest.approx(650)


def test_the_column_of_times_needs_room(canvas: TimelineCanvas) -> None:
    assert canvas.area().times
    canvas.resize(1272, 150)
    assert not canvas.area().times
    assert canvas.scale.left == LABELS
    assert canvas.scale.width == 1272 - LABELS


def test_holds_and_outcomes_are_drawn_in_their_colours(canvas: TimelineCanvas) -> None:
    image, palette = picture(canvas), canvas._theme.palette
    assert canvas.data is not None
    lane = next(n for n, data in enumerate(canvas.data.lanes) if data.id == "regex-filter")
    middle = int(canvas.area().lane_top(lane) + canvas.area().lane / 2)
    seen = {image.pixelColor(x, middle).name() for x in range(LABELS, image.width() - 130)}
    assert palette.held_ground.name() in seen
    assert palette.outcome("changed").name() in seen
    assert palette.outcome("pass").name() in seen
    assert palette.outcome("blocked").name() not in seen


def test_zoomed_far_in_the_picture_still_comes(canvas: TimelineCanvas) -> None:
    for _ in range(60):
        canvas.zoom(2)
    assert canvas.scale.unit > 0
    picture(canvas)
    for _ in range(80):
        canvas.zoom(0.5)
    picture(canvas)


def test_a_picture_is_right_while_events_wait_to_be_told(qtbot: QtBot, theme: Theme) -> None:
    events = example_events("support-agent")
    store = RunStore()
    made = TimelineCanvas(theme)
    qtbot.addWidget(made)
    made.resize(1592, 168)
    made.show()
    made.show_run(store, 1)
    for first in range(0, len(events), 5):
        store.extend(events[first : first + 5])
        picture(made)
    made.grow()
    late = picture(made)
    made.show_run(store, 1)
    assert picture(made) == late


def on_screen(canvas: TimelineCanvas) -> QImage:
    """What is seen: painted part by part, as it was asked for."""
    image: QImage = canvas.screen().grabWindow(canvas.winId()).toImage()
    return image.convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.parametrize("kind", ["time", "sequence"])
@pytest.mark.parametrize("zoomed", [False, True])
def test_what_grew_is_on_screen(qtbot: QtBot, theme: Theme, kind: AxisKind, zoomed: bool) -> None:
    events = example_events("support-agent")
    store = RunStore()
    made = TimelineCanvas(theme)
    qtbot.addWidget(made)
    made.resize(1592, 168)
    made.show_run(store, 1)
    made.set_kind(kind)
    made.show()
    qtbot.waitExposed(made)
    for first in range(0, len(events), 7):
        store.extend(events[first : first + 7])
        made.grow()
        if zoomed and first == 70:
            made.zoom(3, 500)
        QApplication.processEvents()
        asked = picture(made).convertToFormat(QImage.Format.Format_RGB32)
        assert on_screen(made) == asked, first


def test_a_growing_run_has_room_and_a_finished_one_fills_the_width(
    qtbot: QtBot, theme: Theme
) -> None:
    events = example_events("support-agent")
    store = RunStore(events[: len(events) // 2])
    made = TimelineCanvas(theme)
    qtbot.addWidget(made)
    made.resize(1592, 168)
    made.show_run(store, 1)
    assert made.data is not None
    shares, scales = [], []
    for event in events[len(events) // 2 :]:
        store.append(event)
        made.grow()
        shares.append(made.data.end("time") / made.scale.high)
        scales.append(made.scale)
    assert len(set(scales)) < len(scales) / 10
    assert all(0.75 < share < 1 for share in shares)
    assert shares[-1] == pytest.approx(1 / 1.02)


def test_tooltips_come_from_the_viewport(
    monkeypatch: pytest.MonkeyPatch, canvas: TimelineCanvas
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, _widget: said.append(text))
    assert canvas.data is not None
    attempt = canvas.data.store.attempts.all[0]
    place = QPoint(round(canvas.scale.x(attempt.start)) + 20, 30)
    QApplication.sendEvent(
        canvas.viewport(),
        QHelpEvent(QEvent.Type.ToolTip, place, canvas.viewport().mapToGlobal(place)),
    )
    assert len(said) == 1
    assert "step 0" in said[0]


def test_a_frame_asks_each_lane_for_its_time_twice_at_most(
    canvas: TimelineCanvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, asked = canvas.data, []
    assert data is not None
    assert len(data.lanes) > 3
    at_once = TimelineData.time_spent

    def time_spent(self: TimelineData, lane: LaneData) -> int | None:
        asked.append(lane)
        return at_once(self, lane)

    monkeypatch.setattr(TimelineData, "time_spent", time_spent)
    picture(canvas)
    frames = 2  # showing and grabbing
    assert len(data.lanes) <= len(asked) <= 2 * len(data.lanes) * frames
