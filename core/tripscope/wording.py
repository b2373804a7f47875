"""Numbers in words, for whatever a person reads."""

from __future__ import annotations


def plural(number: int, thing: str, things: str | None = None) -> str:
    """``event`` for one, else ``events``; ``things`` where the plural is another."""
    return thing if number == 1 else things or f"{thing}s"


def many(number: int, thing: str, things: str | None = None) -> str:
    """``1 event``, ``1,204 events``: see `plural`."""
    return f"{number:,} {plural(number, thing, things)}"
