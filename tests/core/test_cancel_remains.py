"""What a cancelled run leaves: messages, held text, tools that were running."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.support.engine import (
    Gate,
    GatedModel,
    agent,
    calls,
    processor,
    read,
    read_and_close,
    text,
    told,
)
from tripscope.agent import Agent
from tripscope.context import AbortSignal
from tripscope.memory import Memory
from tripscope.tools import Tool
from tripscope.trace.events import HeldDropped, ToolEnded
from tripscope.trace.recorder import EventLog


async def test_cancel_stores_what_was_shown_as_incomplete() -> None:
    memory = Memory()
    model = GatedModel(*text("Hel", end=False, finish=None))
    stream = await Agent(id="a", model=model, memory=memory).stream("hi", thread="t", resource="r")
    async for chunk in stream.full_stream:
        if chunk.type == "text-delta":
            break
    await stream.aclose()
    stored = await memory.messages("t", "r")
    assert [(m.role, m.text, m.content.metadata) for m in stored] == [
        ("user", "hi", None),
        ("assistant", "Hel", {"incomplete": True}),
    ]


async def test_cancel_in_process_input_stores_nothing() -> None:
    # What processInput was to redact has not been redacted.
    gate, memory, signal = Gate(), Memory(), AbortSignal()

    async def stop(args: Any) -> None:
        await gate.wait()

    subject = agent(
        text("Hello"), input_processors=[processor("p", process_input=stop)], memory=memory
    )
    async with asyncio.TaskGroup() as group:
        starting = group.create_task(
            subject.stream("secret", thread="t", resource="r", abort_signal=signal)
        )
        await gate.reached.wait()
        signal.abort()
    assert (await starting.result().result()).status == "cancelled"
    assert await memory.messages("t", "r") == []


async def test_cancel_drops_held_text_and_says_how_much() -> None:
    log = EventLog()

    def hold(args: Any) -> Any:
        if args.part.type != "text-delta":
            return args.part
        args.probe.held(len(args.part.payload.text))
        return None

    model = GatedModel(*text("secret", end=False, finish=None))
    subject = Agent(
        id="a", model=model, output_processors=[processor("p", process_output_stream=hold)]
    )
    stream = await subject.stream("hi", trace=log)
    await read_and_close(stream, model.gate)
    assert [(event.processor, event.units) for event in log.of(HeldDropped)] == [("p", 6)]


async def test_running_tools_are_cancelled_and_awaited() -> None:
    gates, log = (Gate(), Gate()), EventLog()
    tools = [
        Tool(name=name, execute=lambda args, context, gate=gate: gate.wait())
        for name, gate in zip(("one", "two"), gates, strict=True)
    ]
    stream = await agent(calls("one", "two"), tools=tools).stream("hi", trace=log)
    await read_and_close(stream, *gates)
    assert [gate.cancelled for gate in gates] == [True, True]
    assert [event.error for event in log.of(ToolEnded)] == ["cancelled", "cancelled"]


async def test_abort_on_a_tools_data_cancels_the_other_tools() -> None:
    gate = Gate()

    async def talk(args: Any, context: Any) -> None:
        await gate.reached.wait()
        await context.writer.custom({"type": "data-x", "data": 1})
        await asyncio.Event().wait()

    def refuse(args: Any) -> Any:
        if args.part.is_data:
            args.abort("no data")
        return args.part

    guard = processor("g", process_output_stream=refuse, process_data_parts=True)
    subject = agent(
        calls("talk", "wait"),
        tools=[
            Tool(name="talk", execute=talk),
            Tool(name="wait", execute=lambda args, context: gate.wait()),
        ],
        output_processors=[guard],
    )
    chunks = await read(await subject.stream("hi"))
    assert told(chunks)[-1] == "tripwire:no data"
    assert gate.cancelled
