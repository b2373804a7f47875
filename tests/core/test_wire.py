"""Objects that travel: reading keeps what it does not know, writing gives it back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.support.json_values import objects, spelled
from tripscope.wire import JSON, WireObject, camel_case


class Sample(WireObject, kw_only=True):
    tool_name: str
    from_: JSON
    is_continued: bool | None = None
    counts: list[JSON] | None = None


KEYS = ("toolName", "from", "isContinued", "counts", "tool_name", "extra")


@pytest.mark.parametrize(
    ("name", "key"),
    [("text", "text"), ("tool_call_id", "toolCallId"), ("from_", "from"), ("a_b_", "aB")],
)
def test_a_field_is_spelled_in_camel_case(name: str, key: str) -> None:
    assert camel_case(name) == key


@given(objects(KEYS))
def test_what_fits_is_written_as_it_was_read(wire: dict[str, Any]) -> None:
    wire = {"toolName": "t", "from": None} | wire
    if not isinstance(wire["toolName"], str):
        assert not Sample.fits(wire)
        return
    before = spelled(wire)
    assert Sample.fits(wire)
    assert spelled(Sample.from_wire(wire).to_wire()) == before
    assert spelled(wire) == before


@pytest.mark.parametrize("wire", [None, 1, "x", [], {}, {"toolName": "t"}, {"from": 1}])
def test_what_lacks_a_required_key_does_not_fit(wire: JSON) -> None:
    assert not Sample.fits(wire)


def test_absent_and_null_stay_apart() -> None:
    absent = {"toolName": "t", "from": 1}
    null = absent | {"isContinued": None}
    assert Sample.from_wire(absent).to_wire() == absent
    assert Sample.from_wire(null).to_wire() == null
    assert Sample.from_wire(null).is_continued is None


def test_a_field_that_is_set_later_is_written() -> None:
    sample = Sample.from_wire({"toolName": "t", "from": 1, "isContinued": None})
    sample.is_continued = True
    assert sample.to_wire()["isContinued"] is True
