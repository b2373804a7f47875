"""Reads what callers and processors give as messages: text, model, UI or stored messages.

Whatever comes in is copied, so that no later edit of the conversation reaches the caller's objects.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from tripscope.messages import (
    Content,
    Message,
    ReasoningPart,
    SystemMessage,
    TextPart,
    ToolInvocation,
    ToolInvocationPart,
    part_from_wire,
)
from tripscope.wire import JSON

MessageLike: TypeAlias = str | Mapping[str, JSON] | Message | SystemMessage
Messages: TypeAlias = MessageLike | Sequence[MessageLike]

_SHAPES = "text, {role, content}, a Message or a SystemMessage"


def as_sequence(messages: Messages) -> Sequence[MessageLike]:
    """One message or several, as a sequence.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(messages, str | Mapping | Message | SystemMessage):
        return [messages]
    if isinstance(messages, Sequence):
        return messages
    raise TypeError(f"messages are {_SHAPES}, or a list of these; not {type(messages).__name__}")


def read_message(given: MessageLike, *, text_role: str = "user") -> Message | SystemMessage:
    """A message of its own made from ``given``; plain text gets the role ``text_role``.

    Raises:
        TypeError: ``given`` is no message.
        ValueError: its role or its content has no known shape.
    """
    if isinstance(given, str):
        return Message(role=text_role, content=Content(parts=[TextPart(text=given)]))
    if isinstance(given, SystemMessage):
        return SystemMessage(given.content)
    if isinstance(given, Message):
        message = given.copy()
    elif isinstance(given, Mapping):
        message = _from_mapping(copy.deepcopy(dict(given)))
    else:
        raise TypeError(f"a message is {_SHAPES}; not {type(given).__name__}")
    if message.role == "system":
        return SystemMessage(_plain_text(message))
    if not isinstance(message.content, Content):
        message.content = _content(message.content)
    return message


def _from_mapping(wire: dict[str, JSON]) -> Message:
    if not isinstance(wire.get("role"), str):
        raise ValueError(f"a message needs a string 'role': {wire!r:.80}")
    if "content" not in wire and isinstance(wire.get("parts"), list):
        wire["content"] = wire.pop("parts")
    return Message.from_wire(wire)


def _content(given: JSON) -> Content:
    if given is None:
        return Content(parts=[])
    if isinstance(given, str):
        return Content(parts=[TextPart(text=given)])
    if isinstance(given, list):
        return Content(parts=[_part(part) for part in given])
    if isinstance(given, dict) and isinstance(given.get("content"), str):
        return Content.from_wire({"parts": [{"type": "text", "text": given["content"]}]} | given)
    raise ValueError(f"'content' is text, a list of parts, or {{parts}}; not {given!r:.80}")


def _part(wire: JSON) -> Any:
    """A part of a model message (``tool-call``, ``tool-result``, ``reasoning`` with text)."""
    if not isinstance(wire, dict):
        return wire
    kind = wire.get("type")
    if kind == "reasoning" and isinstance(wire.get("text"), str):
        return ReasoningPart(reasoning=wire["text"], provider_metadata=wire.get("providerOptions"))
    if kind == "tool-call" and "toolCallId" in wire:
        return _invocation(wire, "call", args=wire.get("input", wire.get("args")))
    if kind == "tool-result" and "toolCallId" in wire:
        return _result_part(wire)
    return part_from_wire(wire)


def _result_part(wire: dict[str, JSON]) -> ToolInvocationPart:
    output = wire.get("output", wire.get("result"))
    if not (isinstance(output, dict) and "value" in output and isinstance(output.get("type"), str)):
        return _invocation(wire, "result", result=output)
    value = output["value"]
    if output["type"].startswith("error-"):
        text = value if isinstance(value, str) else json.dumps(value)
        return _invocation(wire, "output-error", error_text=text)
    return _invocation(wire, "result", result=value)


def _invocation(wire: dict[str, JSON], state: str, **fields: Any) -> ToolInvocationPart:
    invocation = ToolInvocation(
        state=state,
        tool_call_id=str(wire["toolCallId"]),
        tool_name=str(wire.get("toolName", "")),
        **fields,
    )
    return ToolInvocationPart(tool_invocation=invocation)


def _plain_text(message: Message) -> str:
    if message.text or not isinstance(message.content, list):
        return message.text
    parts = [part_from_wire(part) for part in message.content]
    return "".join(part.text for part in parts if isinstance(part, TextPart))
