"""Faults that other systems had with aborts and the retries that they ask for.

The labels are those of the public reports: where a label has several tests, they are one fault on
several paths.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.both_methods import METHODS, run
from tests.support.engine import agent, processor, read, text, told
from tripscope.agent import Agent
from tripscope.models.scripted import ScriptedModel
from tripscope.trace.events import AttemptEnded
from tripscope.trace.recorder import EventLog


def stop_guard(reason: str = "no") -> Any:
    def guard(args: Any) -> Any:
        if args.part.type == "text-delta" and "STOP" in args.part.payload.text:
            args.abort(reason)
        return args.part

    return processor("guard", process_output_stream=guard)


# -- L1: an abort was only logged and the text kept flowing


async def test_abort_in_the_stream_ends_it() -> None:
    seen: list[str] = []
    after = processor(
        "after", process_output_stream=lambda a: seen.append(told([a.part])[0]) or a.part
    )
    subject = agent(text("ok ", "STOP", " after"), output_processors=[stop_guard(), after])
    stream = await subject.stream("hi")
    chunks = await read(stream)
    assert told(chunks) == ["start", "step-start", "text-start", "text-delta:ok ", "tripwire:no"]
    assert chunks[-1].payload.processor_id == "guard"
    assert not any("STOP" in line for line in seen)
    assert (await stream.result()).status == "blocked"


async def test_abort_in_the_stream_ends_a_generate() -> None:
    result = await agent(text("ok ", "STOP"), output_processors=[stop_guard()]).generate("hi")
    assert (result.status, result.text, result.finish_reason) == ("blocked", "", "other")
    assert result.tripwire is not None
    assert (result.tripwire.reason, result.tripwire.processor_id) == ("no", "guard")


# -- L2: an abort was retried like a failure of the model


@METHODS
async def test_abort_before_the_call_asks_no_model(method: str) -> None:
    model = ScriptedModel([text("Hello")])
    guard = processor("guard", process_input_step=lambda args: args.abort("never"))
    errors = processor("errors", process_api_error=lambda args: pytest.fail("no model error"))
    subject = Agent(
        id="a", model=model, input_processors=[guard], error_processors=[errors], max_retries=3
    )
    result = await run(subject, method)
    assert model.requests == []
    assert result.status == "blocked"
    assert result.error is None


# -- L4: a retry ended the run, or leaked the rejected text


def no_drafts() -> tuple[Any, list[int]]:
    counts: list[int] = []

    def check(args: Any) -> None:
        counts.append(args.retry_count)
        if args.text.startswith("bad"):
            args.abort("too bad", retry=True)

    return processor("check", process_output_step=check), counts


@METHODS
async def test_retry_gives_the_good_answer_only(method: str) -> None:
    check, counts = no_drafts()
    model = ScriptedModel([text("bad draft"), text("good")])
    subject = Agent(id="a", model=model, output_processors=[check], max_processor_retries=1)
    log = EventLog()
    result = await run(subject, method, trace=log)
    assert counts == [0, 1]
    assert result.text == "good"
    assert [step.text for step in result.steps] == ["good"]
    feedback = model.requests[1].prompt[0]
    assert feedback["role"] == "system"
    assert "too bad" in feedback["content"]
    ended = log.of(AttemptEnded)
    assert [(e.outcome, e.reason, e.retried, e.processor) for e in ended] == [
        ("blocked", "too bad", True, "check"),
        ("pass", None, False, None),
    ]


@METHODS
async def test_retry_without_budget_is_a_tripwire(method: str) -> None:
    check, counts = no_drafts()
    model = ScriptedModel([text("bad draft"), text("good")])
    subject = Agent(id="a", model=model, output_processors=[check], max_processor_retries=0)
    result = await run(subject, method)
    assert counts == [0]
    assert len(model.requests) == 1
    assert result.tripwire is not None
    assert result.tripwire.retry is True
