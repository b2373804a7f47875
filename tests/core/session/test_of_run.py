"""A session made of a run gives, on the run's recording, the very same run."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.support.example_runs import example_events
from tripscope import Agent, Processor, RegexFilterProcessor, ScriptedModel
from tripscope.chunks import text_delta
from tripscope.errors import SessionError
from tripscope.session import load_session, save_session, start_run
from tripscope.session.of_run import session_of
from tripscope.trace.events import AnyEvent, HookCalled, RunEnded, RunStarted


def started_of(events: tuple[AnyEvent, ...] | list[AnyEvent]) -> RunStarted:
    started = events[0]
    assert isinstance(started, RunStarted)
    return started


def story(events: tuple[AnyEvent, ...] | list[AnyEvent]) -> list[tuple[Any, ...]]:
    calls = [e for e in events if isinstance(e, HookCalled)]
    ended = [e for e in events if isinstance(e, RunEnded)]
    return [
        *((e.hook, e.processor, e.step, e.attempt, e.outcome) for e in calls),
        *((e.status, e.text) for e in ended),
    ]


@pytest.mark.parametrize(
    "name", ["support-agent", "half-an-address", "secret-in-prompt", "tool-loop"]
)
def test_its_replay_is_the_run(name: str, tmp_path: Path) -> None:
    recorded = example_events(name)
    session, left_out = session_of(started_of(recorded))
    assert left_out == []
    assert started_of(recorded).instructions == (session.instructions,)
    # it is a session like any other
    path = tmp_path / "made.tripscope.json"
    save_session(session, path)
    again: list[AnyEvent] = []

    async def replay() -> None:
        stream = await start_run(load_session(path), replay=recorded, trace=again.append)
        async with stream:
            await stream.result()

    asyncio.run(replay())
    assert started_of(again).chain == started_of(recorded).chain
    assert story(again) == story(recorded)


class Own(Processor):
    id = "own"

    async def process_output_stream(self, args: Any) -> Any:
        return args.part


async def test_what_is_not_built_in_is_left_out_and_named() -> None:
    events: list[AnyEvent] = []
    agent = Agent(
        id="mine",
        model=ScriptedModel([[text_delta("hi")]]),
        output_processors=[Own(), RegexFilterProcessor(presets=["pii"], strategy="redact")],
    )
    stream = await agent.stream("hello", trace=events.append)
    async with stream:
        await stream.result()
    session, left_out = session_of(started_of(events))
    assert left_out == ["own"]
    assert [(spec.type, spec.arrays) for spec in session.chain] == [("regex-filter", ["output"])]
    assert session.prompts == ["hello"]


def test_a_chain_that_cannot_be_built_is_refused() -> None:
    import msgspec

    started = started_of(example_events("half-an-address"))
    wrong = {"id": "x", "type": "regex-filter", "strategy": "no such strategy"}
    broken = msgspec.structs.replace(started, chain={"input": [], "output": [wrong], "error": []})
    with pytest.raises(SessionError):
        session_of(broken)
