"""LanguageModelV2 stream parts to chunks.

The part types are those of the ``LanguageModelV2`` specification of the AI SDK, which the Processor
interface builds on: ``text-delta`` has ``delta`` where a chunk has ``payload.text``, ``tool-call``
has its input as JSON text, ``finish`` says ``finishReason``.
"""

from __future__ import annotations

import json
from typing import Any, Final

from tripscope.chunks import BlockEdge, Chunk, Delta, ErrorPayload, Finish, ToolCall, Usage
from tripscope.errors import APIError
from tripscope.wire import JSON

_EDGES: Final = frozenset({"text-start", "text-end", "reasoning-start", "reasoning-end"})
_DELTAS: Final = frozenset({"text-delta", "reasoning-delta"})
_TOOL_INPUT: Final = {
    "tool-input-start": "tool-call-input-streaming-start",
    "tool-input-delta": "tool-call-delta",
    "tool-input-end": "tool-call-input-streaming-end",
}


def chunk_from_v2(part: JSON) -> Chunk | None:
    """The chunk for one stream part; None for ``stream-start``, which is no chunk.

    A part of a type that is not known here keeps all its other fields as its payload.

    Raises:
        ValueError: ``part`` has no string ``type``, or not the fields of its type.
    """
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str):
        raise ValueError(f"a stream part is an object with a string 'type', not {part!r:.80}")
    if kind == "stream-start":
        return None
    if kind.startswith("data-"):
        return Chunk.from_wire({"from": "AGENT"} | part)  # no part of the specification
    try:
        return Chunk(kind, _payload(kind, part)) if kind not in _TOOL_INPUT else _tool_input(part)
    except KeyError as missing:
        raise ValueError(f"stream part {kind!r} lacks {missing}: {part!r:.120}") from None


def _payload(kind: str, part: dict[str, JSON]) -> Any:
    metadata = part.get("providerMetadata")
    if kind in _DELTAS:
        return Delta(id=_text(part, "id"), text=_text(part, "delta"), provider_metadata=metadata)
    if kind in _EDGES:
        return BlockEdge(id=_text(part, "id"), provider_metadata=metadata)
    if kind == "tool-call":
        args, extra = parse_tool_input(part["input"])
        return ToolCall(
            tool_call_id=_text(part, "toolCallId"),
            tool_name=_text(part, "toolName"),
            args=args,
            provider_executed=part.get("providerExecuted"),
            provider_metadata=metadata,
            extra=extra,
        )
    if kind == "finish":
        reason = _text(part, "finishReason")
        return Finish(reason=reason, usage=_usage(part), provider_metadata=metadata)
    if kind == "error":
        return ErrorPayload(error=error_from_v2(part["error"]))
    return {key: value for key, value in part.items() if key != "type"}


def _text(part: dict[str, JSON], key: str) -> str:
    text = part[key]
    if not isinstance(text, str):
        raise ValueError(f"{key!r} of stream part {part['type']!r} is a text, not {text!r:.80}")
    return text


def _usage(part: dict[str, JSON]) -> Usage:
    wire = part.get("usage")
    if not isinstance(wire, dict | None):
        raise ValueError(f"'usage' of stream part 'finish' is an object, not {wire!r:.80}")
    # some say NaN for what they don't know
    known = {key: count for key, count in (wire or {}).items() if count == count}
    if not Usage.fits(known):
        raise ValueError(f"tokens are counted in whole numbers: {known!r:.120}")
    return Usage.from_wire(known)


def _tool_input(part: dict[str, JSON]) -> Chunk:
    payload: dict[str, JSON] = {"toolCallId": _text(part, "id")}
    if part["type"] == "tool-input-delta":
        payload["argsTextDelta"] = _text(part, "delta")
    payload |= {k: v for k, v in part.items() if k not in ("type", "id", "delta")}
    return Chunk(_TOOL_INPUT[part["type"]], payload)


def parse_tool_input(text: JSON) -> tuple[JSON, dict[str, JSON]]:
    """Arguments of a tool call from the JSON text that the model wrote.

    Returns:
        The value and ``{}``; an empty text means no arguments, ``{}``. Text that is not JSON stays
        as it is, with ``{"invalid": True}`` for the payload's ``extra``.
    """
    if not isinstance(text, str):
        return text, {}
    if not text.strip():
        return {}, {}
    try:
        return json.loads(text, parse_constant=_refuse_constant), {}
    except (ValueError, RecursionError):
        return text, {"invalid": True}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def error_from_v2(error: JSON) -> APIError:
    """The failure that an ``error`` part describes: an object with ``message``, or a text."""
    if not isinstance(error, dict):
        return APIError(str(error))
    message = error.get("message")
    return APIError(
        message if isinstance(message, str) else json.dumps(error),
        status_code=error.get("statusCode"),
        is_retryable=error.get("isRetryable") is True,
        code=error.get("code"),
    )
