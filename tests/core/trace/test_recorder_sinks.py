"""Sinks of a trace: told at once, no part of the run, and nothing stays held."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from tests.support.engine import processor, read, text
from tests.support.traced import in_stream, shout, traced, unchanged
from tripscope.agent import Agent
from tripscope.models.base import ModelRequest, ModelResponse
from tripscope.models.scripted import ScriptedModel
from tripscope.trace.events import Delivered
from tripscope.trace.recorder import EventLog


async def test_a_sink_is_told_everything_at_once() -> None:
    # One synchronous sink: an event is there before the next thing happens.
    log = EventLog()
    seen: list[int] = []

    def look(args: Any) -> Any:
        seen.append(len(log))
        return args.part

    await (await in_stream(look, names="ab").stream("hi", trace=log)).result()
    assert seen == sorted(set(seen))


async def test_without_a_sink_the_run_is_the_same() -> None:
    traced_run = await (await in_stream(shout).stream("hi", trace=EventLog())).result()
    plain_run = await (await in_stream(shout).stream("hi")).result()
    assert (traced_run.text, traced_run.status) == (plain_run.text, plain_run.status)
    assert plain_run.status == "changed"


async def test_log_freezes_what_it_holds_and_thaws_it_when_the_run_ends() -> None:
    most = 0

    def look(args: Any) -> Any:
        nonlocal most
        if args.part.type == "text-end":  # counting takes a time with what is frozen
            most = gc.get_freeze_count()
        return args.part

    await traced(in_stream(look, *["a"] * EventLog.FREEZE_EVERY))
    assert most > EventLog.FREEZE_EVERY
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("at", [0, 3, 9, 20])
async def test_a_sink_that_fails_ends_the_run_and_gives_everything_back(at: int) -> None:
    seen: list[Any] = []

    def full(event: Any) -> None:
        seen.append(event)
        if event.seq == at:
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await in_stream(unchanged, *"abcdefgh").generate("hi", trace=full)
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
