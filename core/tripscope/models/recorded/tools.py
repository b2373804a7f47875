"""Tools that give their recorded results and never run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tripscope.chunks import Chunk, ToolError
from tripscope.clock import Clock, VirtualClock
from tripscope.errors import NeedsLive
from tripscope.models.recorded.recording import named
from tripscope.tools import Execute, Tool, ToolContext
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, ToolEnded
from tripscope.wire import JSON


class RecordedToolError(Exception):
    """What a recorded tool raised; it has the message and the class name of then."""


def recorded_tools(
    tools: Sequence[Tool], events: Iterable[AnyEvent], *, clock: Clock | None = None
) -> list[Tool]:
    """``tools``, each call of which gives its recorded result or error.

    Calls are told apart by their id, or where an id is new, by their order. Tools that ran side by
    side end in their recorded order. Tools that the client runs stay as they are. A tool whose
    calls are used up raises `NeedsLive`.
    """
    calls: dict[str, list[ToolEnded]] = {}
    names: dict[str, JSON] = {}
    for event in events:
        if isinstance(event, ToolEnded):
            calls.setdefault(event.tool_name, []).append(event)
        elif isinstance(event, Delivered):
            _note_error_name(event.chunk, names)
        elif isinstance(event, HookCalled) and event.part is not None:
            _note_error_name(event.part, names)
    turns = _Turns()
    return [
        tool
        if tool.execute is None
        else replace(tool, execute=_replayed(tool.name, calls, names, turns, clock))
        for tool in tools
    ]


def _note_error_name(chunk: Chunk, names: dict[str, JSON]) -> None:
    if isinstance(chunk.payload, ToolError) and isinstance(chunk.payload.error, dict):
        names.setdefault(chunk.payload.tool_call_id, chunk.payload.error.get("name"))


def _replayed(
    name: str,
    calls: dict[str, list[ToolEnded]],
    names: dict[str, JSON],
    turns: _Turns,
    clock: Clock | None,
) -> Execute:
    left = sorted(calls.get(name, []), key=lambda ended: ended.call)
    held = len(left)

    async def execute(args: Any, context: ToolContext) -> JSON:
        if not left:
            raise NeedsLive(
                f"call {held + 1} of tool {name!r} goes beyond the recording, which has {held}; "
                "the run can go on live"
            )
        ids = [ended.tool_call_id for ended in left]
        place = ids.index(context.tool_call_id) if context.tool_call_id in ids else 0
        ended = left.pop(place)
        await turns.take(ended.seq)
        if isinstance(clock, VirtualClock):
            clock.advance_to(ended.time)
        if ended.error is not None:
            raise named(RecordedToolError, names.get(ended.tool_call_id))(ended.error)
        return ended.result

    return execute


class _Turns:
    """Lets calls that wait at the same time go on in the order of their numbers."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Event] = {}

    async def take(self, number: int) -> None:
        """Return once no call with a lower number waits."""
        self._waiting[number] = turn = asyncio.Event()
        try:
            await asyncio.sleep(0)  # calls that start together all come to wait
            while number != min(self._waiting):
                turn.clear()
                await turn.wait()
        finally:
            del self._waiting[number]
            if self._waiting:
                self._waiting[min(self._waiting)].set()
