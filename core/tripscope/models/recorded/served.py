"""Which events of a run a replay is served from."""

from __future__ import annotations

from tripscope.chunks import ToolError
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, StateChanged


def is_served(event: AnyEvent) -> bool:
    """Whether a recorded model or tool reads that event; of most of a trace they read nothing."""
    match event:
        case HookCalled():
            chunk = event.part
        case Delivered():
            chunk = event.chunk
        case _:
            return type(event) is not StateChanged
    return chunk is not None and isinstance(chunk.payload, ToolError)
