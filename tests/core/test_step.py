"""Attempts of a step where the scenarios leave off: errors, error parts, and hooks that fail."""

from __future__ import annotations

from typing import Any

from tests.support.engine import agent, processor, read, text, told
from tripscope.chunks import Chunk, ErrorPayload
from tripscope.errors import APIError, HookError
from tripscope.processor import APIErrorResult
from tripscope.trace.events import AttemptEnded, AttemptStarted, HookCalled, ModelChunk
from tripscope.trace.recorder import EventLog

BROKEN = [*text("par", end=False, finish=None), Chunk("error", ErrorPayload(error=APIError("no")))]


async def test_abort_with_retry_on_the_error_part_asks_again() -> None:
    def again(args: Any) -> Any:
        if args.part.type == "error":
            args.abort("try again", retry=True)
        return args.part

    subject = agent(
        BROKEN,
        text("good"),
        output_processors=[processor("p", process_output_stream=again)],
        max_processor_retries=1,
    )
    stream = await subject.stream("hi")
    lines = told(await read(stream))
    assert lines[3:6] == ["text-delta:par", "step-finish:retry", "step-start"]
    assert "error" not in lines
    result = await stream.result()
    assert (result.text, result.error, result.status) == ("good", None, "passed")


async def test_dropping_the_error_part_leaves_the_error() -> None:
    hide = processor(
        "p", process_output_stream=lambda a: None if a.part.type == "error" else a.part
    )
    stream = await agent(BROKEN, output_processors=[hide]).stream("hi")
    assert told(await read(stream))[-2:] == ["step-finish:error", "finish:error"]
    assert str((await stream.result()).error) == "no"


async def test_error_processor_that_fails_is_passed_over() -> None:
    def fail(args: Any) -> None:
        raise ValueError("boom")

    log = EventLog()
    subject = agent(
        APIError("no"),
        text("good"),
        error_processors=[
            processor("bad", process_api_error=fail),
            processor("good", process_api_error=lambda args: APIErrorResult(retry=True)),
        ],
    )
    result = await (await subject.stream("hi", trace=log)).result()
    assert result.text == "good"
    hooks = [event for event in log.of(HookCalled) if event.hook == "processAPIError"]
    assert [event.outcome for event in hooks] == ["errored", "changed"]
    refused = log.of(ModelChunk)[0].chunk
    assert refused.to_wire()["payload"]["error"]["message"] == "no"


async def test_stream_hook_that_fails_on_data_of_an_error_processor_ends_the_run() -> None:
    async def write(args: Any) -> APIErrorResult:
        await args.writer.custom({"type": "data-x", "data": 1})
        return APIErrorResult(retry=True)

    def fail(args: Any) -> Any:
        if args.part.is_data:
            raise ValueError("boom")
        return args.part

    subject = agent(
        APIError("no"),
        text("good"),
        error_processors=[processor("e", process_api_error=write)],
        output_processors=[processor("o", process_output_stream=fail, process_data_parts=True)],
    )
    result = await (await subject.stream("hi")).result()
    assert isinstance(result.error, HookError)
    assert result.error.processor_id == "o"


async def test_failed_step_is_an_errored_attempt() -> None:
    log = EventLog()
    result = await (await agent(BROKEN).stream("hi", trace=log)).result()
    assert result.status == "error"
    assert [event.outcome for event in log.of(AttemptEnded)] == ["errored"]
    assert result.steps[0].finish_reason == "error"


async def test_feedback_is_on_record() -> None:
    log = EventLog()

    def check(args: Any) -> None:
        if args.retry_count < 2:
            args.abort("too short", retry=True)

    subject = agent(
        text("a"),
        text("b"),
        text("c"),
        output_processors=[processor("p", process_output_step=check)],
        max_processor_retries=2,
    )
    await (await subject.stream("hi", trace=log)).result()
    feedback = [event.feedback for event in log.of(AttemptStarted)]
    told_once = (
        "[Processor Feedback] Your previous response was not accepted: too short. "
        "Please try again with the feedback in mind."
    )
    assert feedback == [(), (told_once,), (told_once,)]
    assert [event.attempt for event in log.of(AttemptStarted)] == [0, 1, 2]
