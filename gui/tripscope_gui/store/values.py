"""JSON values as short plain text, and nested ones as lines of path and value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from tripscope.wire import JSON

MOST_LINES: Final = 2000


def value_words(value: JSON) -> str:
    """One value in a line; digests of a state's values in words."""
    if isinstance(value, dict):
        return _digest_words(value) or _compact(value)
    return _compact(value)


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


def _compact(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _digest_words(value: dict[str, JSON]) -> str | None:
    """A digest as the trace makes them: see `tripscope.trace.digest`."""
    keys = set(value)
    if keys == {"len", "tail"}:
        return f"\N{HORIZONTAL ELLIPSIS}{_compact(value['tail'])[1:]}, {value['len']} characters"
    if "id" not in keys or not keys <= {"id", "last", "list", "dict", "set", "type"}:
        return None
    if "type" in keys:
        return f"a {value['type']}"
    kind = next((name for name in ("list", "dict", "set") if name in keys), None)
    if kind is None:
        return None
    last = value.get("last")
    tail = f", last {_compact(last)}" if last else ""
    return f"{kind} of {value[kind]}{tail}"
