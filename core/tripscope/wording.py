"""Numbers in words, for whatever a person reads."""

from __future__ import annotations


def many(number: int, thing: str, things: str | None = None) -> str:
    """``1 event``, ``1,204 events``; ``things`` where the plural is another."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"
