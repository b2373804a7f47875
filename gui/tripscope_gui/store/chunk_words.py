"""One line of words for a part that is no text: what it is, in the words of the program."""

from __future__ import annotations

import json
from typing import Any, Final

from tripscope.chunks import (
    Chunk,
    ErrorPayload,
    Finish,
    ToolCall,
    ToolError,
    ToolResult,
    Tripwire,
    delta_text,
)

_EDGES: Final = {
    "step-start": "start of step",
    "text-start": "start of text part",
    "text-end": "end of text part",
    "reasoning-start": "start of reasoning",
    "reasoning-end": "end of reasoning",
}
_LONGEST: Final = 400


def is_edge(chunk: Chunk) -> bool:
    """Whether the part only says that something starts or ends."""
    return chunk.type in _EDGES or isinstance(chunk.payload, Finish)


def tool_name(chunk: Chunk | None) -> str:
    """The tool that a part is about; empty for none."""
    payload = chunk.payload if chunk is not None else None
    return payload.tool_name if isinstance(payload, ToolCall | ToolResult | ToolError) else ""


def words_of(chunk: Chunk) -> tuple[str, bool]:
    """(line, whether a model, tool or user wrote it, so that it is shown in the fixed font)."""
    text = delta_text(chunk)
    if text is not None:
        return text, True
    if (edge := _EDGES.get(chunk.type)) is not None:
        return edge, False
    payload = chunk.payload
    match payload:
        case ToolCall():
            return f"{payload.tool_name} {compact(payload.args)}", True
        case ToolResult():
            return compact(payload.result), True
        case ToolError():
            return compact(payload.error), True
        case Finish():
            usage = payload.usage
            counts = f"{_count(usage.input_tokens)} tokens in, {_count(usage.output_tokens)} out"
            return f"{payload.reason}, {counts}", False
        case Tripwire():
            return payload.reason, True
        case ErrorPayload():
            return compact(chunk.to_wire().get("payload")), True
    if chunk.is_data:
        return compact(chunk.data), True
    return (compact(payload), True) if payload else (chunk.type, False)


def compact(value: Any) -> str:
    """JSON on one line, as far as a cell could show it; lone surrogates kept."""
    if isinstance(value, str):
        return value[:_LONGEST]
    try:
        return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))[:_LONGEST]
    except (TypeError, ValueError):
        return repr(value)[:_LONGEST]


def _count(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else "?"
