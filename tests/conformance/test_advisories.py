"""Advisories are raised in the scenarios whose expectation differs from the runtime, only there.

The ``rows`` of a recorded or rewritten scenario are the rows on which it differs: its advisories.
Those of the ``rules`` theme name what a scenario exercises, so they only bound its advisories.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conformance import vectors
from tests.conformance.lifecycle.scenario import ScenarioRun
from tripscope.advisories import ADVISORIES
from tripscope.trace.events import AdvisoryRaised
from tripscope.trace.recorder import EventLog

_NO_ROWS = {"dropped-tool-call", "shared-state"}

_OTHERWISE: dict[str, set[str]] = {
    # The runtime removed the response with the rest (D22): its result.text differs for that alone.
    "outputstep-return-empty-array": {"D23"},
    # The hook whose argument differs runs in the runtime only, which goes on after the exception.
    "stream-throws": {"D14"},
    # A repaired attempt had text, and processOutputResult runs.
    "rule-error-after-repairs": {"D16"},
    # One of its calls removes the answer, which the list of rows does not name.
    "rule-memory-every-ending": {"D23"},
}
"""Rows that are listed although the point is not reached here, or raised although not listed."""


class _TracedRun(ScenarioRun):
    def __init__(self, scenario: dict[str, Any]) -> None:
        super().__init__(scenario)
        self.log = EventLog()

    def _options(self, call: dict[str, Any]) -> dict[str, Any]:
        return super()._options(call) | {"trace": self.log}


async def _rows(scenario: dict[str, Any]) -> set[str]:
    run = _TracedRun(scenario)
    await run.run()
    return {event.row for event in run.log.of(AdvisoryRaised)} - _NO_ROWS


async def test_every_row_is_raised_somewhere() -> None:
    """All rows but D21: no scenario can hold text back (tests/core/test_advisories.py does)."""
    raised: set[str] = set()
    for file in sorted((vectors.COPIES / "lifecycle").glob("*.json")):
        for scenario in json.loads(file.read_text("utf-8")):
            raised |= await _rows(scenario)
    assert raised == ADVISORIES.keys() - _NO_ROWS - {"D21"}


async def test_rows_of_scenario(scenario: dict[str, Any]) -> None:
    raised, listed = await _rows(scenario), set(scenario["rows"])
    difference = raised ^ listed
    if scenario["id"].startswith("rule-"):
        difference = raised - listed
    if difference != _OTHERWISE.get(scenario["id"], set()):
        pytest.fail(f"raised {sorted(raised)}, listed {sorted(listed)}", pytrace=False)
