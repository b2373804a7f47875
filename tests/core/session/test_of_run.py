"""A session made of a run gives, on the run's recording, the very same run."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.example_runs import example_events
from tripscope import Agent, Processor, RegexFilterProcessor, ScriptedModel
from tripscope.chunks import text_delta
from tripscope.errors import SessionError
from tripscope.session import load_session, save_session, start_run
from tripscope.session.model import ModelChoice, ScriptedResponse, Session, ToolSpec
from tripscope.session.of_run import session_of
from tripscope.trace.events import AnyEvent, EditedByHand, HookCalled, RunEnded, RunStarted


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
    started = started_of(example_events("half-an-address"))
    wrong = {"id": "x", "type": "regex-filter", "strategy": "no such strategy"}
    broken = msgspec.structs.replace(started, chain={"input": [], "output": [wrong], "error": []})
    with pytest.raises(SessionError):
        session_of(broken)


async def test_settings_are_taken_over_so_that_a_replay_tells_no_edit() -> None:
    settings = {"temperature": 0.5, "maxRetries": 2}
    session = Session(
        name="a",
        prompts=["hi"],
        tool_choice="required",
        max_processor_retries=2,
        model=ModelChoice(
            script=[ScriptedResponse(text=["hello"])],
            settings=settings | {"headers": {"x-key": "secret"}},
            provider_options={"openai": {"user": "u"}},
        ),
        tools=[ToolSpec(name="look", results=[1])],
    )

    async def run(session: Session, **more: Any) -> list[AnyEvent]:
        events: list[AnyEvent] = []
        async with await start_run(session, trace=events.append, **more) as stream:
            await stream.result()
        return events

    recorded = await run(session)
    made, _ = session_of(started_of(recorded))
    assert made.tool_choice == "required"
    assert made.model.settings == settings
    assert made.model.provider_options == {"openai": {"user": "u"}}
    session.model.settings = settings
    recorded = await run(session)
    again = await run(session_of(started_of(recorded))[0], replay=recorded)
    assert [event for event in again if isinstance(event, EditedByHand)] == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"settings": {"maxSteps": "many"}}, "no session: max.*integer"),
        ({"settings": {"modelSettings": [1]}}, "no session: "),
        ({"tools": ({},)}, "no session: KeyError"),
        ({"model": "model-without-provider"}, "no session: .*use is"),
    ],
)
def test_a_run_that_no_session_can_be_made_of_is_told(changed: Any, told: str) -> None:
    started = msgspec.structs.replace(started_of(example_events("half-an-address")), **changed)
    with pytest.raises(SessionError, match=told) as error:
        session_of(started)
    assert "\n" not in str(error.value)
