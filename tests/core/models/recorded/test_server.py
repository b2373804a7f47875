"""Runs against a server that we did not write, replayed without it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.support.llm_server import FakeLLM
from tests.support.replays import Upper, of, replay, run, status, without_times
from tripscope.models.openai_compatible import OpenAICompatible
from tripscope.tools import Tool
from tripscope.trace.events import ModelChunk, ModelRequested, ToolEnded
from tripscope.trace.file import load


@pytest.fixture
def fakellm(tmp_path: Path):  # type: ignore[no-untyped-def]
    server = FakeLLM(
        tmp_path,
        [
            {
                "name": "answer",
                "when": {"tool_result_contains": "sunny"},
                "respond": {"content": "It is sunny in Örebro, mail ann@example.com 🦀"},
            },
            {
                "name": "call",
                "when": {"messages_contain": "weather", "tools_include": "weather"},
                "respond": {
                    "tool_calls": [
                        {"name": "weather", "arguments": {"city": "Örebro"}},
                        {"name": "weather", "arguments": {"city": "Lund"}},
                    ]
                },
            },
            {"name": "plain", "respond": {"content": "Hello from the server"}},
        ],
    )
    yield server
    server.stop()


async def test_a_run_against_a_server_replays_without_it(fakellm: FakeLLM, tmp_path: Path) -> None:
    ran: list[Any] = []

    async def weather(args: Any, context: Any) -> Any:
        ran.append(args)
        await asyncio.sleep(0.01 if args["city"] == "Örebro" else 0)  # ends second
        return {"weather": f"sunny in {args['city']}"}

    tools = [Tool(name="weather", description="Tells.", execute=weather)]
    path = tmp_path / "run.trace.jsonl"
    model = OpenAICompatible("m", base_url=fakellm.base_url)
    await run(model, tools, prompt="weather?", processors=[Upper()], trace=path)
    stats = fakellm.stats()
    assert stats["by_rule"] == {"call": 1, "answer": 1}
    fakellm.stop()

    recorded = load(path)
    assert status(recorded) == "changed"
    assert recorded[-1].text == "IT IS SUNNY IN ÖREBRO, MAIL ANN@EXAMPLE.COM 🦀"  # type: ignore[union-attr]
    assert len(of(recorded, ModelRequested)) == 2
    assert [event.result["weather"] for event in of(recorded, ToolEnded)] == [
        "sunny in Lund",
        "sunny in Örebro",
    ]
    assert sorted(args["city"] for args in ran) == ["Lund", "Örebro"]
    ran.clear()

    options = {"prompt": "weather?", "processors": [Upper()]}
    again = await replay(recorded, tools, **options)
    assert ran == []
    assert without_times(again) == without_times(recorded)
    assert [e.time for e in of(again, ModelChunk)] == [e.time for e in of(recorded, ModelChunk)]
    assert not any(event.differs for event in of(again, ModelRequested))
    # And a replay of the replay.
    assert without_times(await replay(again, tools, **options)) == without_times(recorded)


async def test_a_run_that_asks_for_whole_answers_replays(fakellm: FakeLLM) -> None:
    model = OpenAICompatible("m", base_url=fakellm.base_url)
    recorded = await run(model, method="generate", processors=[Upper()])
    assert [request["stream"] for request in fakellm.stats()["recent"]] == [False]
    assert recorded[-1].text == "HELLO FROM THE SERVER"  # type: ignore[union-attr]
    again = await replay(recorded, method="generate", processors=[Upper()])
    assert without_times(again) == without_times(recorded)
