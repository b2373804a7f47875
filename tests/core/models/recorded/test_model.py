"""A recorded model serves its answers: prompts, errors, times, names, raw frames."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.support.replays import (
    LOOK,
    answer,
    calls,
    deltas,
    of,
    replay,
    run,
    status,
    without_times,
)
from tripscope.agent import Agent
from tripscope.chunks import Chunk, ErrorPayload, text_delta
from tripscope.clock import VirtualClock
from tripscope.errors import APIError, NeedsLive
from tripscope.models.base import ModelRequest, RawFrame
from tripscope.models.recorded import RecordedModel
from tripscope.models.scripted import Delay, ScriptedModel
from tripscope.trace.events import ModelChunk, ModelRequested


async def test_a_prompt_that_differs_is_marked_on_its_call() -> None:
    script = [calls(("c", "look", {"q": 1})), answer("done")]
    recorded = await run(ScriptedModel(script), [LOOK])
    other = replace(LOOK, description="changes no prompt")
    again = await replay(recorded, [other])
    assert [event.differs for event in of(again, ModelRequested)] == [False, False]
    again = await replay(recorded, [LOOK], prompt="ho")
    assert [event.differs for event in of(again, ModelRequested)] == [True, True]
    assert status(again) == "passed"


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
    assert deltas(again) == ["ab"]
    assert status(again) == "passed"


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
