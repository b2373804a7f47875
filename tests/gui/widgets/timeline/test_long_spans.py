"""Long spans are found at any scale, also those that begin before the view, and open ones."""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.widgets.timeline.long_spans import LongSpans

Spans = list[tuple[int, int]]
spans = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 900)), max_size=60)


def grow(starts: array[int], ends: array[int], made: Spans) -> None:
    at = starts[-1] if starts else 0
    for gap, length in made:
        at += gap
        starts.append(at)
        ends.append(at + length)


@given(st.lists(spans, max_size=9), st.integers(0, 9000), st.integers(1, 9000), st.integers(0, 400))
def test_long_spans_are_found_wherever_they_begin(
    parts: list[Spans], low: int, width: int, least: int
) -> None:
    parts = [part * 9 for part in parts]
    starts, ends = array("q"), array("q")
    found, high = LongSpans(starts, ends), low + width
    for part in parts:
        grow(starts, ends, part)
        assert list(found.find(low, high, least, 10**6)) == [
            place
            for place in range(len(starts))
            if ends[place] - starts[place] >= max(1, least)
            and starts[place] <= high
            and ends[place] >= low
        ]


def test_an_open_span_lasts_until_it_is_closed() -> None:
    starts, ends = array("q", [10]), array("q", [-1])
    found = LongSpans(starts, ends)
    assert list(found.find(100, 200, 20, 150)) == [0]
    ends[0] = 30
    assert list(found.find(100, 200, 20, 150)) == []
    assert list(found.find(0, 20, 20, 150)) == [0]


def test_several_may_be_open_while_others_come_and_end() -> None:
    starts, ends = array("q", [10, 20, 30]), array("q", [-1, 25, -1])
    found = LongSpans(starts, ends)
    assert list(found.find(0, 99, 5, 90)) == [1, 0, 2]
    starts.extend([40, 50])
    ends.extend([44, -1])
    ends[0] = 60
    assert list(found.find(0, 99, 5, 90)) == [0, 1, 2, 4]
    assert list(found.find(55, 99, 5, 90)) == [0, 2, 4]


def test_a_search_passes_over_short_spans() -> None:
    class Counting(array):  # type: ignore[type-arg]
        asked = 0

        def __getitem__(self, place: Any) -> Any:
            Counting.asked += isinstance(place, int)
            return super().__getitem__(place)

    count = 100_000
    starts = Counting("q", range(0, 10 * count, 10))
    ends = array("q", range(1, 10 * count, 10))
    ends[70_000] = starts[70_000] + 9_000
    found = LongSpans(starts, ends)
    assert list(found.find(0, 10 * count, 100, 0)) == [70_000]
    Counting.asked = 0
    assert list(found.find(0, 10 * count, 100, 0)) == [70_000]
    assert Counting.asked < 200
