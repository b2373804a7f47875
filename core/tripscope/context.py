"""What a run hands to every hook and tool besides its own arguments."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from tripscope.chunks import Chunk


class RequestContext(dict[str, Any]):
    """Values that belong to one request, such as a thread id; shared by all its hooks and tools."""


class AbortSignal:
    """Tells hooks, tools and models that the caller has given the run up."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._listeners: list[Callable[[], None]] = []
        self.reason: str | None = None

    @property
    def aborted(self) -> bool:
        """Whether `abort` was called."""
        return self._event.is_set()

    def abort(self, reason: str | None = None) -> None:
        """Cancel the run; a second call changes nothing. Only for the event loop's own thread."""
        if not self.aborted:
            self.reason = reason
            self._event.set()
            for listener in tuple(self._listeners):
                listener()

    def add_listener(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` once, synchronously, when the signal is aborted."""
        self._listeners.append(listener)

    def remove_listener(self, listener: Callable[[], None]) -> None:
        """Take back one `add_listener`."""
        self._listeners.remove(listener)

    async def wait(self) -> None:
        """Return when the signal is aborted."""
        await self._event.wait()


class Writer(Protocol):
    """Writes custom ``data-*`` chunks into the client's stream."""

    async def custom(self, chunk: Chunk | dict[str, Any]) -> None:
        """Send one chunk.

        Raises:
            ValueError: its type does not start with ``data-``.
        """
        ...


class Span(Protocol):
    """One span of work, kept in the trace."""

    def set_attributes(self, **attributes: Any) -> None:
        """Add to what the trace shows of this span."""
        ...

    def child(self, name: str, **attributes: Any) -> Span:
        """Open a span inside this one; close it with `end` or use it as a context manager."""
        ...

    def end(self) -> None:
        """Close the span; a second call changes nothing."""
        ...

    def __enter__(self) -> Span: ...

    def __exit__(self, *exc: object) -> None: ...


class TracingContext(Protocol):
    """Where a hook finds the span of its own call."""

    @property
    def current_span(self) -> Span:
        """The span of the hook call at hand."""
        ...


Pace = Callable[[], Awaitable[None]]
"""The host's breather, awaited after each provider chunk; a window lets its views paint in it."""
