"""Which events belong to which chunk row."""

from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.store.row_places import RowPlaces


@given(st.lists(st.one_of(st.none(), st.integers(-3, 12), st.integers(0, 2**40)), max_size=60))
def test_rows_are_those_of_a_dict_of_lists(indexes: list[int | None]) -> None:
    at_once = RowPlaces()
    at_once.add(indexes, range(len(indexes)))
    places = RowPlaces()
    rows: list[list[int]] = []
    by_index: dict[int, int] = {}
    for place, index in enumerate(indexes):
        places.add((index,), (place,))
        number = by_index.get(index) if index is not None else None
        if number is None:
            number = len(rows)
            rows.append([])
            if index is not None:
                by_index[index] = number
        rows[number].append(place)
    assert len(places) == len(at_once) == len(rows)
    for made in (places, at_once):
        assert [list(made.of(number)) for number in range(len(rows))] == rows
    for index in {*indexes, 5, 2**41}:
        assert places.row_of(index) == (by_index.get(index) if index is not None else None)
