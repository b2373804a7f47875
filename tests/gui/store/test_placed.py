from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.store.placed import GrowingIndex


class Stretch(NamedTuple):
    start: int
    end: int
    name: int


STRETCHES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), max_size=6)


@given(st.lists(STRETCHES, max_size=8), st.integers(0, 40), st.integers(0, 12))
def test_what_is_added_in_any_order_is_found_by_place(
    batches: list[list[tuple[int, int]]], low: int, width: int
) -> None:
    index: GrowingIndex[Stretch] = GrowingIndex()
    every: list[Stretch] = []
    for batch in batches:
        new = [Stretch(at, at + long, len(every) + n) for n, (at, long) in enumerate(batch)]
        every += new
        index.add(*new)
    # those that start alike stay in the order in which they came
    every.sort(key=lambda stretch: stretch.start)
    assert index.items == every
    high = low + width
    touching = [s for s in every if s.start < high and s.end > low]
    assert list(index.touching(low, high)) == touching
    assert index.before(low) == sum(s.start < low for s in every)
