"""The model's side of an attempt."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engine import agent, processor, read, text
from tripscope.agent import Agent
from tripscope.chunks import Chunk
from tripscope.clock import VirtualClock
from tripscope.errors import APIError
from tripscope.models.recorded import RecordedModel
from tripscope.models.scripted import ScriptedModel
from tripscope.trace.events import AnyEvent, AttemptEnded, ModelRequested, Warned


@pytest.mark.parametrize(
    "part",
    [
        Chunk("finish", {"finishReason": "stop"}),
        Chunk("tool-call", None),
        Chunk("text-delta", {"delta": "x"}),
        Chunk("text-end"),
        Chunk(5),  # type: ignore[arg-type]
    ],
)
async def test_a_part_of_the_wrong_shape_is_a_failed_call(part: Any) -> None:
    stream = await agent([*text("Hel", end=False, finish=None), part]).stream("hi")
    chunks = await read(stream)
    assert [chunk.type for chunk in chunks][-3:] == ["error", "step-finish", "finish"]
    result = await stream.result()
    assert "the model gave a" in str(result.error)
    assert result.text == "Hel"


async def test_the_providers_own_pause_goes_before_the_growing_one() -> None:
    busy = APIError("busy", status_code=429, is_retryable=True, retry_after=7)
    clock = VirtualClock()
    stream = await agent(busy, text("Hi"), max_retries=1).stream("hi", clock=clock)
    await read(stream)
    assert (await stream.result()).text == "Hi"
    assert clock.now() == 7_000_000_000


async def test_warnings_of_the_provider_are_on_record() -> None:
    warning = {"type": "unsupported-setting", "message": "topK is not sent"}
    events: list[AnyEvent] = []
    model = ScriptedModel([text("Hi")], warnings=[warning])
    stream = await Agent(id="a", model=model).stream("hi", trace=events.append)
    await read(stream)
    told = [(e.message, e.detail) for e in events if isinstance(e, Warned)]
    assert told == [("the provider warns: topK is not sent", warning)]
    again: list[AnyEvent] = []
    replay = RecordedModel.from_events(events)
    await read(await Agent(id="a", model=replay).stream("hi", trace=again.append))
    assert [(e.message, e.detail) for e in again if isinstance(e, Warned)] == told


async def test_the_end_of_a_cut_attempt_names_hook_and_processor() -> None:
    events: list[AnyEvent] = []
    stop = processor("stop", process_output_step=lambda args: args.abort("no"))
    subject = agent(text("Hi"), output_processors=[stop])
    await read(await subject.stream("hi", trace=events.append))
    [ended] = [e for e in events if isinstance(e, AttemptEnded)]
    assert (ended.outcome, ended.hook, ended.processor) == ("blocked", "processOutputStep", "stop")


async def test_no_header_of_the_settings_is_in_the_trace() -> None:
    events: list[AnyEvent] = []
    settings = {"temperature": 0, "headers": {"X-Api-Key": "sk-secret", "x-trace": "7"}}
    model = ScriptedModel([text("Hi")])
    await read(
        await Agent(id="a", model=model).stream("hi", model_settings=settings, trace=events.append)
    )
    assert "sk-secret" not in repr(events)
    told = next(e.model_settings for e in events if isinstance(e, ModelRequested))
    assert told == {"temperature": 0, "headers": {"X-Api-Key": "***", "x-trace": "***"}}
    assert settings["headers"] == {"X-Api-Key": "sk-secret", "x-trace": "7"}
