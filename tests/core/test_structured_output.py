"""The part of JSON Schema that answers are checked against."""

from __future__ import annotations

from typing import Any

import pytest

from tripscope.structured_output import check

SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "kind": {"enum": ["a", "b"]},
        "tags": {"type": "array", "items": {"type": ["string", "null"]}},
        "count": {"type": "integer"},
        "rate": {"type": "number"},
    },
}


@pytest.mark.parametrize(
    "value",
    [
        {"name": "x"},
        {"name": "x", "kind": "a", "tags": ["t", None], "count": 2, "rate": 1, "more": 1},
        {"name": "x", "count": 2.0},
    ],
)
def test_fits(value: Any) -> None:
    check(value, SCHEMA)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([], r"\$ is not of type object"),
        ({}, r"\$ lacks 'name'"),
        ({"name": 1}, r"\$\.name is not of type string"),
        ({"name": "x", "kind": "c"}, r"\$\.kind is none of"),
        ({"name": "x", "tags": ["t", 1]}, r"\$\.tags\[1\] is not of type string or null"),
        ({"name": "x", "count": 1.5}, r"\$\.count"),
        ({"name": "x", "count": True}, r"\$\.count"),
        ({"name": "x", "rate": True}, r"\$\.rate"),
    ],
)
def test_does_not_fit_and_says_where(value: Any, place: str) -> None:
    with pytest.raises(ValueError, match=place):
        check(value, SCHEMA)


def test_no_schema_takes_anything() -> None:
    check([1, {"x": None}], None)
