"""The ``writer`` of hooks and tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tripscope.chunks import Chunk
from tripscope.trace.plain import plain


class DataWriter:
    """Hands each ``data-*`` chunk that is written on to ``send``."""

    def __init__(self, send: Callable[[Chunk], None]) -> None:
        self._send = send

    async def custom(self, chunk: Chunk | dict[str, Any]) -> None:
        """See `tripscope.context.Writer`."""
        read = Chunk.from_wire(chunk) if isinstance(chunk, dict) else chunk
        if not read.is_data:
            raise ValueError(f"a custom chunk's type begins with data-, not {read.type!r}")
        read.data = plain(read.data)
        self._send(read)
