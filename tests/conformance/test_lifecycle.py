"""One test per scenario of the life cycle: the whole record equals ``expect``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.lifecycle.compare import first_difference
from tests.conformance.lifecycle.scenario import ScenarioRun

DISPUTED: dict[str, str] = json.loads(Path(__file__).with_name("disputed.json").read_text("utf-8"))
"""Scenarios that contradict the rules, with the rule quoted: they run, and what they give shows."""


async def test_scenario(scenario: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    record = await ScenarioRun(scenario).run()
    difference = first_difference(scenario["expect"], record)
    if scenario["id"] in DISPUTED:
        with capsys.disabled():
            print(f"\ndisputed: {scenario['id']}: {DISPUTED[scenario['id']]}\n{difference}")  # noqa: T201
        return
    if difference:
        pytest.fail(f"{scenario['id']}: {scenario['note']}\n{difference}", pytrace=False)


def test_few_are_disputed() -> None:
    assert len(DISPUTED) <= 5
