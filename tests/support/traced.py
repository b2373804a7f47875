"""Runs for tests of the trace: a processor on the stream, and its calls on record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.engine import agent, processor, text
from tripscope.agent import Agent
from tripscope.trace.events import HookCalled
from tripscope.trace.recorder import EventLog

STREAM = "processOutputStream"


def in_stream(hook: Callable[[Any], Any], *deltas: str, names: str = "p") -> Agent:
    """An agent that answers with these deltas (``a``), each name a processor with this hook."""
    chain = [processor(name, process_output_stream=hook) for name in names]
    return agent(text(*(deltas or "a")), output_processors=chain)


def on_delta(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A hook that changes deltas and passes all else."""
    return lambda args: change(args) if args.part.type == "text-delta" else args.part


def unchanged(args: Any) -> Any:
    """A hook that passes every part."""
    return args.part


def shout(args: Any) -> Any:
    """A hook that writes deltas in capitals, in place."""
    if args.part.type == "text-delta":
        args.part.payload.text = args.part.payload.text.upper()
    return args.part


async def traced(subject: Agent, prompt: Any = "hi", **options: Any) -> EventLog:
    """What a run told its trace."""
    log = EventLog()
    await (await subject.stream(prompt, trace=log, **options)).result()
    return log


def stream_calls(log: EventLog, processor: str = "p") -> list[HookCalled]:
    """The calls of a processor's stream hook."""
    calls = [event for event in log.of(HookCalled) if event.hook == STREAM]
    return [event for event in calls if event.processor == processor]
