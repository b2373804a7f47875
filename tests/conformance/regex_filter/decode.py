"""Values that JSON cannot hold, and strings as JavaScript compares them."""

from __future__ import annotations

import math
from typing import Any

UNDEFINED = object()
_JS_VALUES: dict[str, Any] = {
    "NaN": math.nan,
    "Infinity": math.inf,
    "-Infinity": -math.inf,
    "-0": -0.0,
    "undefined": UNDEFINED,
}


def decode(value: Any) -> Any:
    """The value with ``{"$js": name}`` resolved; a key that holds undefined is left out."""
    if isinstance(value, list):
        return [None if item is UNDEFINED else item for item in map(decode, value)]
    if isinstance(value, dict):
        if value.keys() == {"$js"}:
            return _JS_VALUES[value["$js"]]
        items = ((key, decode(item)) for key, item in value.items())
        return {key: item for key, item in items if item is not UNDEFINED}
    return value


def as_utf16(value: Any) -> Any:
    """The value with the two halves of a surrogate pair joined wherever they meet."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if isinstance(value, list):
        return [as_utf16(item) for item in value]
    if isinstance(value, dict):
        return {key: as_utf16(item) for key, item in value.items()}
    return value
