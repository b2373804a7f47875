"""A row tells its ratio and whether its goal is met, or that it can't be told."""

import json

import pytest

from tests.bench.rows import Row, table


@pytest.mark.parametrize(
    ("row", "ratio", "met"),
    [
        (Row("a", 5, "µs", reference=10, goal=0.5), 0.5, True),
        (Row("a", 6, "µs", reference=10, goal=0.5), 0.6, False),
        (Row("a", 6, "µs", reference=10), 0.6, None),
        (Row("a", 6, "µs", goal=0.5), None, None),
        (Row("a", 6, "ms", goal=16, against_value=True), None, True),
        (Row("a", 60, "ms", reference=10, goal=16, against_value=True), 6, False),
    ],
)
def test_ratio_and_goal(row: Row, ratio: float | None, met: bool | None) -> None:
    assert (row.ratio, row.met) == (ratio, met)


def test_json_names_every_field_and_null_goals() -> None:
    data = json.loads(json.dumps(Row("a", 6, "µs").to_json()))
    assert data == {
        "name": "a",
        "value": 6,
        "unit": "µs",
        "reference": None,
        "ratio": None,
        "goal": None,
        "met": None,
    }


def test_table_has_a_line_per_row_and_shouts_a_missed_goal() -> None:
    text = table([Row("short", 5, "µs"), Row("much longer", 12345, "µs", reference=1, goal=1)])
    lines = text.splitlines()
    assert len(lines) == 3
    assert lines[2].split()[-1] == "NO"
    assert "12345" in lines[2]
