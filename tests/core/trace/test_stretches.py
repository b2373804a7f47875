"""Intervals are found by the units that they share."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tripscope.processor import Interval
from tripscope.trace.stretches import Stretches

_SPOT = st.tuples(st.integers(0, 20), st.integers(0, 6)).map(lambda spot: (spot[0], sum(spot)))


@given(st.lists(_SPOT, max_size=12), _SPOT)
def test_stretches_finds_all_that_share_a_unit(spots: list[tuple[int, int]], asked: Any) -> None:
    intervals: list[Interval] = [(*spot, 0, 0, None) for spot in spots]
    start, end = asked
    expected = sorted(i for i in intervals if i[0] < end and i[1] > start)
    assert sorted(Stretches(intervals).touching(start, end)) == expected
