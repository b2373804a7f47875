"""How runs end: by a cancel wherever they are, and by exceptions."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.engine import Gate, GatedModel, agent, calls, processor, read, text, told
from tripscope.agent import Agent
from tripscope.context import AbortSignal
from tripscope.errors import APIError, HookError, NeedsLive
from tripscope.memory import Memory
from tripscope.models.scripted import ScriptedModel
from tripscope.tools import Tool
from tripscope.trace.events import HeldDropped, HookCalled, RunEnded, ToolEnded
from tripscope.trace.recorder import EventLog

INPUT = ("process_input", "process_input_step", "process_llm_request", "process_llm_response")
OUTPUT = (
    "process_output_stream",
    "process_output_step",
    "process_tool_result",
    "process_output_result",
)


def place(where: str, gate: Gate) -> Agent:
    """An agent whose run stops at the gate in this hook, tool or back-off."""

    async def stop(args: Any) -> Any:
        await gate.wait()

    stopper = [processor("p", **{where: stop})] if where.startswith("process_") else []
    responses: list[Any] = [calls("tool"), text("Hello")]
    if where == "process_api_error":
        return agent(APIError("no"), error_processors=stopper, memory=Memory())
    tool = Tool(name="tool", execute=lambda args, context: stop(args) if where == "tool" else 1)
    return agent(
        *responses,
        input_processors=stopper if where in INPUT else [],
        output_processors=stopper if where in OUTPUT else [],
        tools=[tool],
        memory=Memory(),
    )


PLACES = [*INPUT, *OUTPUT, "process_api_error", "tool"]


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

    async def abort() -> None:
        await gate.reached.wait()
        signal.abort("enough")

    async with asyncio.TaskGroup() as group:
        group.create_task(abort())
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

    async def abort() -> None:
        await gate.reached.wait()
        signal.abort("enough")

    async with asyncio.TaskGroup() as group:
        group.create_task(abort())
        with pytest.raises(asyncio.CancelledError):
            await subject.generate("hi", abort_signal=signal)
    assert gate.cancelled
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


@pytest.mark.parametrize("error", [GeneratorExit, SystemExit, KeyboardInterrupt])
async def test_what_no_run_survives_is_on_record(error: type[BaseException]) -> None:
    def leave(args: Any) -> None:
        raise error

    for where in ("process_input", "process_input_step"):
        log = EventLog()
        subject = agent(text("x"), input_processors=[processor("p", **{where: leave})])
        with pytest.raises(error):
            await read(await subject.stream("hi", trace=log))
        ended = log.events[-1]
        assert isinstance(ended, RunEnded)
        assert ended.status == "cancelled"


async def test_time_out() -> None:
    model = GatedModel(*text("Hel", end=False, finish=None))
    stream = await Agent(id="a", model=model).stream("hi")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await read(stream)
    assert model.closed
    assert (await stream.result()).status == "cancelled"


async def test_closing_while_it_is_being_read() -> None:
    model = GatedModel(*text("Hel", end=False, finish=None))
    stream = await Agent(id="a", model=model).stream("hi")
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read(stream))
        await model.gate.reached.wait()
        await stream.aclose()
    assert told(reading.result()) == ["start", "step-start", "text-start", "text-delta:Hel"]
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
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read(stream))
        await gate.reached.wait()
        await stream.aclose()
    assert told(reading.result()) == ["start"]
    assert gate.cancelled


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
    async with asyncio.TaskGroup() as group:
        group.create_task(read(stream))
        await model.gate.reached.wait()
        await stream.aclose()
    assert [(event.processor, event.units) for event in log.of(HeldDropped)] == [("p", 6)]


async def test_running_tools_are_cancelled_and_awaited() -> None:
    gates, log = (Gate(), Gate()), EventLog()
    tools = [
        Tool(name=name, execute=lambda args, context, gate=gate: gate.wait())
        for name, gate in zip(("one", "two"), gates, strict=True)
    ]
    stream = await agent(calls("one", "two"), tools=tools).stream("hi", trace=log)
    async with asyncio.TaskGroup() as group:
        group.create_task(read(stream))
        for gate in gates:
            await gate.reached.wait()
        await stream.aclose()
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


async def test_a_tool_that_raises_cancelled_error_itself_has_failed() -> None:
    def give_up(args: Any, context: Any) -> None:
        raise asyncio.CancelledError

    subject = agent(calls("tool"), text("Done"), tools=[Tool(name="tool", execute=give_up)])
    assert "tool-error" in told(await read(await subject.stream("hi")))


async def test_needs_live_from_a_tool_ends_the_run() -> None:
    def beyond(args: Any, context: Any) -> None:
        raise NeedsLive("call 2 of 'tool' is not in the recording")

    subject = agent(calls("tool"), text("Done"), tools=[Tool(name="tool", execute=beyond)])
    stream = await subject.stream("hi")
    assert told(await read(stream))[-1] == "error"
    result = await stream.result()
    assert result.status == "needs-live"
    with pytest.raises(NeedsLive):
        _ = result.text


@pytest.mark.parametrize("hook", [*INPUT[1:], *OUTPUT])
async def test_hook_error_names_processor_and_hook(hook: str) -> None:
    def fail(args: Any) -> None:
        raise ValueError("boom")

    log = EventLog()
    bad = [processor("bad", **{hook: fail})]
    subject = agent(
        calls("tool"),
        text("Hello"),
        tools=[Tool(name="tool", execute=lambda args, context: 1)],
        input_processors=bad if hook in INPUT else [],
        output_processors=bad if hook in OUTPUT else [],
        memory=Memory(),
    )
    stream = await subject.stream("hi", trace=log, thread="t", resource="r")
    chunks = await read(stream)
    assert chunks[-1].type == "error"
    result = await stream.result()
    assert result.status == "error"
    assert isinstance(result.error, HookError)
    assert result.error.processor_id == "bad"
    assert result.error.hook in str(result.error)
    for name in ("text", "steps", "tool_calls", "usage", "messages", "tripwire", "object"):
        with pytest.raises(HookError):
            getattr(result, name)
    assert log.of(RunEnded)[0].stored is False
    assert [event.outcome for event in log.of(HookCalled) if event.processor == "bad"][
        -1
    ] == "errored"


async def test_exception_in_process_input_raises_from_stream() -> None:
    def fail(args: Any) -> None:
        raise ValueError("boom")

    log = EventLog()
    subject = agent(text("Hello"), input_processors=[processor("p", process_input=fail)])
    with pytest.raises(HookError, match="boom"):
        await subject.stream("hi", trace=log)
    assert log.events[-1].kind == "run-ended"


async def test_a_stream_has_one_reader() -> None:
    model = GatedModel(*text("Hel", end=False, finish=None))
    stream = await Agent(id="a", model=model).stream("hi")
    async with asyncio.TaskGroup() as group:
        group.create_task(read(stream))
        await model.gate.reached.wait()
        with pytest.raises(RuntimeError, match="one reader"):
            await read(stream)
        await stream.aclose()


async def test_scripted_model_is_asked_only_when_read() -> None:
    model = ScriptedModel([text("Hello")])
    stream = await Agent(id="a", model=model).stream("hi")
    assert model.requests == []
    await stream.aclose()
    assert model.requests == []


async def test_nothing_comes_after_the_end() -> None:
    kept: list[Any] = []
    log = EventLog()
    late = processor("late", process_output_step=kept.append)
    stream = await agent(text("Hello"), output_processors=[late]).stream("hi", trace=log)
    await read(stream)
    (args,) = kept
    args.probe.finding("r", 0, 1, "flagged")
    args.probe.warning("too late")
    args.tracing_context.current_span.end()
    await args.writer.custom({"type": "data-late", "data": 1})
    assert isinstance(log.events[-1], RunEnded)
    assert (await stream.result()).status == "passed"
