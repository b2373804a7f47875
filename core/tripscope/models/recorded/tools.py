"""Tools that give their recorded results and never run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tripscope.chunks import Chunk, ToolError
from tripscope.clock import Clock, VirtualClock
from tripscope.errors import NeedsLive
from tripscope.models.recorded.recording import named
from tripscope.tools import Execute, Tool, ToolContext
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, ToolEnded, ToolStarted
from tripscope.wire import JSON

_WRITES, _ENDS = 0, 1
"""Of what happens in one moment, what is written comes first."""


class RecordedToolError(Exception):
    """What a recorded tool raised; it has the message and the class name of then."""


def recorded_tools(
    tools: Sequence[Tool], events: Iterable[AnyEvent], *, clock: Clock | None = None
) -> list[Tool]:
    """``tools``, each call of which gives its recorded result or error.

    Calls are told apart by their id, or where an id is new, by their order. Tools that ran side by
    side end in their recorded order. Tools that the client runs stay as they are. A tool whose
    calls are used up raises `NeedsLive`. What a tool wrote to the stream by its writer is written
    again, in the recorded order.
    """
    if all(tool.execute is None for tool in tools):
        return list(tools)  # a long trace need not be searched for nothing
    calls: dict[str, list[_Call]] = {}
    running: dict[tuple[str, int], bool] = {}
    """Whether each call that runs had no other beside it so far."""
    names: dict[str, JSON] = {}
    for event in events:
        if isinstance(event, ToolStarted):
            alone = not running
            running = dict.fromkeys(running, False) | {(event.tool_name, event.call): alone}
        elif isinstance(event, ToolEnded):
            alone = running.pop((event.tool_name, event.call), True)
            calls.setdefault(event.tool_name, []).append(_Call(event, alone))
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


class _Call(Struct, frozen=True):
    """``alone``: no other tool ran beside it."""

    ended: ToolEnded
    alone: bool


def _note_error_name(chunk: Chunk, names: dict[str, JSON]) -> None:
    if isinstance(chunk.payload, ToolError) and isinstance(chunk.payload.error, dict):
        names.setdefault(chunk.payload.tool_call_id, chunk.payload.error.get("name"))


def _replayed(
    name: str,
    calls: dict[str, list[_Call]],
    names: dict[str, JSON],
    turns: _Turns,
    clock: Clock | None,
) -> Execute:
    left = sorted(calls.get(name, []), key=lambda call: call.ended.call)
    held = len(left)

    async def execute(args: Any, context: ToolContext) -> JSON:
        if not left:
            raise NeedsLive(
                f"call {held + 1} of tool {name!r} goes beyond the recording, which has {held}; "
                "the run can go on live"
            )
        ids = [call.ended.tool_call_id for call in left]
        place = ids.index(context.tool_call_id) if context.tool_call_id in ids else 0
        call = left.pop(place)
        ended = call.ended

        async def reach(time: int, *order: int) -> None:
            if not call.alone:
                await turns.take((time, *order))
            if isinstance(clock, VirtualClock):
                clock.advance_to(time)

        for number, (time, wire) in enumerate(ended.wrote):
            await reach(time, _WRITES, ended.seq, number)
            await context.writer.custom(wire)
        await reach(ended.time, _ENDS, ended.seq)
        if ended.error is not None:
            raise named(RecordedToolError, names.get(ended.tool_call_id))(ended.error)
        return ended.result

    return execute


class _Turns:
    """Lets calls that wait at the same time go on in the order of their places."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, ...], asyncio.Event] = {}

    async def take(self, place: tuple[int, ...]) -> None:
        """Return once no call with a lower place waits."""
        self._waiting[place] = turn = asyncio.Event()
        try:
            await asyncio.sleep(0)  # calls that start together all come to wait
            while place != min(self._waiting):
                turn.clear()
                await turn.wait()
        finally:
            del self._waiting[place]
            if self._waiting:
                self._waiting[min(self._waiting)].set()
