"""JSON for values that ``json`` refuses: whatever a hook or a tool put where JSON was meant."""

from __future__ import annotations

from typing import Any, Final

from tripscope.errors import describe_error
from tripscope.wire import JSON

_MAX_DEPTH: Final = 100
_MAX_REPR: Final = 2000


def describe(value: Any) -> JSON:
    """What stands for a value that is no JSON: fields of an error, items of a set, else a repr."""
    if isinstance(value, BaseException):
        return describe_error(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if hasattr(value, "to_wire"):
        return value.to_wire()
    try:
        return repr(value)[:_MAX_REPR]
    except Exception as error:  # a foreign __repr__ may do anything
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"


def plain(value: Any, depth: int = 0) -> JSON:
    """A copy that ``json`` can write: keys made strings, cycles and what lies too deep cut off."""
    if depth > _MAX_DEPTH:
        return f"<nested more than {_MAX_DEPTH} deep>"
    if isinstance(value, dict):
        return {
            key if isinstance(key, str) else repr(key): plain(item, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return plain(describe(value), depth + 1)
