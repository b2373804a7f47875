"""What the engine makes of what a hook raises or returns."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.engine import agent, processor, read, text
from tripscope.errors import HookError
from tripscope.trace.events import HookCalled, RunEnded, ViolationReported
from tripscope.trace.recorder import EventLog

HOOKS = ["process_input", "process_input_step", "process_output_stream", "process_output_result"]


async def ran(where: str, hook: Any) -> tuple[Any, EventLog]:
    """The result, or what the call raised, and the trace of a run with this hook."""
    log, chain = EventLog(), "input" if "input" in where else "output"
    options = {f"{chain}_processors": [processor("p", **{where: hook})]}
    try:
        stream = await agent(text("Hello"), **options).stream("hi", trace=log)
        await read(stream)
        return await stream.result(), log
    except HookError as error:
        return error, log


@pytest.mark.parametrize("where", HOOKS)
async def test_an_abort_inside_a_task_group_blocks(where: str) -> None:
    async def check(args: Any, alarm: bool) -> None:
        await asyncio.sleep(0)
        if alarm:
            args.abort("found by one of two", metadata={"n": 1})

    async def both(args: Any) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(check(args, False))
            group.create_task(check(args, True))

    result, log = await ran(where, both)
    assert result.status == "blocked"
    assert (result.tripwire.reason, result.tripwire.metadata) == ("found by one of two", {"n": 1})
    assert [event.message for event in log.of(ViolationReported)] == ["found by one of two"]
    blocked = [event for event in log.of(HookCalled) if event.outcome == "blocked"]
    assert [event.error for event in blocked] == ["found by one of two"]


async def test_an_abort_beside_another_failure_is_a_failure() -> None:
    async def abort(args: Any) -> None:
        args.abort("found")

    async def fail() -> None:
        raise ValueError("broken")

    async def both(args: Any) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(abort(args))
            group.create_task(fail())

    result, _ = await ran("process_input_step", both)
    assert result.status == "error"
    assert "ExceptionGroup" in str(result.error)


@pytest.mark.parametrize("where", HOOKS)
async def test_what_a_hook_itself_had_cancelled_is_no_cancel_of_the_run(where: str) -> None:
    async def give_up(args: Any) -> None:
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    result, log = await ran(where, give_up)
    error = result if isinstance(result, HookError) else result.error
    assert "raised CancelledError" in str(error)
    ended = log.events[-1]
    assert isinstance(ended, RunEnded)
    assert ended.status == "error"


async def test_an_error_that_cannot_tell_what_it_is() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no message")

    def fail(args: Any) -> None:
        raise Mute

    result, log = await ran("process_input_step", fail)
    assert result.status == "error"
    assert "Mute, whose message raises RuntimeError" in str(result.error)
    assert isinstance(log.events[-1], RunEnded)


@pytest.mark.parametrize(("reason", "told"), [(5, "5"), ("", "Tripwire triggered by p")])
async def test_reason_is_text(reason: Any, told: str) -> None:
    result, log = await ran("process_input_step", lambda args: args.abort(reason))
    assert result.tripwire.reason == told
    assert [event.message for event in log.of(ViolationReported)] == [told]
