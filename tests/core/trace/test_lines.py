"""Lines are ASCII JSON that any reader takes, whatever lies in them."""

import datetime
import enum
import json
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.trace.strategies import JSON
from tripscope.trace.lines import NotJSON, dumps, encodable, escaped, line_of, loads


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Point:
    x: int


FOREIGN = {
    "bytes": b"\xff",
    "date": datetime.datetime(2030, 1, 1),
    "enum": Colour.RED,
    "dataclass": Point(1),
    "struct": msgspec.Raw(b"{"),
    "decimal": Decimal("1.5"),
    "uuid": uuid.UUID(int=0),
    "not a number": float("nan"),
    "infinite": [float("inf")],
    "keys": {1: 2, None: 3, (4,): 5},
    "huge": 10**5000,
    "half": "\ud83d",
    "halves": {"\ud83d": ["\ude00"]},
    "tuples": ((1, "a"), (None, True)),
    "tuples of others": ((1, [2]), (float("nan"),)),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_value_is_encoded_as_json_does_it(name: str) -> None:
    value = FOREIGN[name]
    try:
        encoded = msgspec.json.encode(encodable(value))
    except ValueError:
        assert name in ("half", "huge")  # the line goes the long way
        return
    assert json.loads(encoded) == json.loads(dumps(value))


@given(JSON)
def test_any_json_comes_back(value: Any) -> None:
    assert loads(line_of(value)) == value
    assert line_of(value).isascii()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf8_is_escaped(text: str) -> None:
    line = msgspec.json.encode({"a": text})
    assert escaped(line).isascii()
    assert json.loads(escaped(line)) == {"a": text}


def test_escapes_are_those_of_json() -> None:
    assert escaped('{"é🦀":"\u2028x"}'.encode()) == rb'{"\u00e9\ud83e\udd80":"\u2028x"}'
    assert escaped(b'"abc"') == b'"abc"'


@pytest.mark.parametrize("line", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5000], ids=len)
def test_what_is_no_json_is_told(line: bytes) -> None:
    with pytest.raises(NotJSON, match="not JSON: "):
        loads(line)
