"""Chunks as a trace file holds them, with a short way for the deltas of which it is full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET, Raw, Struct

from tripscope.chunks import Chunk, Delta
from tripscope.trace.lines import line_of
from tripscope.wire import JSON


class _Delta(Struct, gc=False):
    id: str
    text: str


class _PlainDelta(
    Struct, gc=False, omit_defaults=True, rename={"run_id": "runId", "from_": "from"}
):
    """A delta without anything unusual; it is encoded like its `Chunk.to_wire`."""

    type: str
    run_id: Any
    from_: Any
    payload: _Delta


_NO_EXTRA: Final[dict[str, JSON]] = {}
"""Shared by the chunks of events, which nobody edits."""


def chunk_line(chunk: Chunk) -> Struct | Raw:
    """What msgspec encodes like `Chunk.to_wire`."""
    payload = chunk.payload
    if (
        type(payload) is not Delta
        or type(payload.id) is not str
        or payload.provider_metadata is not None
        or payload.extra
        or chunk.extra
        or chunk.is_data
    ):
        return Raw(line_of(chunk.to_wire()))
    run_id = UNSET if chunk.run_id is None else chunk.run_id
    from_ = UNSET if chunk.from_ is None else chunk.from_
    return _PlainDelta(chunk.type, run_id, from_, _Delta(payload.id, payload.text))


def chunk_from_wire(wire: JSON, names: Mapping[str | None, Any]) -> Chunk:
    """As `Chunk.from_wire`; ``names[text]`` is the one object for a name that comes again.

    Raises:
        ValueError: ``wire`` is not a chunk.
    """
    if type(wire) is dict:
        kind, run_id = wire.get("type"), wire.get("runId")
        from_, payload = wire.get("from"), wire.get("payload")
        if (
            (kind == "text-delta" or kind == "reasoning-delta")
            and (run_id is None or type(run_id) is str)
            and type(from_) is str
            and len(wire) == (3 if run_id is None else 4)
            and type(payload) is dict
            and len(payload) == 2
            and type(text := payload.get("text")) is str
            and type(id := payload.get("id")) is str
        ):
            return _delta(names[kind], names[id], text, names[run_id], names[from_])
    return Chunk.from_wire(wire)


def _delta(type: str, id: str, text: str, run_id: str | None, from_: str) -> Chunk:
    delta = Delta(id=id, text=text, extra=_NO_EXTRA)
    return Chunk(type, delta, run_id, from_, extra=_NO_EXTRA)


def same_delta(one: Chunk, other: Chunk) -> bool:
    """Whether both are deltas that are written in the same way."""
    a, b = one.payload, other.payload
    return (
        type(a) is Delta
        and type(b) is Delta
        and a.text == b.text
        and a.id == b.id
        and type(a.id) is type(b.id) is str
        and one.type == other.type
        and one.run_id == other.run_id
        and one.from_ == other.from_
        and a.provider_metadata is None
        and b.provider_metadata is None
        and not (a.extra or b.extra)
        and not (one.extra or other.extra)
    )
