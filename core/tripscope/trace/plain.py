"""JSON for values that ``json`` refuses: whatever a hook or a tool put where JSON was meant.

Nothing here raises, whatever the value does: to look at a value must never change a run.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

from tripscope.errors import describe_error
from tripscope.wire import JSON

_MAX_DEPTH: Final = 100
_MAX_REPR: Final = 2000
_MAX_BITS: Final = 14_000
"""Python refuses to write integers of more than 4300 digits, some 14,284 bits."""


def plain(value: Any) -> JSON:
    """A copy that ``json`` can write and read again.

    Keys are made strings, tuples and sets lists; numbers that JSON does not have and other objects
    become their `describe`; a value inside itself, and what lies too deep, is cut off.
    """
    return _plain(value, set())


def _plain(value: Any, above: set[int]) -> JSON:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        bits = value.bit_length()
        return value if bits <= _MAX_BITS else f"<integer of {bits} bits>"
    if isinstance(value, float):
        return value if isfinite(value) else repr(value)
    if id(value) in above:
        return f"<{type(value).__name__} that holds itself>"
    if len(above) > _MAX_DEPTH:
        return f"<nested more than {_MAX_DEPTH} deep>"
    above.add(id(value))
    try:
        if isinstance(value, dict):
            return {_key(key): _plain(item, above) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [_plain(item, above) for item in value]
        return _plain(describe(value), above)
    finally:
        above.discard(id(value))


def describe(value: Any) -> JSON:
    """What stands for an object that is no JSON: fields of an error, items of a set, else a repr.

    The answer is JSON at its top only; `plain` goes through the rest.
    """
    try:
        if isinstance(value, BaseException):
            return describe_error(value)
        if isinstance(value, set | frozenset):
            return sorted(value, key=_repr)
        if not isinstance(value, type) and callable(to_wire := getattr(value, "to_wire", None)):
            wire: JSON = to_wire()
            return wire
    except Exception:  # a foreign object may do anything
        return _repr(value)
    return _repr(value)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    try:
        return str(key)
    except Exception:
        return _repr(key)


def _repr(value: Any) -> str:
    try:
        return repr(value)[:_MAX_REPR]
    except Exception as error:  # a foreign __repr__ may do anything
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
