"""A provider call as text and as JSON, and how it differs from the one before it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.trace.events import ModelRequested
from tripscope.wire import JSON
from tripscope_gui.store.values import json_text

LineKind: TypeAlias = Literal["", "+", "-", "@"]
_MOST_LINES: Final = 20_000


class Line(Struct, frozen=True):
    """A line of a difference: kept, added, removed, or the head of a stretch."""

    kind: LineKind
    text: str


def as_json(request: ModelRequested) -> str:
    """The request with prompt, tools and settings; fields that are not set are left out."""
    body = {
        "model": request.model,
        "prompt": list(request.prompt),
        "tools": list(request.tools) or None,
        "toolChoice": request.tool_choice,
        "settings": request.model_settings or None,
        "providerOptions": request.provider_options or None,
        "responseFormat": request.response_format,
    }
    kept = {key: value for key, value in body.items() if value is not None}
    return json_text(kept, indent=2)


def as_text(request: ModelRequested) -> str:
    """The prompt as a person reads it: each message under its role, tools at the end."""
    parts = [message_text(message) for message in request.prompt]
    if request.tools:
        names = ", ".join(_tool_name(tool) for tool in request.tools)
        parts.append(f"[tools]\n{names}")
    return "\n\n".join(parts)


def message_text(message: JSON) -> str:
    """One message of a prompt."""
    if not isinstance(message, dict):
        return json_text(message)
    content = message.get("content")
    parts = content if isinstance(content, list | tuple) else [content]
    body = "\n".join(part_words(part) for part in parts)
    return f"[{message.get('role', 'message')}]\n{body}"


def part_words(part: JSON) -> str:
    """A part of a prompt's or a list's message: its text, or what it is with its JSON."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return json_text(part)
    text = part.get("text", part.get("reasoning"))
    if isinstance(text, str):
        return text if part.get("type") in ("text", None) else f"({part.get('type')}) {text}"
    rest = {key: value for key, value in part.items() if key != "type"}
    return f"({part.get('type')}) {json_text(rest)}"


def difference(before: str, after: str, context: int = 3) -> list[Line]:
    """What changed from one text to the other, line by line; empty where nothing did."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) + len(new) > _MOST_LINES:
        return list(_ends(old, new))
    return list(_unified(old, new, context))


def _unified(old: Sequence[str], new: Sequence[str], context: int) -> Iterator[Line]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    groups = list(matcher.get_grouped_opcodes(context))
    for number, group in enumerate(groups):
        if number or group[0][3]:
            yield Line("@", f"line {group[0][3] + 1}")
        for tag, low, high, new_low, new_high in group:
            if tag == "equal":
                yield from (Line("", text) for text in new[new_low:new_high])
                continue
            yield from (Line("-", text) for text in old[low:high])
            yield from (Line("+", text) for text in new[new_low:new_high])


def _ends(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    """For huge texts: the middle that is left once equal ends are taken off."""
    low = 0
    while low < min(len(old), len(new)) and old[low] == new[low]:
        low += 1
    high = 0
    while high < min(len(old), len(new)) - low and old[-1 - high] == new[-1 - high]:
        high += 1
    if low == len(old) == len(new):
        return
    yield Line("@", f"line {low + 1}")
    yield from (Line("-", text) for text in old[low : len(old) - high])
    yield from (Line("+", text) for text in new[low : len(new) - high])


def _tool_name(tool: JSON) -> str:
    return str(tool.get("name", tool)) if isinstance(tool, dict) else str(tool)
