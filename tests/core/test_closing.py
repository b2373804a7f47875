"""Runs that are closed, timed out or aborted before, between and while they are read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.engine import (
    Gate,
    GatedModel,
    agent,
    processor,
    read,
    read_and_close,
    text,
    told,
)
from tripscope.agent import Agent
from tripscope.context import AbortSignal
from tripscope.errors import APIError


async def test_time_out() -> None:
    model = GatedModel(*text("Hel", end=False, finish=None))
    stream = await Agent(id="a", model=model).stream("hi")

    async def time_is_up(limit: asyncio.Timeout) -> None:
        await model.gate.reached.wait()
        limit.reschedule(asyncio.get_running_loop().time())

    async def read_in_time(group: asyncio.TaskGroup) -> None:
        async with asyncio.timeout(None) as limit:
            group.create_task(time_is_up(limit))
            await read(stream)

    async with asyncio.TaskGroup() as group:
        with pytest.raises(TimeoutError):
            await read_in_time(group)
    assert model.closed
    assert (await stream.result()).status == "cancelled"


async def test_closing_while_it_is_being_read() -> None:
    model = GatedModel(*text("Hel", end=False, finish=None))
    stream = await Agent(id="a", model=model).stream("hi")
    assert told(await read_and_close(stream, model.gate)) == [
        "start",
        "step-start",
        "text-start",
        "text-delta:Hel",
    ]
    assert model.closed
    assert (await stream.result()).status == "cancelled"


async def test_closing_between_two_reads_closes_the_connection() -> None:
    model = GatedModel(*text("Hel", "lo", end=False, finish=None))
    async with await Agent(id="a", model=model).stream("hi") as stream:
        async for chunk in stream.full_stream:
            if chunk.type == "text-delta":
                break
    assert model.closed
    result = await stream.result()
    assert (result.status, result.text) == ("cancelled", "Hel")


async def test_closing_before_the_first_read() -> None:
    stream = await agent(text("Hello")).stream("hi")
    await stream.aclose()
    assert await read(stream) == []
    assert (await stream.result()).status == "cancelled"


async def test_signal_that_was_aborted_before() -> None:
    signal, seen = AbortSignal(), []
    signal.abort()
    watch = processor("p", process_input=lambda args: seen.append(args))
    subject = agent(text("Hello"), input_processors=[watch])
    stream = await subject.stream("hi", abort_signal=signal)
    assert await read(stream) == []
    assert seen == []


async def test_a_hook_that_aborts_the_signal_itself() -> None:
    signal = AbortSignal()

    def stop(args: Any) -> Any:
        signal.abort()
        return args.part

    subject = agent(text("Hello"), output_processors=[processor("p", process_output_stream=stop)])
    stream = await subject.stream("hi", abort_signal=signal)
    chunks = await read(stream)
    await asyncio.sleep(0)
    assert "finish" not in told(chunks)
    assert (await stream.result()).status == "cancelled"


async def test_cancel_in_back_off() -> None:
    gate = Gate()

    class Waiting:
        def now(self) -> int:
            return 0

        async def sleep(self, seconds: float) -> None:
            await gate.wait()

    subject = agent(APIError("busy", status_code=503, is_retryable=True), max_retries=3)
    stream = await subject.stream("hi", clock=Waiting())
    assert told(await read_and_close(stream, gate)) == ["start"]
    assert gate.cancelled
