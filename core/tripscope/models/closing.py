"""The parts of an open answer, which always give their connection back."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from types import TracebackType
from typing import Any

from tripscope.chunks import Chunk
from tripscope.models.base import RawFrame

Parts = AsyncGenerator[Chunk | RawFrame, None]


class ClosingParts(AsyncGenerator[Chunk | RawFrame, None]):
    """``parts``, with ``close`` awaited at their end and by `aclose`.

    A generator that was never started runs no ``finally`` when it is closed, so it cannot do this.
    """

    def __init__(self, parts: Parts, close: Callable[[], Awaitable[None]]) -> None:
        self._parts = parts
        self._close = close

    async def asend(self, value: None) -> Chunk | RawFrame:
        """The next part."""
        try:
            return await self._parts.asend(value)
        except BaseException:
            await self._close()
            raise

    async def athrow(
        self, typ: Any, val: Any = None, tb: TracebackType | None = None
    ) -> Chunk | RawFrame:
        """Raise inside the generator."""
        try:
            return await self._parts.athrow(typ if val is None else val)
        except BaseException:
            await self._close()
            raise

    async def aclose(self) -> None:
        """Stop; a second call changes nothing."""
        try:
            await self._parts.aclose()
        finally:
            await self._close()
