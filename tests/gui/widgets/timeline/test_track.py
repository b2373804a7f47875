"""Levels of detail show the same as looking at each span."""

from array import array
from bisect import bisect_left
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.widgets.timeline import track as module
from tripscope_gui.widgets.timeline.track import NONE, Track

Spans = list[tuple[int, int, int]]


def make(spans: Spans) -> Track:
    starts, ends, codes = array("q"), array("q"), array("B")
    at = 0
    for gap, length, code in spans:
        at += gap
        starts.append(at)
        ends.append(at + length)
        codes.append(code)
    return Track(starts, ends, codes)


def expected(track: Track, low: float, unit: float, width: int) -> bytearray:
    """Every span, one by one."""
    first = int(low // unit)
    row = bytearray([NONE]) * (width + 1)
    for start, code in zip(track.starts, track.codes, strict=True):
        pixel = int(start / unit) - first
        if 0 <= pixel <= width:
            row[pixel] = min(row[pixel], code)
    return row


spans = st.lists(
    st.tuples(st.integers(0, 300), st.integers(0, 900), st.integers(0, 8)), max_size=60
)


@given(
    spans, st.integers(0, 2000), st.sampled_from([1.0, 2.0, 8.0, 16.0, 64.0]), st.integers(5, 90)
)
def test_levels_show_what_single_spans_show(made: Spans, low: int, unit: float, width: int) -> None:
    track = make(made)
    few = module.FEW
    module.FEW = 0  # type: ignore[misc]
    try:
        row, before = track.pixels(low, unit, width)
    finally:
        module.FEW = few  # type: ignore[misc]
    assert row == expected(track, low, unit, width)
    assert 0 <= before < 1


@given(spans, st.lists(st.integers(-200, 200), max_size=8), st.sampled_from([1.0, 3.7, 40.0]))
def test_panning_shows_what_a_fresh_view_shows(made: Spans, moves: list[int], unit: float) -> None:
    track, low = make(made), 500.0
    track.pixels(low, unit, 40)
    for move in moves:
        low += move * unit / 3
        assert track.pixels(low, unit, 40) == make(made).pixels(low, unit, 40)


@given(spans, spans)
def test_spans_that_come_later_are_added_to_levels(early: Spans, late: Spans) -> None:
    track = make(early)
    few = module.FEW
    module.FEW = 0  # type: ignore[misc]
    try:
        track.pixels(0, 16.0, 50)
        grown = make([*early, *late])
        for name in ("starts", "ends", "codes"):
            getattr(track, name).extend(getattr(grown, name)[len(early) :])
        assert track.pixels(0, 16.0, 50)[0] == expected(track, 0, 16.0, 50)
    finally:
        module.FEW = few  # type: ignore[misc]


@given(spans, st.integers(0, 3000), st.integers(1, 2000), st.integers(1, 400))
def test_long_spans_are_found_wherever_they_begin(
    made: Spans, low: int, width: int, least: int
) -> None:
    track = make(made)
    high = low + width
    found = sorted(track.long_spans(low, high, least, 10**6))
    assert found == [
        place
        for place in range(len(track))
        if track.ends[place] - track.starts[place] >= least
        and track.starts[place] <= high
        and track.ends[place] >= low
    ]


def test_an_open_span_lasts_until_it_is_closed() -> None:
    track = make([(10, 5, 0)])
    track.ends[0] = -1
    assert list(track.long_spans(100, 200, 20, 150)) == [0]
    track.ends[0] = 30
    assert list(track.long_spans(100, 200, 20, 150)) == []
    assert list(track.long_spans(0, 20, 20, 150)) == [0]


def test_nearest_is_by_distance() -> None:
    track = make([(10, 0, 0), (10, 0, 0), (50, 0, 0)])
    assert [track.nearest(at) for at in (0, 14, 16, 44, 46, 999)] == [0, 0, 1, 1, 2, 2]
    assert make([]).nearest(4) is None
    assert bisect_left(track.starts, 20) == 1


def test_levels_made_of_finer_ones_show_what_levels_of_all_spans_show() -> None:
    random = Random(3)
    starts = array("q", sorted(random.randrange(4_000_000) for _ in range(20_000)))
    codes = array("B", (random.choice((5, 5, 5, 4, 1)) for _ in starts))
    grown = Track(array("q"), array("q"), array("B"))
    unit = 40.0
    for first in range(0, len(starts), 2500):
        grown.starts.extend(starts[first : first + 2500])
        grown.ends.extend(starts[first : first + 2500])
        grown.codes.extend(codes[first : first + 2500])
        # as the run grows, a pixel stands for more time, and a coarser level is asked for
        unit *= 1.9
        grown.pixels(0, unit, 1000)
    at_once = Track(starts, starts, codes)
    assert len(grown._levels) > 3
    for width in (unit, 2 * unit):
        assert grown.pixels(0, width, 1000) == at_once.pixels(0, width, 1000)
