"""All lifecycle scenarios of one call, recorded and replayed: the same traces, times aside."""

from typing import Any

import pytest

import tests.conformance.lifecycle.scenario as lifecycle
from tests.core.trace.test_every_run import SCENARIOS, traces_of
from tests.support.replays import without_times
from tripscope.agent import Agent
from tripscope.models.recorded import RecordedModel, recorded_tools, served_from
from tripscope.models.recorded.recording import Recording
from tripscope.trace.events import AnyEvent


async def replayed(
    scenario: dict[str, Any], recorded: list[AnyEvent], patch: pytest.MonkeyPatch
) -> list[AnyEvent]:
    recording = Recording.from_events(recorded)
    patch.setattr(lifecycle, "RecordedModel", lambda id, *_: RecordedModel(recording, id))
    init = Agent.__init__

    def with_recorded_tools(self: Agent, **options: Any) -> None:
        init(self, **{**options, "tools": recorded_tools(options.get("tools", ()), recorded)})

    patch.setattr(Agent, "__init__", with_recorded_tools)
    (trace,) = await traces_of(scenario, patch)
    return trace


async def test_it_replays_to_the_same_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    for scenario in SCENARIOS:
        if len(scenario["calls"]) > 1:
            continue
        with monkeypatch.context() as patch:
            (recorded,) = await traces_of(scenario, patch)
        with monkeypatch.context() as patch:
            again = await replayed(scenario, served_from(recorded), patch)
        assert without_times(again) == without_times(recorded), scenario["id"]
        seen += 1
    assert seen > 200
