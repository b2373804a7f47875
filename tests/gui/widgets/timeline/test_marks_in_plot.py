"""What stands over the lanes: the arc from a rejected attempt to the next, signs of advisories."""

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import Events
from tripscope.chunks import text_delta
from tripscope.trace.events import AnyEvent, StateChanged
from tripscope_gui.run_store import RunStore
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas
from tripscope_gui.widgets.timeline.paint import HEAD


def shown(qtbot: QtBot, theme: Theme, run: str | list[AnyEvent]) -> TimelineCanvas:
    canvas = TimelineCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(1592, 196)
    canvas.show()
    canvas.show_run(RunStore(example_events(run) if isinstance(run, str) else run), 1)
    return canvas


def columns_with(image: QImage, color: QColor, rows: range) -> list[int]:
    """The x at which a colour stands in some rows."""
    return [x for x in range(image.width()) if any(image.pixelColor(x, y) == color for y in rows)]


def test_a_retry_is_an_arc_to_the_next_attempt(qtbot: QtBot, theme: Theme) -> None:
    canvas = shown(qtbot, theme, "support-agent")
    assert canvas.data is not None
    attempts = canvas.data.store.attempts.all
    rejected = next(attempt for attempt in attempts if attempt.rejected)
    following = attempts[attempts.index(rejected) + 1]
    image = canvas.viewport().grab().toImage()
    area = canvas.area()
    # rows of a lane between the model, at which it ends, and the guardrail, where it begins
    lane = [data.id for data in canvas.data.lanes].index("unicode-normalizer")
    rows = range(int(area.lane_top(lane)) + 2, int(area.lane_top(lane) + area.lane) - 2)
    assert rows.start > HEAD
    red = theme.palette.outcome("blocked")
    found = columns_with(image, red, rows)
    start = canvas.scale.x(following.start)
    assert found
    assert min(found) > start
    assert max(found) - start < 120


def test_without_a_retry_there_is_no_arc(qtbot: QtBot, theme: Theme) -> None:
    canvas = shown(qtbot, theme, "half-an-address")
    image = canvas.viewport().grab().toImage()
    area = canvas.area()
    rows = range(int(area.lane_top(0)) + 2, int(area.lane_top(0) + area.lane) - 2)
    assert columns_with(image, theme.palette.outcome("blocked"), rows) == []


def test_an_advisory_has_a_sign_in_the_lane_that_it_is_about(qtbot: QtBot, theme: Theme) -> None:
    for name, lane_id in (("support-agent", "quality-guardrail"), ("half-an-address", "client")):
        canvas = shown(qtbot, theme, name)
        assert canvas.data is not None
        lane = [data.id for data in canvas.data.lanes].index(lane_id)
        area = canvas.area()
        rows = range(int(area.lane_top(lane)) + 1, int(area.lane_top(lane) + area.lane) - 1)
        image = canvas.viewport().grab().toImage()
        found = columns_with(image, theme.palette.outcome("flagged"), rows)
        assert bool(found) is bool(canvas.data.store.advisories), name


@pytest.mark.parametrize("pixels", [2, 8, 40])
def test_a_block_has_its_badge_however_wide_its_call_is_drawn(
    qtbot: QtBot, theme: Theme, pixels: int
) -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("no"))
    call = made.hook(0, part, (), outcome="blocked")
    for _ in range(100):
        made.put(StateChanged, changes=())
    made.end("blocked", tripwire={"reason": "no", "processorId": "pii"})
    canvas = shown(qtbot, theme, made.all)
    assert canvas.data is not None
    end = call.time + call.duration
    canvas.pan(canvas.scale.x(end) - (canvas.scale.left + canvas.scale.width / 2))
    canvas.zoom(canvas.scale.unit / (call.duration / pixels))
    middle = round(canvas.scale.x(end))
    lane = [data.id for data in canvas.data.lanes].index(call.processor)
    area = canvas.area()
    row = int(area.lane_top(lane) + area.lane / 2) - 6  # above the letter
    image = canvas.viewport().grab().toImage()
    red = theme.palette.outcome("blocked")
    # a badge's octagon, not the two edges of a box
    assert all(image.pixelColor(x, row) == red for x in range(middle - 2, middle + 1))
