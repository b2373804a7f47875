"""The comparison itself can fail, and says where."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.lifecycle.compare import first_difference

RECORD = {"calls": [{"hooks": [{"hook": "a"}, {"hook": "b", "n": 1}], "ok": True}]}


@pytest.mark.parametrize(
    ("got", "place"),
    [
        ({"calls": []}, "$.calls[0]"),
        ({"calls": [{"hooks": [{"hook": "a"}], "ok": True}]}, "$.calls[0].hooks[1]"),
        (
            {"calls": [{"hooks": [{"hook": "a"}, {"hook": "b", "n": 2}], "ok": True}]},
            "$.calls[0].hooks[1].n",
        ),
        (
            {"calls": [{"hooks": [{"hook": "a"}, {"hook": "b", "n": True}], "ok": True}]},
            "$.calls[0].hooks[1].n",
        ),
        (
            {"calls": [{"hooks": [{"hook": "a"}, {"hook": "b", "n": 1}], "ok": True, "x": None}]},
            "$.calls[0].x",
        ),
        ({"calls": [{"hooks": "none", "ok": True}]}, "$.calls[0].hooks"),
    ],
)
def test_the_first_difference_is_named(got: Any, place: str) -> None:
    found = first_difference(RECORD, got)
    assert found is not None
    assert found.startswith(f"{place}:\n  expected ")


def test_order_of_keys_does_not_matter() -> None:
    assert first_difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) is None
