"""How runs end by exceptions, and what is refused or ignored around an end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.engine import GatedModel, agent, calls, processor, read, text, told
from tests.support.hook_places import INPUT_HOOKS, OUTPUT_HOOKS, with_hook
from tripscope.agent import Agent
from tripscope.errors import HookError, NeedsLive
from tripscope.models.scripted import ScriptedModel
from tripscope.tools import Tool
from tripscope.trace.events import HookCalled, RunEnded
from tripscope.trace.recorder import EventLog


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


@pytest.mark.parametrize("hook", [*INPUT_HOOKS[1:], *OUTPUT_HOOKS])
async def test_hook_error_names_processor_and_hook(hook: str) -> None:
    def fail(args: Any) -> None:
        raise ValueError("boom")

    log = EventLog()
    subject = with_hook("bad", hook, fail)
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
