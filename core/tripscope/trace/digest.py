"""Short, comparable stand-ins for the values of a processor's state.

A digest costs the same whatever the size of the value: scalars and short strings stand for
themselves, long strings, lists and dicts for their length, identity and last items.
"""

from __future__ import annotations

from typing import Any, Final

from tripscope.trace.plain import plain
from tripscope.wire import JSON

_TEXT: Final = 200
_ITEMS: Final = 3
_LARGE: Final = 1 << 63
_SCALARS: Final = (bool, int, float)


def digest(value: Any, depth: int = 2) -> JSON:
    """The digest of one value: JSON, equal for values that look the same from outside."""
    kind = type(value)
    if value is None or kind is bool or (kind is int and -_LARGE < value < _LARGE):
        return value
    if isinstance(value, _SCALARS):
        return plain(value)
    if isinstance(value, str):
        return value if len(value) <= _TEXT else {"len": len(value), "tail": value[-_TEXT:]}
    if isinstance(value, (list, tuple)):
        last = [digest(item, depth - 1) for item in value[-_ITEMS:]] if depth else []
        return {"list": len(value), "id": id(value), "last": last}
    if isinstance(value, dict):
        keys = list(value)[-_ITEMS:] if depth else []
        last = [[str(key), digest(value[key], depth - 1)] for key in keys]
        return {"dict": len(value), "id": id(value), "last": last}
    if isinstance(value, (set, frozenset)):
        return {"set": len(value), "id": id(value)}
    return {"type": type(value).__name__, "id": id(value)}


def shown(value: JSON) -> JSON:
    """A digest without identities, which mean nothing beyond the run."""
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items() if key != "id"}
    return [shown(item) for item in value] if isinstance(value, list) else value
