"""What goes beyond a recording needs a live model, and says so."""

from tests.support.replays import (
    LOOK,
    AbortOn,
    answer,
    calls,
    deltas,
    of,
    replay,
    run,
    status,
    without_times,
)
from tripscope.chunks import text_delta
from tripscope.models.scripted import ScriptedModel
from tripscope.trace.events import ModelRequested, ToolEnded


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
    assert deltas(again) == ["a", "STOP"]


async def test_an_answer_without_finish_was_still_read_to_its_end() -> None:
    recorded = await run(ScriptedModel([[text_delta("a")]]))
    assert status(recorded) == "passed"
    assert without_times(await replay(recorded)) == without_times(recorded)
