"""Whatever a run records loads again as the same events: all lifecycle scenarios, hook by hook."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.lifecycle.scenario import ScenarioRun
from tests.conformance.vectors import COPIES
from tripscope.agent import Agent
from tripscope.trace.events import AnyEvent
from tripscope.trace.file import load, save

SCENARIOS = [
    scenario
    for file in sorted((COPIES / "lifecycle").glob("*.json"))
    for scenario in json.loads(file.read_text())
]


async def traces_of(scenario: dict[str, Any], patch: pytest.MonkeyPatch) -> list[list[AnyEvent]]:
    """The events of each call of the scenario."""
    traces: list[list[AnyEvent]] = []
    start = Agent._start

    async def traced(self: Agent, method: Any, messages: Any, options: Any) -> Any:
        traces.append([])
        return await start(self, method, messages, {**options, "trace": traces[-1].append})

    patch.setattr(Agent, "_start", traced)
    await ScenarioRun(scenario).run()
    return traces


async def test_it_loads_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "run.trace.jsonl"
    seen = 0
    for scenario in SCENARIOS:
        with monkeypatch.context() as patch:
            traces = await traces_of(scenario, patch)
        for events in traces:
            save(path, events)
            for live, loaded in zip(events, load(path), strict=True):
                assert loaded == live, _difference(scenario["id"], live, loaded)
            seen += len(events)
    assert seen > 5000


def _difference(id: str, live: AnyEvent, loaded: AnyEvent) -> str:
    names = [n for n in live.__struct_fields__ if getattr(live, n) != getattr(loaded, n)]
    pairs = [f"{n}: {getattr(live, n)!r} / {getattr(loaded, n)!r}" for n in names]
    return f"{id}: event {live.seq}: {'; '.join(pairs)}"
