"""Recorded tools: errors, calls that never ran, calls side by side."""

import asyncio
from typing import Any

import pytest

from tests.support.replays import LOOK, answer, calls, of, replay, run, without_times
from tripscope.chunks import Chunk, ToolCall
from tripscope.models.recorded import recorded_tools
from tripscope.models.scripted import ScriptedModel
from tripscope.tools import Tool
from tripscope.trace.events import AnyEvent, Delivered, ToolEnded


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


@pytest.mark.parametrize("turns", [(0, 0), (0, 1), (1, 0), (2, 1), (1, 3)])
async def test_what_tools_wrote_to_the_stream_is_written_again(turns: tuple[int, int]) -> None:
    async def look(args: Any, context: Any) -> Any:
        for step in range(3):
            await context.writer.custom({"type": "data-step", "data": [args["n"], step]})
            for _ in range(turns[args["n"]]):
                await asyncio.sleep(0)
        return args

    tools = [Tool(name="look", execute=look)]
    script = [calls(("a", "look", {"n": 0}), ("b", "look", {"n": 1})), answer("done")]
    recorded = await run(ScriptedModel(script), tools)
    again = await replay(recorded, tools)
    assert len(written(recorded)) == 6
    assert written(again) == written(recorded)
    assert [[w for _, w in e.wrote] for e in of(again, ToolEnded)] == [
        [w for _, w in e.wrote] for e in of(recorded, ToolEnded)
    ]


def written(events: list[AnyEvent]) -> list[Any]:
    return [event.chunk.data for event in of(events, Delivered) if event.chunk.is_data]
