"""The strings of what a tool returned, each by its path: ``contact.phones[0]``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tripscope.wire import JSON


def structure_of(text: str) -> dict[str, JSON] | list[JSON] | None:
    """What a string of JSON spells, if that is an object or an array."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def item_path(path: str, key: object) -> str:
    """The path of what stands under ``key`` in an object."""
    return f"{path}.{key}" if path else str(key)


def texts_of(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, text) of each string, in order; one that spells a structure is gone through too."""
    if isinstance(value, str):
        structure = structure_of(value)
        if structure is None:
            yield path, value
        else:
            yield from texts_of(structure, path)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts_of(item, item_path(path, key))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from texts_of(item, f"{path}[{place}]")
