"""Stream chunks: the parts that a model, a tool or the loop sends towards the client.

Wire shape: ``{type, runId, from, payload}``; a ``data-*`` chunk carries ``data`` (and
``transient``) instead of a payload. Chunks are mutable: a hook may edit its own in place.
``Chunk.from_wire(w).to_wire() == w`` for every JSON object with a string ``type``, but that a
``finish`` without usage gets an empty one; a payload that does not have the shape of its type stays
the plain value that it was.
"""

from __future__ import annotations

import copy
from types import NoneType
from typing import Any, Final

from msgspec import Struct, field

from tripscope.errors import describe_error
from tripscope.wire import JSON, WireObject, shallow


class Usage(WireObject, kw_only=True):
    """Token counts; None where the provider did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None

    @classmethod
    def fits(cls, wire: JSON) -> bool:
        """Whether ``wire`` is an object whose counts can be added."""
        return isinstance(wire, dict) and all(
            type(wire.get(key)) in (int, NoneType)
            for key in ("inputTokens", "outputTokens", "totalTokens")
        )


class BlockEdge(WireObject, kw_only=True):
    """``text-start``, ``text-end``, ``reasoning-start``, ``reasoning-end``."""

    id: str
    provider_metadata: JSON = None


class Delta(WireObject, kw_only=True):
    """``text-delta``, ``reasoning-delta``. ``text`` may hold half of a surrogate pair."""

    id: str
    text: str
    provider_metadata: JSON = None


class ToolCall(WireObject, kw_only=True):
    """``tool-call``; ``args`` is the parsed input."""

    tool_call_id: str
    tool_name: str
    args: JSON = None
    provider_executed: bool | None = None
    provider_metadata: JSON = None


class ToolResult(WireObject, kw_only=True):
    """``tool-result``."""

    tool_call_id: str
    tool_name: str
    args: JSON = None
    result: JSON
    provider_executed: bool | None = None
    provider_metadata: JSON = None


class ToolError(WireObject, kw_only=True):
    """``tool-error``: the tool raised; ``error`` is its message or a JSON description."""

    tool_call_id: str
    tool_name: str
    args: JSON = None
    error: JSON = None


class Finish(WireObject, kw_only=True):
    """``finish``, ``step-finish``. The model's own ``finish`` has only reason and usage."""

    reason: str
    usage: Usage = field(default_factory=Usage)
    is_continued: bool | None = None
    text: str | None = None
    provider_metadata: JSON = None

    @classmethod
    def fits(cls, wire: JSON) -> bool:
        """See `WireObject.fits`; ``usage`` fits as well, if it is there."""
        return super().fits(wire) and (wire.get("usage") is None or Usage.fits(wire["usage"]))

    @classmethod
    def from_wire(cls, wire: dict[str, JSON]) -> Finish:
        """See `WireObject.from_wire`; ``usage`` becomes a `Usage`."""
        usage = wire.get("usage")
        if isinstance(usage, dict):
            wire = wire | {"usage": Usage.from_wire(usage)}
        return super().from_wire(wire)

    def to_wire(self) -> dict[str, JSON]:
        """See `WireObject.to_wire`."""
        return super().to_wire() | {"usage": self.usage.to_wire()}


class Tripwire(WireObject, kw_only=True):
    """``tripwire``: the last chunk of a run that a processor ended (`retry`: not granted)."""

    reason: str
    processor_id: str
    retry: bool | None = None
    metadata: JSON = None


class ErrorPayload(WireObject, kw_only=True, eq=False):
    """``error``; ``error`` is an exception in memory and its JSON description on the wire.

    Equal to what is the same on the wire, so a loaded one equals the one that was saved.
    """

    error: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ErrorPayload):
            return NotImplemented
        return self.to_wire() == other.to_wire()

    __hash__ = None  # type: ignore[assignment]

    def to_wire(self) -> dict[str, JSON]:
        """See `WireObject.to_wire`; an exception is described."""
        error = self.error
        described = describe_error(error) if isinstance(error, BaseException) else error
        return {"error": described} | self.extra


_PAYLOADS: Final[dict[str, type[WireObject]]] = {
    "text-start": BlockEdge,
    "text-delta": Delta,
    "text-end": BlockEdge,
    "reasoning-start": BlockEdge,
    "reasoning-delta": Delta,
    "reasoning-end": BlockEdge,
    "tool-call": ToolCall,
    "tool-result": ToolResult,
    "tool-error": ToolError,
    "step-finish": Finish,
    "finish": Finish,
    "tripwire": Tripwire,
    "error": ErrorPayload,
}


class Chunk(Struct):
    """One stream part. ``payload`` has the class that `_PAYLOADS` names, or is plain JSON.

    ``data`` and ``transient`` belong to ``data-*`` chunks only.
    """

    type: str
    payload: Any = None
    run_id: str | None = None
    from_: str | None = "AGENT"
    data: JSON = None
    transient: bool = False
    extra: dict[str, JSON] = field(default_factory=dict)

    @property
    def is_data(self) -> bool:
        """Whether this is a custom ``data-*`` chunk."""
        return self.type.startswith("data-")

    @classmethod
    def from_wire(cls, wire: dict[str, JSON]) -> Chunk:
        """Read ``{type, ...}``.

        Raises:
            ValueError: ``wire`` is not an object with a string ``type``.
        """
        given: object = wire
        if not isinstance(given, dict) or not isinstance(given.get("type"), str):
            raise ValueError(f"a chunk is an object with a string 'type', not {wire!r:.80}")
        extra = dict(wire)
        chunk = cls(type=extra.pop("type"), from_=None, extra=extra)
        if isinstance(extra.get("runId"), str):
            chunk.run_id = extra.pop("runId")
        if isinstance(extra.get("from"), str):
            chunk.from_ = extra.pop("from")
        if chunk.is_data:
            if extra.get("data") is not None:
                chunk.data = extra.pop("data")
            chunk.transient = extra.get("transient") is True and extra.pop("transient")
        elif (payload := extra.get("payload")) is not None:
            del extra["payload"]
            shape = _PAYLOADS.get(chunk.type)
            chunk.payload = shape.from_wire(payload) if shape and shape.fits(payload) else payload
        return chunk

    def to_wire(self) -> dict[str, JSON]:
        """The JSON object that travels and is kept in files."""
        wire: dict[str, JSON] = {"type": self.type}
        if self.run_id is not None:
            wire["runId"] = self.run_id
        if self.from_ is not None:
            wire["from"] = self.from_
        if self.is_data:
            if self.data is not None:
                wire["data"] = self.data
            if self.transient:
                wire["transient"] = True
        elif isinstance(self.payload, WireObject):
            wire["payload"] = self.payload.to_wire()
        elif self.payload is not None:
            wire["payload"] = self.payload
        return self.extra | wire if self.extra else wire

    def copy(self) -> Chunk:
        """A copy whose payload can be edited apart from this one's."""
        copied = copy_plain_delta(self, {}, {})
        if copied is not None:
            return copied
        payload = self.payload
        if type(payload) is ErrorPayload:
            payload = ErrorPayload(error=payload.error, extra=copy.deepcopy(payload.extra))
        elif payload is not None:
            payload = copy.deepcopy(payload)
        data = copy.deepcopy(self.data) if self.data is not None else None
        extra = copy.deepcopy(self.extra) if self.extra else {}
        return Chunk(self.type, payload, self.run_id, self.from_, data, self.transient, extra)


def copy_plain_delta(
    chunk: Chunk, delta_extra: dict[str, JSON], chunk_extra: dict[str, JSON]
) -> Chunk | None:
    """A copy, with these as its ``extra``, of a delta of nothing but text; None for other chunks.

    Nearly all chunks are such, and each is copied once or twice.
    """
    payload = chunk.payload
    if (
        type(payload) is not Delta
        or payload.provider_metadata is not None
        or payload.extra
        or chunk.extra
        or chunk.data is not None
    ):
        return None
    copied = shallow(chunk)
    copied.payload = delta = shallow(payload)
    copied.extra = chunk_extra
    delta.extra = delta_extra
    return copied


def text_delta(text: str, *, id: str = "t1", type: str = "text-delta") -> Chunk:
    """A ``text-delta`` (or ``reasoning-delta``) chunk of block ``id``."""
    return Chunk(type, Delta(id=id, text=text))


def delta_text(chunk: Chunk) -> str | None:
    """The text of a text or reasoning delta; None for any other chunk."""
    payload = chunk.payload
    return payload.text if type(payload) is Delta else None


def is_well_formed(chunk: Chunk) -> bool:
    """Whether the type is a string, and the payload has the class that belongs to it."""
    kind: object = chunk.type
    if not isinstance(kind, str):
        return False
    shape = _PAYLOADS.get(kind)
    return shape is None or isinstance(chunk.payload, shape)
