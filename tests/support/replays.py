"""Runs of the real engine and their replays, and whether the two are the same."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import structs

from tripscope.agent import Agent
from tripscope.chunks import BlockEdge, Chunk, Finish, ToolCall, Usage, text_delta
from tripscope.clock import SystemClock, VirtualClock
from tripscope.errors import APIError, NeedsLive
from tripscope.models.base import Model
from tripscope.models.recorded import RecordedModel, recorded_tools
from tripscope.tools import Tool
from tripscope.trace.codec import event_from_wire, event_to_wire
from tripscope.trace.events import (
    AnyEvent,
    HookCalled,
    ModelChunk,
    RunEnded,
    RunStarted,
    SpanEnded,
    ToolEnded,
)
from tripscope.trace.recorder import EventLog


def answer(*texts: str, finish: str = "stop") -> list[Chunk]:
    """An answer in one text block."""
    return [
        Chunk("text-start", BlockEdge(id="t")),
        *(text_delta(text, id="t") for text in texts),
        Chunk("text-end", BlockEdge(id="t")),
        Chunk("finish", Finish(reason=finish, usage=Usage(input_tokens=1, output_tokens=2))),
    ]


def calls(*calls: tuple[str, str, Any]) -> list[Chunk]:
    """An answer that calls tools: id, name and arguments of each."""
    return [
        *(
            Chunk("tool-call", ToolCall(tool_call_id=id, tool_name=name, args=args))
            for id, name, args in calls
        ),
        Chunk("finish", Finish(reason="tool-calls")),
    ]


class Upper:
    """Writes the text in capitals."""

    id = "upper"

    def process_output_stream(self, args: Any) -> Chunk:
        if args.part.type == "text-delta":
            args.part.payload.text = args.part.payload.text.upper()
        part: Chunk = args.part
        return part


class AbortOn:
    """Aborts at the delta that holds this text."""

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
    """The events of one run; an error is in them."""
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
    """The events of a run that these events serve, with its answers and its tools."""
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
    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items() if key != "createdAt"}
        return [walk(item) for item in value] if isinstance(value, list | tuple) else value

    return event_from_wire(walk(event_to_wire(event)))


def status(events: Sequence[AnyEvent]) -> str:
    """How a run ended."""
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    return ended.status


def of(events: Sequence[AnyEvent], kind: type) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def deltas(events: Sequence[AnyEvent]) -> list[str]:
    """The text that the model sent, a delta each."""
    chunks = [event.chunk for event in of(events, ModelChunk)]
    return [chunk.payload.text for chunk in chunks if chunk.type == "text-delta"]
