"""Every axis value lies in one column, and columns are as wide as was asked."""

from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.widgets.timeline.grid import Grid

UNITS = st.floats(0.001, 1e9)
VALUES = st.integers(0, 10**12)


@given(UNITS, VALUES)
def test_a_value_lies_between_the_edges_of_its_column(unit: float, value: int) -> None:
    grid = Grid(unit)
    column = grid.column(value)
    assert grid.edge(column) <= value < grid.edge(column + 1)


@given(UNITS, st.lists(VALUES))
def test_columns_of_many_values_are_those_of_each(unit: float, values: list[int]) -> None:
    grid = Grid(unit)
    assert list(grid.columns(values)) == [grid.column(value) for value in values]


@given(st.floats(1, 1e9))
def test_over_a_wide_screen_the_last_column_is_off_by_less_than_a_tenth(unit: float) -> None:
    assert abs(Grid(unit).unit - unit) * 4000 < 0.1 * unit
