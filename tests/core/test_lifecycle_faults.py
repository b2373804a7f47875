"""Faults that other systems had with life cycles and memory, each in stream and in generate.

The names are those of the public reports: where a test has several, they are one fault on several
paths.
"""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import agent, calls, processor, read, text, told
from tripscope.agent import Agent
from tripscope.chunks import Chunk, ErrorPayload
from tripscope.errors import APIError, HookError
from tripscope.memory import Memory, SQLiteStore
from tripscope.messages import TextPart, ToolInvocationPart, text_message
from tripscope.models.scripted import ScriptedModel
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.results import RunResult
from tripscope.tools import Tool
from tripscope.trace.events import AttemptEnded, HookCalled, ModelChunk, RunEnded, Warned
from tripscope.trace.recorder import EventLog

METHODS = pytest.mark.parametrize("method", ["stream", "generate"])


async def run(subject: Agent, method: str, prompt: Any = "hi", **options: Any) -> RunResult:
    """The result by either method; an error is in it."""
    if method == "stream":
        stream = await subject.stream(prompt, **options)
        return await stream.result()
    return await subject.generate(prompt, **options)


def delivered(log: EventLog) -> list[Chunk]:
    """What the client of a run got, or would have got."""
    return [event.chunk for event in log if event.kind == "delivered"]


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


# -- L5: after a failure of the provider the last hook and the store were silently skipped


async def test_provider_failure_in_mid_stream() -> None:
    memory, log, seen = Memory(), EventLog(), []
    last = processor("last", process_output_result=lambda args: seen.append(args.result.text))
    failure = Chunk("error", ErrorPayload(error=APIError("overloaded", status_code=503)))
    subject = agent(
        [*text("par", end=False, finish=None), failure], output_processors=[last], memory=memory
    )
    stream = await subject.stream("hi", thread="t", resource="r", trace=log)
    lines = told(await read(stream))
    assert lines[-3:] == ["error", "step-finish:error", "finish:error"]
    assert lines.count("error") == 1
    assert seen == ["par"]
    assert "processOutputResult" in [event.hook for event in log.of(HookCalled)]
    assert log.of(RunEnded)[0].stored is True
    stored = await memory.messages("t", "r")
    assert [message.text for message in stored] == ["hi", "par"]
    assert stored[1].content.metadata == {"incomplete": True}


async def test_provider_failure_in_generate() -> None:
    memory, seen = Memory(), []
    last = processor("last", process_output_result=lambda args: seen.append(args.result.text))
    failure = APIError("overloaded", status_code=503)
    subject = agent(failure, output_processors=[last], memory=memory)
    with pytest.raises(APIError, match="overloaded"):
        await subject.generate("hi", thread="t", resource="r")
    assert seen == [""]
    assert [message.text for message in await memory.messages("t", "r")] == ["hi"]


# -- L7: dropping one part seemed to stop the stream


@METHODS
@pytest.mark.parametrize("nothing", [None, []])
async def test_a_dropped_part_is_missing_and_nothing_else(method: str, nothing: Any) -> None:
    seen: list[str] = []
    ran: list[str] = []
    first = processor(
        "first",
        process_output_stream=lambda a: nothing if a.part.type == "tool-call" else a.part,
    )
    second = processor("second", process_output_stream=lambda a: seen.append(a.part.type) or a.part)
    log = EventLog()
    subject = agent(
        [*text("see", finish=None), *calls("tool")],
        text("done"),
        tools=[Tool(name="tool", execute=lambda args, context: ran.append("tool"))],
        output_processors=[first, second],
    )
    result = await run(subject, method, trace=log)
    types = [chunk.type for chunk in delivered(log)]
    assert "tool-call" not in types + seen
    assert types[-1] == "finish"
    assert result.text == "done"
    # Dropped is not executed (docs/rules.md, section 4), and the loop goes on.
    assert ran == []


# -- L8: the writer was missing on some paths


@METHODS
async def test_every_output_hook_has_a_writer(method: str) -> None:
    async def note(args: Any) -> Any:
        part = getattr(args, "part", None)
        if part is None or part.type == "text-delta":
            hook = type(args).__name__
            await args.writer.custom({"type": "data-note", "data": hook})
        return part

    notes = processor(
        "notes",
        process_output_stream=note,
        process_output_step=note,
        process_output_result=note,
    )
    log = EventLog()
    await run(agent(text("Hello"), output_processors=[notes]), method, trace=log)
    chunks = delivered(log)
    assert [chunk.data for chunk in chunks if chunk.is_data] == [
        "ProcessOutputStreamArgs",
        "ProcessOutputStepArgs",
        "ProcessOutputResultArgs",
    ]
    assert chunks[-1].type == "finish"


# -- L10: state was lost between hooks, or shared


def counter(id: str, results: list[tuple[str, int]]) -> Any:
    def count(args: Any) -> Any:
        args.state["parts"] = args.state.get("parts", 0) + 1
        return args.part

    return processor(
        id,
        process_output_stream=count,
        process_output_result=lambda args: results.append((id, args.state["parts"])),
        process_api_error=lambda args: results.append((id, args.state["parts"])),
    )


def counted_agent(results: list[tuple[str, int]]) -> Agent:
    one, two = counter("one", results), counter("two", results)
    drop = processor(
        "drop", process_output_stream=lambda a: a.part if a.part.type != "text-end" else None
    )
    responses = [calls("tool"), text("Done")]
    return Agent(
        id="a",
        model=_Endless(responses),
        tools=[Tool(name="tool", execute=lambda args, context: 1)],
        output_processors=[one, drop, two],
        error_processors=[one],
    )


class _Endless(ScriptedModel):
    """Begins its script again when it is through, for each run by its own conversation."""

    async def call(self, request: Any) -> Any:
        asked = sum(message["role"] == "tool" for message in request.prompt)
        return await ScriptedModel([self.responses[asked]]).call(request)


PARTS_OF_ONE = (
    4 + 6
)  # step-start, call, result, step-finish; step-start, text x 3, finish, step-finish


@METHODS
async def test_state_counts_what_the_processor_was_given(method: str) -> None:
    results: list[tuple[str, int]] = []
    subject = counted_agent(results)
    for _ in range(2):
        await run(subject, method)
    assert results == [("one", PARTS_OF_ONE), ("two", PARTS_OF_ONE - 1)] * 2


@METHODS
async def test_twenty_runs_at_once_share_nothing(method: str) -> None:
    results: list[tuple[str, int]] = []
    subject = counted_agent(results)
    logs = [EventLog() for _ in range(20)]
    answers = await asyncio.gather(
        *(
            run(subject, method, f"prompt {number}", trace=log, pace=lambda: asyncio.sleep(0))
            for number, log in enumerate(logs)
        )
    )
    assert sorted(results) == sorted([("one", PARTS_OF_ONE), ("two", PARTS_OF_ONE - 1)] * 20)
    for number, (answer, log) in enumerate(zip(answers, logs, strict=True)):
        assert answer.messages[0].text == f"prompt {number}"
        assert answer.text == "Done"
        assert [event.seq for event in log] == list(range(len(log)))
    assert len({event.run_id for log in logs for event in log if event.kind == "run-started"}) == 20


async def test_state_is_there_when_the_model_fails() -> None:
    results: list[tuple[str, int]] = []
    one = counter("one", results)
    subject = agent(APIError("no"), output_processors=[one], error_processors=[one])
    await read(await subject.stream("hi"))
    assert results[0] == ("one", 1)


# -- L11: earlier steps were missing; processToolResult was not called


@METHODS
async def test_steps_and_tool_results_are_told_once(method: str) -> None:
    steps: list[Any] = []
    results: list[Any] = []
    watch = processor(
        "watch",
        process_input_step=lambda args: steps.append(args.steps),
        process_tool_result=lambda args: results.append(args.result),
    )
    log = EventLog()
    subject = agent(
        calls("tool"),
        text("Done"),
        tools=[Tool(name="tool", execute=lambda args, context: {"v": 1})],
        input_processors=[watch],
        output_processors=[watch],
    )
    await run(subject, method, trace=log)
    assert [len(seen) for seen in steps] == [0, 1]
    assert [call.tool_name for call in steps[1][0].tool_calls] == ["tool"]
    assert results == [{"v": 1}]
    assert [chunk.type for chunk in delivered(log)].count("tool-result") == 1


# -- M1: the user saw redacted text, the store kept the original

ADDRESS = "ann@example.test"


@METHODS
async def test_the_store_holds_what_the_user_saw(method: str, tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    subject = agent(
        text("mail ann@", "example.test", " soon"),
        output_processors=[RegexFilterProcessor(presets=["pii"], strategy="redact")],
        memory=Memory(SQLiteStore(path)),
    )
    result = await run(subject, method, thread="t", resource="r")
    reloaded = await Memory(SQLiteStore(path)).messages("t", "r")
    assert [message.text for message in reloaded] == ["hi", result.text]
    assert ADDRESS not in result.text
    assert "soon" in result.text
    for file in list(tmp_path.glob("*")):  # noqa: ASYNC240 - nothing else runs
        assert ADDRESS.encode() not in file.read_bytes(), file.name


# -- M2: a filter for one request rewrote the history, or the caller's own objects


@METHODS
async def test_filters_leave_the_history_and_the_callers_list_alone(method: str) -> None:
    memory = Memory()
    first = agent(
        calls("tool", args={"q": "x"}),
        text("Found"),
        tools=[Tool(name="tool", execute=lambda args, context: {"v": 1})],
        memory=memory,
    )
    await run(first, method, "look", thread="t", resource="r")
    stored = [message.to_wire() for message in await memory.messages("t", "r")]

    def drop_tools(args: Any) -> Any:
        for message in args.messages:
            message.content.parts = [
                part for part in message.parts if not isinstance(part, ToolInvocationPart)
            ]
        return args.messages

    def shout(args: Any) -> None:
        for message in args.messages:
            for part in message.parts:
                if isinstance(part, TextPart):
                    part.text = part.text.upper()

    model = ScriptedModel([text("Again")])
    second = Agent(
        id="a",
        model=model,
        input_processors=[
            processor("drop", process_input=drop_tools),
            processor("shout", process_input_step=shout),
        ],
        memory=memory,
    )
    given = [text_message("user", "and now?"), {"role": "user", "content": "please"}]
    before = copy.deepcopy(given)
    await run(second, method, given, thread="t", resource="r")
    assert given == before
    prompt = model.requests[0].prompt
    assert [message["role"] for message in prompt] == ["user", "assistant", "user", "user"]
    assert prompt[0]["content"][0]["text"] == "LOOK"
    after = [message.to_wire() for message in await memory.messages("t", "r")]
    assert after[: len(stored)] == stored
    # The new user messages are stored as the processors left them.
    assert [m["content"]["parts"][0]["text"] for m in after[len(stored) :]] == [
        "AND NOW?",
        "PLEASE",
        "Again",
    ]


# -- M4: after a tripwire the refused text was readable here and missing there


def refuse(hook: str) -> Any:
    def guard(args: Any) -> Any:
        part = getattr(args, "part", None)
        if part is None or (part.type == "text-delta" and "refused" in part.payload.text):
            args.abort("refused")
        return part

    return processor("guard", **{hook: guard})


@METHODS
@pytest.mark.parametrize(
    "hook", ["process_output_stream", "process_output_step", "process_output_result"]
)
async def test_one_rule_for_all_accessors(method: str, hook: str) -> None:
    memory, log = Memory(), EventLog()
    subject = agent(text("refused words"), output_processors=[refuse(hook)], memory=memory)
    result = await run(subject, method, "one", thread="t", resource="r", trace=log)
    shown = "" if hook == "process_output_stream" else "refused words"
    assert (result.status, result.finish_reason) == ("blocked", "other")
    assert result.text == shown
    assert [m.text for m in result.messages] == (["one", shown] if shown else ["one"])
    assert [step.text for step in result.steps] == (
        [shown] if hook == "process_output_result" else []
    )
    ended = log.events[-1]
    assert isinstance(ended, RunEnded)
    assert (ended.text, ended.stored) == (shown, False)
    assert await memory.messages("t", "r") == []
    model = ScriptedModel([text("fine")])
    await run(Agent(id="b", model=model, memory=memory), method, "two", thread="t", resource="r")
    assert "refused" not in str(model.requests[0].prompt)


# -- M5: only plain text was scanned: the filter's scope is text, the rest stays as it is


@METHODS
async def test_structured_parts_keep_their_structure(method: str) -> None:
    arguments = {"to": ADDRESS, "n": [{"p": "415-555-0132"}]}
    nested = {"rows": [{"mail": ADDRESS}], "n": 1}
    subject = agent(
        calls("tool", args=arguments),
        text("Done"),
        tools=[Tool(name="tool", execute=lambda args, context: nested)],
        output_processors=[RegexFilterProcessor(presets=["pii"], strategy="redact")],
    )
    result = await run(subject, method)
    assert result.tool_calls[0].args == arguments
    assert result.tool_results[0].result == nested


@METHODS
async def test_error_of_a_hook_is_no_silence(method: str) -> None:
    def fail(args: Any) -> None:
        raise RuntimeError("boom")

    subject = agent(text("Hello"), output_processors=[processor("p", process_output_step=fail)])
    if method == "generate":
        with pytest.raises(HookError, match="boom"):
            await run(subject, method)
    else:
        assert (await run(subject, method)).status == "error"


async def test_two_calls_with_one_id_get_a_result_each() -> None:
    twice = [*calls("tool", args={"q": 1})[:1], *calls("tool", args={"q": 2})]
    model = ScriptedModel([twice, text("Done")])
    tool = Tool(name="tool", execute=lambda args, context: args["q"])
    log = EventLog()
    stream = await Agent(id="a", model=model, tools=[tool]).stream("hi", trace=log)
    chunks = await read(stream)
    results = [chunk.payload for chunk in chunks if chunk.type == "tool-result"]
    assert [(r.tool_call_id, r.result) for r in results] == [("c1", 1), ("c1-2", 2)]
    [asked] = [m["content"] for m in model.requests[1].prompt if m["role"] == "tool"]
    assert [(r["toolCallId"], r["output"]["value"]) for r in asked] == [("c1", 1), ("c1-2", 2)]
    assert [event.detail for event in log.of(Warned)] == [{"toolCallId": "c1-2"}]
    given = [
        e.chunk.payload.tool_call_id for e in log.of(ModelChunk) if e.chunk.type == "tool-call"
    ]
    assert given == ["c1", "c1"]  # on record as the model gave it
