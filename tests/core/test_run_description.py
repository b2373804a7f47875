"""How a run describes its processors, whatever these say of themselves."""

from pathlib import Path
from typing import Any

import pytest

from tripscope.agent import Agent
from tripscope.models.scripted import ScriptedModel
from tripscope.processor import Processor
from tripscope.trace.events import RunStarted
from tripscope.trace.file import load


class Foreign(Processor):
    id = "own"

    def __init__(self, said: Any) -> None:
        self._said = said

    def describe(self) -> Any:
        if isinstance(self._said, Exception):
            raise self._said
        return self._said

    def process_input(self, args: Any) -> None:
        pass


@pytest.mark.parametrize(
    "said",
    [
        None,
        ["type"],
        {},
        {"type": 5, "id": 6, "hooks": 7, "scans": 8, "rules": 9, "presets": [None]},
        {1: {2}},
        RuntimeError("no"),
    ],
)
async def test_a_run_can_be_read_whatever_a_processor_says_of_itself(
    said: Any, tmp_path: Path
) -> None:
    path = tmp_path / "a.trace.jsonl"
    agent = Agent(id="a", model=ScriptedModel([[]]), input_processors=[Foreign(said)])
    async with await agent.stream("hi", trace=str(path)) as stream:
        await stream.result()
    started = load(path)[0]
    assert isinstance(started, RunStarted)
    [described] = started.chain["input"]
    assert (described["id"], described["type"]) == ("own", "Foreign")
    assert described["hooks"] == ["processInput"]
    assert "scans" not in described
