"""What a run tells its trace: every call, exact copies, outcomes, state, messages, spans."""

from __future__ import annotations

import gc
import pickle
import weakref
from typing import Any

import pytest

from tests.support.engine import agent, calls, processor, read, text
from tripscope.agent import Agent
from tripscope.chunks import Chunk, Delta
from tripscope.errors import HookTimeout
from tripscope.models.base import ModelRequest, ModelResponse
from tripscope.models.scripted import ScriptedModel
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.tools import Tool
from tripscope.trace.events import (
    Delivered,
    HookCalled,
    MessagesChanged,
    ModelChunk,
    ModelRequested,
    ResultDiscarded,
    RunStarted,
    SpanEnded,
    StateChanged,
    ViolationReported,
    Warned,
)
from tripscope.trace.recorder import EventLog, RunInfo

STREAM = "processOutputStream"


async def traced(subject: Any, prompt: Any = "hi", **options: Any) -> EventLog:
    log = EventLog()
    await (await subject.stream(prompt, trace=log, **options)).result()
    return log


def stream_calls(log: EventLog, processor: str = "p") -> list[HookCalled]:
    calls = [event for event in log.of(HookCalled) if event.hook == STREAM]
    return [event for event in calls if event.processor == processor]


def on_delta(change: Any) -> Any:
    return lambda args: change(args) if args.part.type == "text-delta" else args.part


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


async def test_every_call_is_on_record_also_one_that_changed_nothing() -> None:
    chain = [processor(name, process_output_stream=lambda args: args.part) for name in "ab"]
    log = await traced(agent(text("Hel", "lo"), output_processors=chain))
    parts = ["step-start", "text-start", "text-delta", "text-delta", "text-end", "finish"]
    parts.append("step-finish")
    for name in "ab":
        events = stream_calls(log, name)
        assert [event.part.type for event in events if event.part] == parts
        assert [event.index for event in events] == list(range(7))
        assert {event.outcome for event in events} == {"pass"}


async def test_unchanged_parts_share_one_copy_all_the_way() -> None:
    chain = [processor(name, process_output_stream=lambda args: args.part) for name in "ab"]
    log = await traced(agent(text("Hello"), output_processors=chain))
    model = next(e for e in log.of(ModelChunk) if e.chunk.type == "text-delta")
    first, second = (stream_calls(log, name)[2] for name in "ab")
    delivered = next(e for e in log.of(Delivered) if e.index == 2)
    assert first.part is second.part is model.chunk is delivered.chunk
    assert first.out is second.out
    assert first.out == (model.chunk,)


async def test_copies_keep_what_entered_when_hooks_edit_in_place() -> None:
    def shout(args: Any) -> Any:
        args.part.payload.text = args.part.payload.text.upper()
        return args.part

    subject = agent(
        text("a"), output_processors=[processor("p", process_output_stream=on_delta(shout))]
    )
    log = await traced(subject)
    call = stream_calls(log)[2]
    assert call.outcome == "changed"
    assert call.part is not None
    assert (call.part.payload.text, call.out[0].payload.text) == ("a", "A")  # type: ignore[index]
    model = next(e for e in log.of(ModelChunk) if e.chunk.type == "text-delta")
    assert model.chunk.payload.text == "a"


async def test_client_and_model_cannot_reach_the_trace() -> None:
    stream = await agent(text("a")).stream("hi", trace=(log := EventLog()))
    for chunk in await read(stream):
        if chunk.type == "text-delta":
            chunk.payload.text = "edited"
    assert "edited" not in str(log.events)


@pytest.mark.parametrize(
    ("change", "outcome", "out"),
    [
        (lambda args: args.part, "pass", 1),
        (lambda args: None, "changed", 0),
        (lambda args: [], "changed", 0),
        (lambda args: [args.part], "pass", 1),
        (lambda args: [args.part, args.part.copy()], "changed", 2),
        (lambda args: args.part.copy(), "changed", 1),
        (lambda args: args.abort("no"), "blocked", None),
    ],
)
async def test_outcomes(change: Any, outcome: str, out: int | None) -> None:
    subject = agent(
        text("a"), output_processors=[processor("p", process_output_stream=on_delta(change))]
    )
    call = stream_calls(await traced(subject))[2]
    assert call.outcome == outcome
    assert (None if call.out is None else len(call.out)) == out


async def test_outcomes_of_failures() -> None:
    def time_out(args: Any) -> Any:
        raise HookTimeout("too slow", processor_id="p", hook=STREAM)

    def fail(args: Any) -> Any:
        raise ValueError("boom")

    for hook, outcome in ((time_out, "timed-out"), (fail, "errored")):
        subject = agent(
            text("a"), output_processors=[processor("p", process_output_stream=on_delta(hook))]
        )
        call = stream_calls(await traced(subject))[-1]
        assert call.outcome == outcome
        assert call.error is not None


def hold(args: Any) -> Any:
    """Holds deltas and tells the probe."""
    part, probe, state = args.part, args.probe, args.state
    held = state.setdefault("held", "")
    if part.type == "text-delta":
        state["held"] = held + part.payload.text
        probe.held(len(state["held"]))
        return None
    if part.type == "text-end" and held:
        state["held"] = ""
        probe.held(0)
        probe.emit([(0, len(held), 0, len(held), None)])
        return [Chunk("text-delta", Delta(id="t1", text=held)), part]
    return part


async def test_holding_and_releasing_unchanged_text_is_a_pass() -> None:
    subject = agent(
        text("Hel", "lo"), output_processors=[processor("p", process_output_stream=hold)]
    )
    events = stream_calls(await traced(subject))
    assert {event.outcome for event in events} == {"pass"}
    assert [event.held for event in events] == [None, None, 3, 5, 0, None, None]
    assert events[4].intervals == ((0, 5, 0, 5, None),)


async def test_flagged_makes_the_run_flagged() -> None:
    def warn(args: Any) -> Any:
        args.probe.finding("rule", 0, 1, "flagged")
        return args.part

    subject = agent(
        text("a"), output_processors=[processor("p", process_output_stream=on_delta(warn))]
    )
    log = EventLog()
    result = await (await subject.stream("hi", trace=log)).result()
    assert result.status == "flagged"
    assert stream_calls(log)[2].outcome == "flagged"


async def test_state_by_key_and_exact_at_the_ends_of_attempts() -> None:
    def count(args: Any) -> Any:
        args.state["n"] = args.state.get("n", 0) + 1
        args.state.setdefault("seen", []).append(args.part.type)
        return args.part

    log = await traced(
        agent(text("a"), output_processors=[processor("p", process_output_stream=count)])
    )
    events = log.of(StateChanged)
    steps = [event for event in events if not event.snapshot]
    assert steps[1].changes[0] == ("n", 1, 2)
    assert [key for key, *_ in steps[1].changes] == ["n", "seen"]
    exact = [event for event in events if event.snapshot][-1]
    assert {key: value for key, _, value in exact.changes}["seen"][:2] == [
        "step-start",
        "text-start",
    ]


async def test_a_filter_that_passes_text_on_changes_no_state_worth_an_event() -> None:
    chain = [
        RegexFilterProcessor(presets=["pii"], strategy="redact", stream_carryover_size=4, id="a"),
        RegexFilterProcessor(presets=["urls"], strategy="warn", id="b"),
    ]
    log = await traced(agent(text(*["word"] * 20), output_processors=chain))
    told = [event for event in log.of(StateChanged) if not event.snapshot]
    held = [event.changes[0] for event in told if event.processor == "a"]
    assert held == [
        ("regexFilter.heldUnits", None, 0),
        ("regexFilter.heldUnits", 0, 4),
        ("regexFilter.heldUnits", 4, 0),
    ]
    assert [event.changes[0][2] for event in told if event.processor == "b"] == [0]


async def test_large_state_is_told_by_its_end() -> None:
    def fill(args: Any) -> Any:
        args.state.setdefault("big", []).extend(range(10_000))
        return args.part

    log = await traced(
        agent(text("a"), output_processors=[processor("p", process_output_stream=fill)])
    )
    steps = [event for event in log.of(StateChanged) if not event.snapshot]
    assert max(len(str(event.changes)) for event in steps) < 500


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


async def test_a_sink_is_told_everything_at_once() -> None:
    # One synchronous sink: an event is there before the next thing happens.
    log = EventLog()
    seen: list[int] = []

    def look(args: Any) -> Any:
        seen.append(len(log))
        return args.part

    chain = [processor(name, process_output_stream=look) for name in "ab"]
    await (await agent(text("a"), output_processors=chain).stream("hi", trace=log)).result()
    assert seen == sorted(set(seen))


async def test_events_grow_with_the_chunks_and_no_faster() -> None:
    async def size(count: int) -> tuple[int, int]:
        chain = [processor(n, process_output_stream=lambda args: args.part) for n in "abc"]
        log = await traced(agent(text(*["abcd"] * count), output_processors=chain))
        wires = sum(len(pickle.dumps(getattr(e, "chunk", None))) for e in log)
        return len(log), wires

    (few, small), (many, large) = await size(100), await size(1000)
    assert many - few == 900 * 5  # model-chunk, three calls, delivered
    assert large < 10 * small


async def test_without_a_sink_the_run_is_the_same() -> None:
    def shout(args: Any) -> Any:
        args.part.payload.text = args.part.payload.text.upper()
        return args.part

    chain = [processor("p", process_output_stream=on_delta(shout))]
    traced_run = await (
        await agent(text("a"), output_processors=chain).stream("hi", trace=EventLog())
    ).result()
    plain_run = await (await agent(text("a"), output_processors=chain).stream("hi")).result()
    assert (traced_run.text, traced_run.status) == (plain_run.text, plain_run.status)
    assert plain_run.status == "changed"


async def test_log_freezes_what_it_holds_and_thaws_it_when_the_run_ends() -> None:
    most = 0

    def look(args: Any) -> Any:
        nonlocal most
        if args.part.type == "text-end":  # counting takes a time with what is frozen
            most = gc.get_freeze_count()
        return args.part

    chain = [processor("p", process_output_stream=look)]
    await traced(agent(text(*["a"] * EventLog.FREEZE_EVERY), output_processors=chain))
    assert most > EventLog.FREEZE_EVERY
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("at", [0, 3, 9, 20])
async def test_a_sink_that_fails_ends_the_run_and_gives_everything_back(at: int) -> None:
    seen: list[Any] = []

    def full(event: Any) -> None:
        seen.append(event)
        if event.seq == at:
            raise OSError("disk full")

    chain = [processor("p", process_output_stream=lambda args: args.part)]
    subject = agent(text(*"abcdefgh"), output_processors=chain)
    with pytest.raises(OSError, match="disk full"):
        await subject.generate("hi", trace=full)
    assert len(seen) == at + 1


@pytest.mark.parametrize("where", ["model", "processor"])
async def test_a_failed_run_is_let_go(where: str) -> None:
    """The collector does not look into events: they must not hold the frames of an error."""

    async def failed() -> weakref.ref[EventLog]:
        log = EventLog()

        def fail(_: Any) -> Any:
            held = log
            raise RuntimeError(f"after {len(held)} events")

        class Broken(ScriptedModel):
            async def call(self, request: ModelRequest) -> ModelResponse:
                return fail(request)

        model = Broken([]) if where == "model" else ScriptedModel([text("Hello")])
        chain = [processor("p", process_output_stream=fail)] if where == "processor" else []
        stream = await Agent(id="a", model=model, output_processors=chain).stream("hi", trace=log)
        await read(stream)
        (error,) = [event.chunk for event in log.of(Delivered) if event.chunk.type == "error"]
        assert "after" in error.payload.error["message"]
        return weakref.ref(log)

    log = await failed()
    gc.collect()
    assert log() is None
