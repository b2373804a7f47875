"""Small parts for tests that run an agent: answers, processors of functions, waiting places."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

from tripscope.agent import Agent, AgentStream
from tripscope.chunks import BlockEdge, Chunk, Delta, Finish, ToolCall, Usage
from tripscope.models.base import Model, ModelRequest, ModelResponse, RawFrame
from tripscope.models.scripted import ScriptedModel
from tripscope.processor import HOOKS

USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}


def text(*deltas: str, end: bool = True, finish: str | None = "stop") -> list[Chunk]:
    """A text answer; without ``end`` the block stays open, without ``finish`` the answer too."""
    chunks = [Chunk("text-start", BlockEdge(id="t1"))]
    chunks += [Chunk("text-delta", Delta(id="t1", text=delta)) for delta in deltas]
    if end:
        chunks.append(Chunk("text-end", BlockEdge(id="t1")))
    if finish:
        chunks.append(Chunk("finish", Finish(reason=finish, usage=Usage(**USAGE))))
    return chunks


def calls(*names: str, args: Any = None) -> list[Chunk]:
    """An answer that calls tools, ``c1`` first."""
    made = [
        Chunk("tool-call", ToolCall(tool_call_id=f"c{n}", tool_name=name, args=args or {}))
        for n, name in enumerate(names, 1)
    ]
    return [*made, Chunk("finish", Finish(reason="tool-calls", usage=Usage(**USAGE)))]


def processor(id: str, **hooks: Callable[[Any], Any]) -> Any:
    """An object with these hooks (``process_input=...``); other names are attributes."""
    names = set(HOOKS.values())
    methods = {name: staticmethod(hook) for name, hook in hooks.items() if name in names}
    made: Any = type(id, (), methods)()
    for name, value in hooks.items():
        if name not in names:
            setattr(made, name, value)
    made.id = id
    return made


def agent(*responses: Any, **options: Any) -> Agent:
    """An agent on a scripted model."""
    return Agent(id="agent", model=ScriptedModel(list(responses)), **options)


async def read(stream: AgentStream) -> list[Chunk]:
    """All chunks of a run."""
    return [chunk async for chunk in stream.full_stream]


def told(chunks: list[Chunk]) -> list[str]:
    """Chunk types, with the text of deltas and the reason of endings."""
    lines = []
    for chunk in chunks:
        payload = chunk.payload
        more = getattr(payload, "text", None) if isinstance(payload, Delta) else None
        more = more or getattr(payload, "reason", None)
        lines.append(f"{chunk.type}:{more}" if more else chunk.type)
    return lines


class Gate:
    """A place to wait at: says when somebody is there, and whether they were cancelled."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.cancelled = False

    async def wait(self) -> None:
        """Stay here for ever."""
        self.reached.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


async def read_and_close(stream: AgentStream, *gates: Gate) -> list[Chunk]:
    """Read until the run waits at these gates, close it there; what came until its end."""
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read(stream))
        for gate in gates:
            await gate.reached.wait()
        await stream.aclose()
    return reading.result()


class GatedModel(Model):
    """Gives its chunks, then waits at its gate; tells whether its answer was closed."""

    provider, model_id = "test", "gated"

    def __init__(self, *chunks: Chunk | RawFrame, at_call: bool = False) -> None:
        self.gate = Gate()
        self.closed = False
        self._chunks = chunks
        self._at_call = at_call

    async def call(self, request: ModelRequest) -> ModelResponse:
        """See `Model.call`."""
        if self._at_call:
            await self.gate.wait()
        return ModelResponse(parts=self._parts())

    async def _parts(self) -> AsyncGenerator[Chunk | RawFrame, None]:
        try:
            for chunk in self._chunks:
                yield chunk
            await self.gate.wait()
        finally:
            self.closed = True
