"""An answer as a request gets it that does not stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tripscope.chunks import Chunk, Delta
from tripscope.models.base import RawFrame

_ONLY_STREAMED: Final = frozenset(
    {"tool-call-input-streaming-start", "tool-call-delta", "tool-call-input-streaming-end"}
)


def join_deltas(parts: Iterable[Chunk | RawFrame]) -> list[Chunk | RawFrame]:
    """Copies of ``parts`` with each block's deltas joined, and without tool calls that grow."""
    joined: list[Chunk | RawFrame] = []
    last: Chunk | None = None
    for part in parts:
        if isinstance(part, RawFrame):
            joined.append(part)
        elif part.type in _ONLY_STREAMED:
            continue
        elif last is not None and _same_block(last, part):
            last.payload.text += part.payload.text
        else:
            last = part.copy()
            joined.append(last)
    return joined


def _same_block(last: Chunk, part: Chunk) -> bool:
    return (
        last.type == part.type
        and type(last.payload) is Delta
        and type(part.payload) is Delta
        and last.payload.id == part.payload.id
    )
