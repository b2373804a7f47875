"""A cancel by the caller ends a run in every hook and tool, in each way of reading it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.engine import Gate, agent, processor, read
from tests.support.hook_places import INPUT_HOOKS, OUTPUT_HOOKS, tool_and_answer, with_hook
from tripscope.agent import Agent
from tripscope.context import AbortSignal
from tripscope.errors import APIError
from tripscope.memory import Memory
from tripscope.trace.events import HookCalled, RunEnded
from tripscope.trace.recorder import EventLog

PLACES = [*INPUT_HOOKS, *OUTPUT_HOOKS, "process_api_error", "tool"]


def place(where: str, gate: Gate) -> Agent:
    """An agent whose run stops at the gate in this hook or tool."""

    async def stop(*_: Any) -> Any:
        await gate.wait()

    if where == "tool":
        return tool_and_answer(stop)
    if where == "process_api_error":
        stopper = processor("p", process_api_error=stop)
        return agent(APIError("no"), error_processors=[stopper], memory=Memory())
    return with_hook("p", where, stop)


async def abort_at(gate: Gate, signal: AbortSignal) -> None:
    await gate.reached.wait()
    signal.abort("enough")


@pytest.mark.parametrize("where", PLACES)
async def test_cancelled_task(where: str) -> None:
    gate, log = Gate(), EventLog()
    subject = place(where, gate)

    async def run() -> None:
        stream = await subject.stream("hi", trace=log, thread="t", resource="r")
        await read(stream)

    reader = asyncio.ensure_future(run())  # noqa: TID251
    await gate.reached.wait()
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert gate.cancelled
    ended = log.events[-1]
    assert isinstance(ended, RunEnded)
    assert (ended.status, ended.tripwire, ended.error) == ("cancelled", None, None)
    kinds = [event.chunk.type for event in log if event.kind == "delivered"]
    assert not {"tripwire", "error", "finish"} & set(kinds)


@pytest.mark.parametrize("where", PLACES)
async def test_abort_signal_ends_a_stream(where: str) -> None:
    gate, signal, log = Gate(), AbortSignal(), EventLog()
    subject = place(where, gate)
    async with asyncio.TaskGroup() as group:
        group.create_task(abort_at(gate, signal))
        stream = await subject.stream(
            "hi", abort_signal=signal, trace=log, thread="t", resource="r"
        )
        chunks = await read(stream)
    result = await stream.result()
    assert result.status == "cancelled"
    assert result.tripwire is None
    assert result.error is None
    assert not {"tripwire", "error", "finish"} & {chunk.type for chunk in chunks}
    assert gate.cancelled
    hooks = [event.hook for event in log if isinstance(event, HookCalled)]
    if where != "process_output_result":
        assert "processOutputResult" not in hooks


@pytest.mark.parametrize("where", PLACES)
async def test_abort_signal_raises_in_generate(where: str) -> None:
    gate, signal = Gate(), AbortSignal()
    subject = place(where, gate)
    async with asyncio.TaskGroup() as group:
        group.create_task(abort_at(gate, signal))
        with pytest.raises(asyncio.CancelledError):
            await subject.generate("hi", abort_signal=signal)
    assert gate.cancelled
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
