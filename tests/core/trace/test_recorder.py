"""What a run tells its trace beside its calls: messages, requests, spans, violations, tools."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tests.support.engine import agent, calls, processor, text
from tests.support.traced import in_stream, traced, unchanged
from tripscope.tools import Tool
from tripscope.trace.events import (
    HookCalled,
    MessagesChanged,
    ModelRequested,
    ResultDiscarded,
    RunStarted,
    SpanEnded,
    ViolationReported,
    Warned,
)
from tripscope.trace.recorder import RunInfo


async def test_numbers_and_times() -> None:
    log = await traced(agent(text("Hello")), run=RunInfo("run-1", "replay", "run-0"))
    assert [event.seq for event in log] == list(range(len(log)))
    started = log.events[0]
    assert isinstance(started, RunStarted)
    assert (started.run_id, started.mode, started.parent_run) == ("run-1", "replay", "run-0")
    times = [event.time for event in log if event.kind not in ("hook", "span")]
    assert times == sorted(times)
    with pytest.raises(AttributeError):
        started.seq = 1  # type: ignore[misc]


async def test_message_versions_are_made_only_when_a_message_changed() -> None:
    def shout(args: Any) -> None:
        for message in args.messages:
            for part in message.parts:
                part.text = part.text.upper()

    subject = agent(
        text("Hello"),
        input_processors=[
            processor("p", process_input=shout),
            processor("q", process_input=lambda args: None),
        ],
    )
    log = await traced(subject, ["one", "two"])
    events = log.of(MessagesChanged)
    assert [event.processor for event in events] == [None, "p", None]
    assert [key for key, _ in events[1].versions] == ["m1@1", "m2@1"]
    assert [key for key, _ in events[2].versions] == ["m3@0"]
    assert events[2].order == (("m1@1", "input"), ("m2@1", "input"), ("m3@0", "response"))
    outcomes = {event.processor: event.outcome for event in log.of(HookCalled)}
    assert outcomes == {"p": "changed", "q": "pass"}


async def test_spans_of_hooks() -> None:
    def work(args: Any) -> None:
        span = args.tracing_context.current_span
        span.set_attributes(model="small")
        with span.child("look up", table="users") as child:
            child.set_attributes(rows=3)
        span.child("left open")

    log = await traced(
        agent(text("x"), output_processors=[processor("p", process_output_step=work)])
    )
    spans = {event.name: event for event in log.of(SpanEnded)}
    hook = spans["processOutputStep"]
    assert hook.attributes == {"model": "small"}
    assert spans["look up"].attributes == {"table": "users", "rows": 3}
    assert spans["look up"].parent == spans["left open"].parent == hook.span
    assert {event.processor for event in spans.values()} == {"p"}


async def test_request_is_told_as_sent() -> None:
    tool = Tool(name="a", description="does a", execute=lambda args, context: 1)
    log = await traced(agent(text("x"), tools=[tool]), model_settings={"temperature": 0})
    request = log.of(ModelRequested)[0]
    assert request.prompt == ({"role": "user", "content": [{"type": "text", "text": "hi"}]},)
    assert [tool["name"] for tool in request.tools] == ["a"]
    assert request.model_settings == {"temperature": 0}
    assert request.call == 0


async def test_violation_follows_the_call_and_its_errors_are_swallowed() -> None:
    told: list[Any] = []

    def tell(violation: Any) -> None:
        told.append((violation.processor_id, violation.message, violation.detail))
        raise RuntimeError("not yours")

    guard = processor(
        "p",
        process_output_step=lambda args: args.abort("no", metadata={"score": 1}),
        on_violation=tell,
    )
    log = await traced(agent(text("x"), output_processors=[guard]))
    assert told == [("p", "no", {"score": 1})]
    kinds = [event.kind for event in log if event.kind in ("hook", "violation")]
    assert kinds == ["hook", "violation"]
    assert log.of(ViolationReported)[0].detail == {"score": 1}


async def test_tools_of_a_rejected_attempt() -> None:
    def reject(args: Any) -> None:
        if not args.retry_count:
            args.abort("again", retry=True)

    subject = agent(
        calls("a", "b"),
        text("x"),
        tools=[Tool(name=name, execute=lambda args, context: 1) for name in "ab"],
        output_processors=[processor("p", process_tool_result=reject)],
        max_processor_retries=1,
    )
    log = await traced(subject)
    assert [event.tool_name for event in log.of(ResultDiscarded)] == ["a", "b"]
    assert all("may run it twice" in event.message for event in log.of(Warned))


async def test_events_grow_with_the_chunks_and_no_faster() -> None:
    async def size(count: int) -> tuple[int, int]:
        log = await traced(in_stream(unchanged, *["abcd"] * count, names="abc"))
        wires = sum(len(pickle.dumps(getattr(e, "chunk", None))) for e in log)
        return len(log), wires

    (few, small), (many, large) = await size(100), await size(1000)
    assert many - few == 900 * 5  # model-chunk, three calls, delivered
    assert large < 10 * small
