"""Recordings of runs of the real engine, replayed."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.support.llm_server import FakeLLM
from tripscope.agent import Agent
from tripscope.chunks import BlockEdge, Chunk, ErrorPayload, Finish, ToolCall, Usage, text_delta
from tripscope.clock import SystemClock, VirtualClock
from tripscope.errors import APIError, NeedsLive
from tripscope.models.base import Model, ModelRequest, RawFrame
from tripscope.models.openai_compatible import OpenAICompatible
from tripscope.models.recorded import RecordedModel, recorded_tools
from tripscope.models.scripted import Delay, ScriptedModel
from tripscope.tools import Tool
from tripscope.trace.events import (
    AnyEvent,
    HookCalled,
    ModelChunk,
    ModelRequested,
    RunEnded,
    RunStarted,
    SpanEnded,
    ToolEnded,
)
from tripscope.trace.file import load
from tripscope.trace.recorder import EventLog


def answer(*texts: str, finish: str = "stop") -> list[Chunk]:
    return [
        Chunk("text-start", BlockEdge(id="t")),
        *(text_delta(text, id="t") for text in texts),
        Chunk("text-end", BlockEdge(id="t")),
        Chunk("finish", Finish(reason=finish, usage=Usage(input_tokens=1, output_tokens=2))),
    ]


def calls(*calls: tuple[str, str, Any]) -> list[Chunk]:
    return [
        *(
            Chunk("tool-call", ToolCall(tool_call_id=id, tool_name=name, args=args))
            for id, name, args in calls
        ),
        Chunk("finish", Finish(reason="tool-calls")),
    ]


async def run(
    model: Model,
    tools: Sequence[Tool] = (),
    *,
    prompt: str = "hi",
    method: str = "stream",
    processors: Sequence[Any] = (),
    trace: Any = None,
    clock: Any = None,
    max_retries: int = 0,
) -> list[AnyEvent]:
    log = EventLog()
    agent = Agent(
        id="a",
        model=model,
        tools=tools,
        output_processors=list(processors),
        max_retries=max_retries,
        max_processor_retries=3,
        resolve_model=getattr(model, "resolve", None),
    )
    options = {"trace": trace or log, "clock": clock or SystemClock()}
    if method == "generate":
        with suppress(APIError, NeedsLive):
            await agent.generate(prompt, **options)
    else:
        async with await agent.stream(prompt, **options) as stream:
            await stream.result()
    return log.events


async def replay(
    events: Sequence[AnyEvent], tools: Sequence[Tool] = (), **options: Any
) -> list[AnyEvent]:
    clock = options.setdefault("clock", VirtualClock())
    model = RecordedModel.from_events(events, clock=clock)
    return await run(model, recorded_tools(tools, events, clock=clock), **options)


def without_times(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The events, times and the run's id aside."""
    old, new = events[0].run_id, "run"  # type: ignore[union-attr]
    same: list[AnyEvent] = []
    for event in events:
        event = structs.replace(event, time=0)
        if isinstance(event, RunStarted):
            event = structs.replace(event, run_id=new, mode="live", started_at="")
        if isinstance(event, HookCalled | ToolEnded | SpanEnded):
            event = structs.replace(event, duration=0)
        same.append(_renamed(event, old, new))
    return same


def _renamed(event: AnyEvent, old: str, new: str) -> AnyEvent:
    from tripscope.trace.codec import event_from_wire, event_to_wire

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items() if key != "createdAt"}
        return [walk(item) for item in value] if isinstance(value, list | tuple) else value

    return event_from_wire(walk(event_to_wire(event)))


def status(events: Sequence[AnyEvent]) -> str:
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    return ended.status


def of(events: Sequence[AnyEvent], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


class Upper:
    id = "upper"

    def process_output_stream(self, args: Any) -> Chunk:
        if args.part.type == "text-delta":
            args.part.payload.text = args.part.payload.text.upper()
        part: Chunk = args.part
        return part


class AbortOn:
    id = "abort-on"

    def __init__(self, text: str, *, retry: bool = False) -> None:
        self.text = text
        self.retry = retry

    def process_output_stream(self, args: Any) -> Chunk:
        part: Chunk = args.part
        if part.type == "text-delta" and self.text in part.payload.text:
            args.abort("no", retry=self.retry)
        return part


LOOK = Tool(name="look", execute=lambda args, context: {"seen": args})


# ---- against a server that we did not write


@pytest.fixture
def fakellm(tmp_path: Path):  # type: ignore[no-untyped-def]
    server = FakeLLM(
        tmp_path,
        [
            {
                "name": "answer",
                "when": {"tool_result_contains": "sunny"},
                "respond": {"content": "It is sunny in Örebro, mail ann@example.com 🦀"},
            },
            {
                "name": "call",
                "when": {"messages_contain": "weather", "tools_include": "weather"},
                "respond": {
                    "tool_calls": [
                        {"name": "weather", "arguments": {"city": "Örebro"}},
                        {"name": "weather", "arguments": {"city": "Lund"}},
                    ]
                },
            },
            {"name": "plain", "respond": {"content": "Hello from the server"}},
        ],
    )
    yield server
    server.stop()


async def test_a_run_against_a_server_replays_without_it(fakellm: FakeLLM, tmp_path: Path) -> None:
    ran: list[Any] = []

    async def weather(args: Any, context: Any) -> Any:
        ran.append(args)
        await asyncio.sleep(0.01 if args["city"] == "Örebro" else 0)  # ends second
        return {"weather": f"sunny in {args['city']}"}

    tools = [Tool(name="weather", description="Tells.", execute=weather)]
    path = tmp_path / "run.trace.jsonl"
    model = OpenAICompatible("m", base_url=fakellm.base_url)
    await run(model, tools, prompt="weather?", processors=[Upper()], trace=path)
    stats = fakellm.stats()
    assert stats["by_rule"] == {"call": 1, "answer": 1}
    fakellm.stop()

    recorded = load(path)
    assert status(recorded) == "changed"
    assert recorded[-1].text == "IT IS SUNNY IN ÖREBRO, MAIL ANN@EXAMPLE.COM 🦀"  # type: ignore[union-attr]
    assert len(of(recorded, ModelRequested)) == 2
    assert [event.result["weather"] for event in of(recorded, ToolEnded)] == [
        "sunny in Lund",
        "sunny in Örebro",
    ]
    assert sorted(args["city"] for args in ran) == ["Lund", "Örebro"]
    ran.clear()

    options = {"prompt": "weather?", "processors": [Upper()]}
    again = await replay(recorded, tools, **options)
    assert ran == []
    assert without_times(again) == without_times(recorded)
    assert [e.time for e in of(again, ModelChunk)] == [e.time for e in of(recorded, ModelChunk)]
    assert not any(event.differs for event in of(again, ModelRequested))
    # And a replay of the replay.
    assert without_times(await replay(again, tools, **options)) == without_times(recorded)


async def test_a_run_that_asks_for_whole_answers_replays(fakellm: FakeLLM) -> None:
    model = OpenAICompatible("m", base_url=fakellm.base_url)
    recorded = await run(model, method="generate", processors=[Upper()])
    assert [request["stream"] for request in fakellm.stats()["recent"]] == [False]
    assert recorded[-1].text == "HELLO FROM THE SERVER"  # type: ignore[union-attr]
    again = await replay(recorded, method="generate", processors=[Upper()])
    assert without_times(again) == without_times(recorded)


# ---- prompts


async def test_a_prompt_that_differs_is_marked_on_its_call() -> None:
    script = [calls(("c", "look", {"q": 1})), answer("done")]
    recorded = await run(ScriptedModel(script), [LOOK])
    other = replace(LOOK, description="changes no prompt")
    again = await replay(recorded, [other])
    assert [event.differs for event in of(again, ModelRequested)] == [False, False]
    again = await replay(recorded, [LOOK], prompt="ho")
    assert [event.differs for event in of(again, ModelRequested)] == [True, True]
    assert status(again) == "passed"


# ---- what goes beyond the recording


async def test_a_call_beyond_the_recording_needs_live() -> None:
    recorded = await run(ScriptedModel([answer("bad"), answer("good")]))
    (requested,) = of(recorded, ModelRequested)
    assert requested.call == 0
    again = await replay(recorded, processors=[AbortOn("bad", retry=True)])
    assert status(again) == "needs-live"
    assert "model call 2 goes beyond the recording, which has 1" in again[-1].error["message"]  # type: ignore[union-attr]


async def test_a_tool_call_beyond_the_recording_needs_live() -> None:
    recorded = await run(ScriptedModel([calls(("c", "look", {})), answer("done")]), [LOOK])
    cut = [event for event in recorded if not isinstance(event, ToolEnded)]
    again = await replay(cut, [LOOK])
    assert status(again) == "needs-live"
    assert "call 1 of tool 'look' goes beyond" in again[-1].error["message"]  # type: ignore[union-attr]


async def test_reading_past_a_cut_answer_needs_live() -> None:
    script = answer("a", "STOP", "b")
    recorded = await run(ScriptedModel([script]), processors=[AbortOn("STOP")])
    assert status(recorded) == "blocked"
    again = await replay(recorded, processors=[AbortOn("STOP")])
    assert without_times(again) == without_times(recorded)
    again = await replay(recorded)
    assert status(again) == "needs-live"
    assert "cut off after 3 parts" in again[-1].error["message"]  # type: ignore[union-attr]
    assert [
        c.chunk.payload.text for c in of(again, ModelChunk) if c.chunk.type == "text-delta"
    ] == [
        "a",
        "STOP",
    ]


async def test_an_answer_without_finish_was_still_read_to_its_end() -> None:
    recorded = await run(ScriptedModel([[text_delta("a")]]))
    assert status(recorded) == "passed"
    assert without_times(await replay(recorded)) == without_times(recorded)


# ---- errors


async def test_errors_of_the_model_replay() -> None:
    class Repair:
        id = "repair"

        def process_api_error(self, args: Any) -> Any:
            seen.append(args.error)

    refusal = APIError("busy", status_code=503, is_retryable=True, code="overloaded")
    plain = Chunk.from_wire({"type": "error", "payload": {"error": {"message": "broke"}}})
    broken = Chunk("error", ErrorPayload(error=APIError("broke", status_code=500)))
    scripts = [
        [refusal],
        [[text_delta("par"), plain]],
        [[text_delta("par"), broken]],
        [refusal, answer("good")],
    ]
    for script in scripts:
        recorded = await run(ScriptedModel(script), max_retries=1, clock=VirtualClock())
        again = await replay(recorded, max_retries=1)
        assert without_times(again) == without_times(recorded)
        assert status(again) == ("passed" if len(script) == 2 else "error")

    seen: list[Any] = []
    recorded = await run(ScriptedModel([refusal]))
    clock = VirtualClock()
    agent = Agent(
        id="a",
        model=RecordedModel.from_events(recorded, clock=clock),
        error_processors=[Repair()],
    )
    async with await agent.stream("hi", clock=clock) as stream:
        await stream.result()
    (error,) = seen
    assert isinstance(error, APIError)
    assert (error.message, error.status_code, error.is_retryable, error.code) == (
        "busy",
        503,
        True,
        "overloaded",
    )


async def test_errors_of_a_tool_replay_with_their_names() -> None:
    def fail(args: Any, context: Any) -> None:
        raise KeyError("gone")

    tools = [Tool(name="look", execute=fail)]
    recorded = await run(ScriptedModel([calls(("c", "look", {})), answer("done")]), tools)
    assert without_times(await replay(recorded, tools)) == without_times(recorded)


async def test_calls_that_never_ran_do_not_shift_the_others() -> None:
    bad = Chunk(
        "tool-call",
        ToolCall(tool_call_id="c1", tool_name="look", args="{", extra={"invalid": True}),
    )
    script = [[bad, *calls(("c2", "look", {"q": 2}))], answer("done")]
    recorded = await run(ScriptedModel(script), [LOOK])
    assert without_times(await replay(recorded, [LOOK])) == without_times(recorded)


@pytest.mark.parametrize("turns", [(0, 0), (0, 1), (1, 0), (1, 1), (5, 2), (2, 5)])
async def test_tools_side_by_side_start_and_end_in_recorded_order(turns: tuple[int, int]) -> None:
    async def look(args: Any, context: Any) -> Any:
        for _ in range(turns[args["n"]]):
            await asyncio.sleep(0)
        return args

    tools = [Tool(name="look", execute=look)]
    script = [calls(("a", "look", {"n": 0}), ("b", "look", {"n": 1})), answer("done")]
    recorded = await run(ScriptedModel(script), tools)
    assert without_times(await replay(recorded, tools)) == without_times(recorded)
    # The other call is gone, and this one waits for nobody.
    script[0] = calls(("b", "look", {"n": 1}))
    fewer = await run(ScriptedModel(script), recorded_tools(tools, recorded))
    assert [event.result for event in of(fewer, ToolEnded)] == [{"n": 1}]


# ---- time


async def test_parts_come_at_their_recorded_times() -> None:
    clock = VirtualClock()
    script = [[Delay(1.5), text_delta("a"), Delay(60), text_delta("b"), *answer()[-1:]]]
    recorded = await run(ScriptedModel(script, clock=clock), clock=clock)
    again = await replay(recorded)
    assert [event.time for event in of(again, ModelChunk)] == [
        1_500_000_000,
        61_500_000_000,
        61_500_000_000,
    ]


async def test_a_recording_that_streamed_serves_a_request_that_does_not() -> None:
    recorded = await run(ScriptedModel([answer("a", "b")]))
    again = await replay(recorded, method="generate")
    deltas = [e.chunk.payload.text for e in of(again, ModelChunk) if e.chunk.type == "text-delta"]
    assert deltas == ["ab"]
    assert status(again) == "passed"


# ---- names


async def test_a_replay_is_named_as_the_recorded_model() -> None:
    recorded = await run(ScriptedModel([answer("a")], provider="p", model_id="x/y"))
    model = RecordedModel.from_events(recorded)
    assert (model.provider, model.model_id) == ("p", "x/y")
    other = model.resolve("q/z")
    assert other.id == "q/z"
    request = ModelRequest(prompt=[])
    await other.call(request)
    with pytest.raises(NeedsLive):
        await model.call(request)


async def test_raw_frames_replay_in_their_places() -> None:
    script = [[RawFrame("1"), text_delta("a"), RawFrame("2"), *answer()[-1:]]]
    recorded = await run(ScriptedModel(script))
    assert without_times(await replay(recorded)) == without_times(recorded)
