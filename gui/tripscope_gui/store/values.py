"""JSON values as short plain text, and nested ones as lines of path and value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from tripscope.wire import JSON

MOST_LINES: Final = 2000
_ESCAPED: Final = re.compile("[\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Halves of a character, and what turns round the text beside it."""


def json_text(value: Any, *, indent: int | None = None) -> str:
    """JSON in which letters stay readable; what no screen shows as it is stands escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, default=str)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def value_words(value: JSON) -> str:
    """One value in a line; digests of a state's values in words."""
    if isinstance(value, dict):
        return _digest_words(value) or json_text(value)
    return json_text(value)


def lines(value: JSON, path: str = "") -> Iterator[tuple[str, JSON]]:
    """(``matches[0].rule``, scalar) for all that a value holds; empty ones stand for themselves."""
    if isinstance(value, dict) and value and _digest_words(value) is None:
        for key, inner in value.items():
            yield from lines(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and value:
        for number, inner in enumerate(value):
            yield from lines(inner, f"{path}[{number}]")
    else:
        yield path, value


def flat(values: dict[str, JSON]) -> dict[str, JSON]:
    """A state's keys with those of exact dicts inside them."""
    found: dict[str, JSON] = {}
    for path, value in lines(values):
        if path and len(found) < MOST_LINES:
            found[path] = value
    return found


def _digest_words(value: dict[str, JSON]) -> str | None:
    """A digest as the trace makes them: see `tripscope.trace.digest`."""
    keys = set(value)
    if keys == {"len", "tail"}:
        return f"\N{HORIZONTAL ELLIPSIS}{json_text(value['tail'])[1:]}, {value['len']} characters"
    if "id" not in keys or not keys <= {"id", "last", "list", "dict", "set", "type"}:
        return None
    if "type" in keys:
        return f"a {value['type']}"
    kind = next((name for name in ("list", "dict", "set") if name in keys), None)
    if kind is None:
        return None
    last = value.get("last")
    tail = f", last {json_text(last)}" if last else ""
    return f"{kind} of {value[kind]}{tail}"
