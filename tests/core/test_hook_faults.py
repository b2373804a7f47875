"""Faults that other systems had with what output hooks drop, write and are told.

The labels are those of the public reports: where a label has several tests, they are one fault on
several paths.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.both_methods import METHODS, delivered, run
from tests.support.engine import agent, calls, processor, read, text
from tripscope.agent import Agent
from tripscope.models.scripted import ScriptedModel
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.tools import Tool
from tripscope.trace.events import ModelChunk, Warned
from tripscope.trace.recorder import EventLog

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


# -- M5: only plain text was scanned: the filter's scope is text, the rest stays as it is


@METHODS
async def test_structured_parts_keep_their_structure(method: str) -> None:
    address = "ann@example.test"
    arguments = {"to": address, "n": [{"p": "415-555-0132"}]}
    nested = {"rows": [{"mail": address}], "n": 1}
    subject = agent(
        calls("tool", args=arguments),
        text("Done"),
        tools=[Tool(name="tool", execute=lambda args, context: nested)],
        output_processors=[RegexFilterProcessor(presets=["pii"], strategy="redact")],
    )
    result = await run(subject, method)
    assert result.tool_calls[0].args == arguments
    assert result.tool_results[0].result == nested


# -- without a label: ids of calls that repeat


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
