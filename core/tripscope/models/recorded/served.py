"""Which events of a run a replay is served from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tripscope.chunks import ToolError
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, StateChanged, ToolEnded

_MOST: Final = frozenset({HookCalled, Delivered, StateChanged})
"""What most of a trace is."""


def served_from(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The events that a recorded model or tool reads, in order.

    Of most of a trace they read nothing, but for the names of errors that tools raised.
    """
    few = [event for event in events if type(event) not in _MOST]
    if any(type(event) is ToolEnded and event.error is not None for event in few):
        return [event for event in events if type(event) not in _MOST or _names_error(event)]
    return few


def _names_error(event: AnyEvent) -> bool:
    match event:
        case HookCalled():
            chunk = event.part
        case Delivered():
            chunk = event.chunk
        case _:
            return False
    return chunk is not None and isinstance(chunk.payload, ToolError)
