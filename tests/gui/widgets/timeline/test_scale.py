from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.widgets.timeline.scale import Scale


@given(st.floats(1.01, 4), st.floats(180, 1200))
def test_what_is_under_the_pointer_stays_there(factor: float, x: float) -> None:
    scale = Scale("time", 0, 3e9, 172, 1300)
    at = scale.value(x)
    for zoomed in (scale.zoomed(factor, x, 1e12), scale.zoomed(1 / factor, x, 1e12)):
        assert zoomed.x(at) == pytest.approx(x, abs=0.01)


def test_zoom_ends_at_both_sides() -> None:
    scale = Scale("time", 0, 1e9, 0, 1000)
    assert scale.zoomed(1e12, 500, 2e9).unit == pytest.approx(2.0)
    assert scale.zoomed(1e-12, 500, 2e9).unit == pytest.approx(2e6)


@pytest.mark.parametrize(
    ("high", "words"),
    [
        (3.3e9, ["0.0 s", "0.5 s", "1.0 s"]),
        (3e6, ["0.0 ms", "0.5 ms", "1.0 ms"]),
        (90e3, ["0 µs", "20 µs", "40 µs"]),
    ],
)
def test_marks_are_round_and_name_their_unit(high: float, words: list[str]) -> None:
    marks = list(Scale("time", 0, high, 0, 1000).marks())
    assert [text for _, text in marks][:3] == words
    gaps = {round(b - a) for (a, _), (b, _) in pairwise(marks)}
    assert len(gaps) == 1


def test_event_numbers_are_whole() -> None:
    marks = list(Scale("sequence", 0, 9, 0, 1000).marks())
    assert [text for _, text in marks][:3] == ["0", "2", "4"]


def test_the_view_stays_on_the_run() -> None:
    scale = Scale("time", 0, 100, 0, 100).panned(900).kept_within(0, 100)
    assert (scale.low, scale.high) == (50, 150)
