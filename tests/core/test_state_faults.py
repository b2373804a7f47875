"""Faults that other systems had with the state of processors.

The labels are those of the public reports: where a label has several tests, they are one fault on
several paths.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tests.support.both_methods import METHODS, run
from tests.support.engine import agent, calls, processor, read, text
from tripscope.agent import Agent
from tripscope.errors import APIError
from tripscope.models.scripted import ScriptedModel
from tripscope.tools import Tool
from tripscope.trace.recorder import EventLog

# -- L10: state was lost between hooks, or shared


class _Endless(ScriptedModel):
    """Begins its script again when it is through, for each run by its own conversation."""

    async def call(self, request: Any) -> Any:
        asked = sum(message["role"] == "tool" for message in request.prompt)
        return await ScriptedModel([self.responses[asked]]).call(request)


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


# step-start, call, result, step-finish; step-start, text x 3, finish, step-finish
PARTS_OF_ONE = 4 + 6


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
