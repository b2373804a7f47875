"""Columns show the same as looking at each span, also of a run that grows."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.widgets.timeline.track import NONE, Track

Spans = list[tuple[int, int, int]]
ORDER = (7, 6, 5, 8, 4, 3, 2, 1, 0)
RANK = {NONE: -1} | {code: rank for rank, code in enumerate(ORDER)}


def make(spans: Spans) -> Track:
    track = Track(array("q"), array("q"), bytearray(), ORDER)
    grow(track, spans)
    return track


def grow(track: Track, spans: Spans) -> None:
    starts, ends, codes = track.starts, track.ends, track.codes
    at = starts[-1] if starts else 0
    for gap, length, code in spans:
        at += gap
        starts.append(at)
        ends.append(at + length)
        codes.append(code)


def expected(track: Track, low: float, unit: float, width: int) -> bytearray:
    """Every span, one by one."""
    first = int(low // unit)
    row = bytearray([NONE]) * (width + 1)
    for start, code in zip(track.starts, track.codes, strict=True):
        pixel = int(start / unit) - first
        if 0 <= pixel <= width:
            row[pixel] = max(row[pixel], code, key=RANK.__getitem__)
    return row


spans = st.lists(
    st.tuples(st.integers(0, 300), st.integers(0, 900), st.integers(0, 8)), max_size=60
)


@given(
    spans, st.integers(0, 2000), st.sampled_from([1.0, 2.0, 8.0, 16.0, 64.0]), st.integers(5, 90)
)
def test_a_column_shows_what_is_most_worth_seeing_of_its_spans(
    made: Spans, low: int, unit: float, width: int
) -> None:
    track = make(made)
    row, before = track.pixels(low, unit, width)
    assert row == expected(track, low, unit, width)
    assert 0 <= before < 1


@given(spans, st.lists(st.integers(-200, 200), max_size=8), st.sampled_from([1.0, 3.7, 40.0]))
def test_panning_shows_what_a_fresh_view_shows(made: Spans, moves: list[int], unit: float) -> None:
    track, low = make(made), 500.0
    track.pixels(low, unit, 40)
    for move in moves:
        low += move * unit / 3
        assert track.pixels(low, unit, 40) == make(made).pixels(low, unit, 40)


@given(
    st.lists(spans, max_size=6), st.integers(-400, 2000), st.sampled_from([1.0, 3.7, 16.0, 40.0])
)
def test_spans_that_come_later_are_put_into_the_columns_that_stand(
    parts: list[Spans], low: int, unit: float
) -> None:
    track, fresh = make([]), make([])
    for part in parts:
        grow(track, part)
        grow(fresh, part)
        row = track.pixels(low, unit, 50)
        assert row == Track(fresh.starts, fresh.ends, fresh.codes, ORDER).pixels(low, unit, 50)


def test_nearest_is_by_distance() -> None:
    track = make([(10, 0, 0), (10, 0, 0), (50, 0, 0)])
    assert [track.nearest(at) for at in (0, 14, 16, 44, 46, 999)] == [0, 0, 1, 1, 2, 2]
    assert make([]).nearest(4) is None
