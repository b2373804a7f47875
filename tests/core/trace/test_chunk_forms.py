import json
from typing import Any

import msgspec
import pytest
from hypothesis import given

from tests.core.trace.strategies import CHUNK
from tripscope.chunks import Chunk, text_delta
from tripscope.trace.chunk_forms import chunk_from_wire, chunk_line, same_delta


class Names(dict[Any, Any]):
    def __missing__(self, name: Any) -> Any:
        return self.setdefault(name, name)


@given(CHUNK)
def test_a_chunk_is_read_and_written_as_its_wire_form(chunk: Chunk) -> None:
    wire = json.loads(json.dumps(chunk.to_wire()))
    assert chunk_from_wire(wire, Names()) == Chunk.from_wire(wire) == chunk
    try:
        line = msgspec.json.encode(chunk_line(chunk))
    except UnicodeEncodeError:
        return  # half a surrogate pair: the line goes the long way
    assert json.loads(line) == wire


PLAIN = text_delta("x").to_wire()


@pytest.mark.parametrize(
    "wire",
    [
        PLAIN,
        PLAIN | {"runId": "r"},
        PLAIN | {"runId": None},
        PLAIN | {"runId": 3},
        PLAIN | {"from": None},
        PLAIN | {"extra": 1},
        PLAIN | {"type": "reasoning-delta"},
        PLAIN | {"type": "text-end"},
        PLAIN | {"payload": {"id": 1, "text": "x"}},
        PLAIN | {"payload": {"id": "t", "text": 1}},
        PLAIN | {"payload": {"id": "t", "text": "x", "providerMetadata": {}}},
        PLAIN | {"payload": None},
        PLAIN | {"payload": ["id", "text"]},
        {"type": "text-delta"},
    ],
)
def test_the_short_way_reads_what_the_long_way_reads(wire: dict[str, Any]) -> None:
    chunk = chunk_from_wire(wire, Names())
    assert chunk == Chunk.from_wire(wire)
    assert chunk.to_wire() == wire
    assert json.loads(msgspec.json.encode(chunk_line(chunk))) == wire


def test_names_are_shared() -> None:
    names = Names()
    one, other = (
        chunk_from_wire(json.loads(json.dumps(PLAIN | {"runId": "run"})), names) for _ in range(2)
    )
    assert one.run_id is other.run_id
    assert one.payload.id is other.payload.id
    assert same_delta(one, other)


@pytest.mark.parametrize("wire", [None, [], "same", {"type": 3}, {}])
def test_what_is_no_chunk_is_refused(wire: Any) -> None:
    with pytest.raises(ValueError, match="a chunk is an object"):
        chunk_from_wire(wire, Names())
