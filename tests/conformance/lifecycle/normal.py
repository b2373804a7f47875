"""Values of tripscope in the normalised form of the record."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from tripscope.chunks import Chunk, Delta, Usage
from tripscope.errors import APIError, HookError
from tripscope.messages import (
    Content,
    DataPart,
    Message,
    ReasoningPart,
    TextPart,
    ToolInvocationPart,
)
from tripscope.signals import signal_of
from tripscope.wire import WireObject

_HIDDEN_METADATA = {"modelId", "provider", "createdAt", "modelMetadata", "mastra", "signal"}
_CODED_ERRORS = {"FOREIGN_MESSAGE_LIST", "MESSAGES_AND_MESSAGE_LIST"}


def part_text(chunk: Chunk) -> str | None:
    """The text of a text or reasoning delta."""
    return chunk.payload.text if isinstance(chunk.payload, Delta) else None


def plain(value: Any) -> Any:
    """A JSON value of its own."""
    return copy.deepcopy(value.to_wire() if isinstance(value, WireObject) else value)


def without_none(record: dict[str, Any]) -> dict[str, Any]:
    """The record without the keys that hold None."""
    return {key: value for key, value in record.items() if value is not None}


class Normaliser:
    """``raised``: the texts that the scenario itself raises, which stand for the whole error."""

    def __init__(self, raised: Iterable[str], *, with_ids: bool) -> None:
        self._raised = sorted(raised, key=len, reverse=True)
        self._with_ids = with_ids

    # -- messages --------------------------------------------------------------------------------

    def messages(self, messages: Iterable[Message]) -> list[Any]:
        """Messages without ids and dates."""
        return [self.message(message) for message in messages]

    def message(self, message: Message) -> dict[str, Any]:
        """One message."""
        parts = [part for part in map(self._part, message.parts) if part is not None]
        record: dict[str, Any] = {"role": message.role, "parts": parts}
        signal = signal_of(message)
        if signal is not None:
            record["signal"] = {"type": signal["type"], "tagName": signal["tagName"]}
        if isinstance(message.content, Content) and message.content.metadata:
            kept = message.content.metadata.items()
            metadata = {k: plain(v) for k, v in kept if k not in _HIDDEN_METADATA}
            if metadata:
                record["metadata"] = metadata
        return record

    def _part(self, part: Any) -> Any:
        match part:
            case TextPart():
                return {"type": part.type, "text": part.text}
            case ReasoningPart():
                return {"type": part.type, "text": part.reasoning}
            case ToolInvocationPart():
                wire = part.tool_invocation.to_wire()
                names = ("state", "toolCallId", "toolName", "args", "result", "errorText")
                kept = {name: plain(wire[name]) for name in names if name in wire}
                return {"type": part.type} | kept
            case DataPart():
                return {"type": part.type, "data": plain(part.data)}
        if part.type == "step-start":
            return None
        return {"type": part.type}

    # -- chunks ----------------------------------------------------------------------------------

    def chunk(self, chunk: Chunk) -> dict[str, Any]:
        """One chunk with its payload reduced to what is compared."""
        record: dict[str, Any] = {"type": chunk.type}
        if chunk.is_data:
            data = plain(chunk.data)
            if chunk.type == "data-signal" and isinstance(data, dict):
                data = {k: data[k] for k in ("type", "tagName", "contents") if k in data}
            record["data"] = data
            if chunk.transient:
                record["transient"] = True
            return record
        if chunk.type in ("object", "object-result"):
            wire = chunk.to_wire()
            record["object"] = plain(wire.get("object", wire.get("payload")))
            return record
        payload = self._payload(chunk)
        if payload is not None:
            record["payload"] = payload
        return record

    def _payload(self, chunk: Chunk) -> dict[str, Any] | None:
        names = _PAYLOAD_FIELDS.get(chunk.type)
        if names is None or not isinstance(chunk.payload, WireObject):
            return None
        wire = chunk.payload.to_wire()
        payload = {name: plain(wire[name]) for name in names if name in wire}
        if "error" in payload:
            payload["error"] = self.error(chunk.payload.error)  # type: ignore[attr-defined]
        if not self._with_ids:
            payload.pop("id", None)
        return payload

    # -- errors ----------------------------------------------------------------------------------

    def error(self, error: Any) -> dict[str, Any]:
        """``{message, statusCode?, isRetryable?}`` or ``{code}``."""
        if isinstance(error, HookError) and error.code in _CODED_ERRORS:
            return {"code": error.code}
        if isinstance(error, dict):
            return without_none({"message": self._raised_text([error.get("message")])})
        if isinstance(error, str):
            return {"message": self._raised_text([error])}
        record: dict[str, Any] = {"message": self._raised_text(_texts(error))}
        if isinstance(error, APIError) and error.status_code is not None:
            record |= {"statusCode": error.status_code, "isRetryable": error.is_retryable}
        return record

    def _raised_text(self, texts: list[Any]) -> Any:
        for raised in self._raised:
            if any(raised in str(text) for text in texts):
                return raised
        return texts[0]

    # -- steps -----------------------------------------------------------------------------------

    def steps(self, steps: Iterable[Any], *, finish_reasons: bool) -> list[Any]:
        """Steps with their calls and results."""
        return [self._step(step, finish_reasons) for step in steps]

    def _step(self, step: Any, finish_reasons: bool) -> dict[str, Any]:
        record = {
            "text": step.text,
            "toolCalls": tool_calls(step.tool_calls),
            "toolResults": tool_results(step.tool_results),
            "usage": usage(step.usage),
        }
        if finish_reasons and step.finish_reason is not None:
            record["finishReason"] = step.finish_reason
        return record


_DELTA = ("id", "text")
_CALL = ("toolCallId", "toolName", "args")
_FINISH = ("reason", "isContinued", "text", "usage")
_PAYLOAD_FIELDS: dict[str, tuple[str, ...]] = {
    "text-start": ("id",),
    "text-delta": _DELTA,
    "text-end": ("id",),
    "reasoning-start": ("id",),
    "reasoning-delta": _DELTA,
    "reasoning-end": ("id",),
    "tool-call": _CALL,
    "tool-result": (*_CALL, "result"),
    "tool-error": (*_CALL, "error"),
    "step-finish": _FINISH,
    "finish": _FINISH,
    "tripwire": ("reason", "retry", "metadata", "processorId"),
    "error": ("error",),
}


def _texts(error: Any) -> list[Any]:
    texts = []
    while error is not None:
        texts.append(str(error))
        error = error.__cause__ or error.__context__
    return texts


def tool_calls(calls: Iterable[Any]) -> list[Any]:
    """``{toolCallId, toolName, args}`` each."""
    return [picked(call, _CALL) for call in calls]


def tool_results(results: Iterable[Any]) -> list[Any]:
    """``{toolCallId, toolName, result}`` each."""
    return [picked(result, ("toolCallId", "toolName", "result")) for result in results]


def picked(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named keys of a wire object, where they are there."""
    wire = value.to_wire() if isinstance(value, WireObject) else value
    return {name: plain(wire[name]) for name in names if name in wire}


def usage(counts: Usage | None) -> dict[str, Any]:
    """``{}`` where all counts are unknown."""
    return {} if counts is None else counts.to_wire()


def system_texts(messages: Iterable[Any]) -> list[str]:
    """The texts of system messages."""
    return [message.content for message in messages]


def prompt(messages: Iterable[dict[str, Any]]) -> list[Any]:
    """A prompt without provider options."""
    names = ("type", "text", "toolCallId", "toolName", "input", "output")
    record = []
    for message in messages:
        content = message["content"]
        if not isinstance(content, str):
            content = [{n: plain(part[n]) for n in names if n in part} for part in content]
        record.append({"role": message["role"], "content": content})
    return record
