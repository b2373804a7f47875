"""The first place at which two records differ, for a person to read."""

from __future__ import annotations

import json
from typing import Any

_ABSENT = object()


def first_difference(expected: Any, actual: Any, path: str = "$") -> str | None:
    """``path: expected ..., got ...``; None if the values are equal."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        return _in_dicts(expected, actual, path)
    if isinstance(expected, list) and isinstance(actual, list):
        return _in_lists(expected, actual, path)
    # True == 1 in Python, and 1 == 1.0; JSON tells the first pair apart.
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return None if same else f"{path}:\n  expected {_show(expected)}\n  got      {_show(actual)}"


def _in_dicts(expected: dict[str, Any], actual: dict[str, Any], path: str) -> str | None:
    for key in [*expected, *(key for key in actual if key not in expected)]:
        found = first_difference(
            expected.get(key, _ABSENT), actual.get(key, _ABSENT), f"{path}.{key}"
        )
        if found:
            return found
    return None


def _in_lists(expected: list[Any], actual: list[Any], path: str) -> str | None:
    for index in range(max(len(expected), len(actual))):
        left = expected[index] if index < len(expected) else _ABSENT
        right = actual[index] if index < len(actual) else _ABSENT
        found = first_difference(left, right, f"{path}[{index}]")
        if found:
            return found
    return None


def _show(value: Any) -> str:
    if value is _ABSENT:
        return "nothing"
    text = json.dumps(value, default=repr)
    return text if len(text) <= 600 else f"{text[:600]}... ({len(text)} characters)"
