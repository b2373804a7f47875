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
_SCALARS: Final = (bool, int, float)


def digest(value: Any, depth: int = 2) -> JSON:
    """The digest of one value: JSON, equal for values that look the same from outside."""
    if value is None or isinstance(value, _SCALARS):
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


def changes(before: dict[str, JSON], after: dict[str, JSON]) -> tuple[tuple[str, JSON, JSON], ...]:
    """(key, before, after) for each key whose digest differs; an absent key is None."""
    if before == after:
        return ()
    found = [
        (key, _shown(before.get(key)), _shown(now))
        for key, now in after.items()
        if key not in before or before[key] != now
    ]
    found += [(key, _shown(was), None) for key, was in before.items() if key not in after]
    return tuple(found)


def _shown(value: JSON) -> JSON:
    """A digest without identities, which mean nothing beyond the run."""
    if isinstance(value, dict):
        return {key: _shown(item) for key, item in value.items() if key != "id"}
    return [_shown(item) for item in value] if isinstance(value, list) else value


def exact(value: Any) -> JSON:
    """A JSON copy of ``value`` for a snapshot: `tripscope.trace.plain.plain`."""
    return plain(value)
