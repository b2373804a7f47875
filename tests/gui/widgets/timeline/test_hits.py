"""What the pointer is on: signs of advisories."""

import pytest
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tripscope_gui.run_store import RunStore
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas
from tripscope_gui.widgets.timeline.hits import hit
from tripscope_gui.widgets.timeline.scale import AxisKind


@pytest.mark.parametrize("axis", ["time", "sequence"])
def test_an_advisory_sign_says_what_it_stands_for(
    qtbot: QtBot, theme: Theme, axis: AxisKind
) -> None:
    canvas = TimelineCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(1592, 168)
    canvas.show()
    store = RunStore(example_events("support-agent"))
    canvas.show_run(store, 1)
    canvas.set_kind(axis)
    assert canvas.data is not None
    seen = set()
    for advisory in store.advisories:
        about = store.event(advisory.about)
        assert about is not None
        number = next((n for n, x in enumerate(canvas.data.lanes) if x.id == about.processor), 0)
        x = canvas.scale.x(about.time if axis == "time" else about.seq) + 14  # its middle
        y = canvas.area().lane_top(number) + canvas.area().lane // 2
        found = hit(canvas.data, canvas.scale, canvas.area(), 1, x, y)
        assert found is not None
        assert f"advisory {advisory.row}: {advisory.sentence}" in found.words
        seen.add(found.words)
    assert seen
