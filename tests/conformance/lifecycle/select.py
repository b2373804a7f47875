"""Conditions of rules, selections of messages, and operations on text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.conformance.lifecycle.normal import part_text
from tripscope.messages import Message, TextPart


def holds(conditions: dict[str, Any], args: Any, invocation: int) -> bool:
    """Whether every condition of an ``if`` holds."""
    return all(
        wanted == invocation if name == "invocation" else _MATCHERS[name](args, wanted)
        for name, wanted in conditions.items()
    )


def _part_text_contains(args: Any, wanted: str) -> bool:
    text = part_text(args.part)
    return text is not None and wanted in text


_MATCHERS: dict[str, Callable[[Any, Any], bool]] = {
    "retryCount": lambda args, wanted: bool(args.retry_count == wanted),
    "retryCountLt": lambda args, wanted: bool(args.retry_count < wanted),
    "stepNumber": lambda args, wanted: bool(args.step_number == wanted),
    "partType": lambda args, wanted: bool(args.part.type == wanted),
    "partText": _part_text_contains,
    "text": lambda args, wanted: wanted in args.text,
    "toolName": lambda args, wanted: bool(args.tool_name == wanted),
    "error": lambda args, wanted: wanted in str(args.error),
    "stateHas": lambda args, wanted: wanted in args.state,
    "fromCache": lambda args, wanted: bool(args.from_cache == wanted),
}


def takes(select: dict[str, str] | None, message: Message) -> bool:
    """Whether a select takes this message."""
    select = select or {}
    role = select.get("role")
    return (role is None or message.role == role) and select.get("contains", "") in message.text


def change(op: dict[str, Any], text: str) -> str:
    """Apply a text operation."""
    [(name, value)] = op.items()
    match name:
        case "upper":
            return text.upper()
        case "lower":
            return text.lower()
        case "replace":
            return text.replace(value[0], value[1])
        case "append":
            return f"{text}{value}"
        case "set":
            return str(value)
    raise NotImplementedError(f"text operation {name!r}")


def change_texts(op: dict[str, Any], message: Message) -> None:
    """Apply a text operation to each text part of a message, in place."""
    for part in message.parts:
        if isinstance(part, TextPart):
            part.text = change(op, part.text)


def mapped(
    messages: Sequence[Message], op: dict[str, Any] | None, select: dict[str, str] | None
) -> list[Message]:
    """A new array: copies of the selected messages with ``op`` applied, the others as they are."""
    result = []
    for message in messages:
        if op is not None and takes(select, message):
            message = message.copy()
            change_texts(op, message)
        result.append(message)
    return result
