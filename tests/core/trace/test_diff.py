"""Comparing two runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.stream_checks import block, checked, redactor
from tripscope.session import Session, load_session, session_from_wire, session_to_wire, start_run
from tripscope.trace.chain_diff import Chain
from tripscope.trace.diff import Comparing, compare
from tripscope.trace.events import (
    AdvisoryRaised,
    AnyEvent,
    FindingMade,
    HookCalled,
    RunStarted,
    StateChanged,
)
from tripscope.trace.reasons import reason

EXAMPLE = Path(__file__).parents[3] / "resources/tripscope_resources/examples"


async def events_of(session: Session, **options: Any) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    stream = await start_run(session, trace=events.append, real_time=False, **options)
    await stream.result()
    return events


@pytest.fixture
def session() -> Session:
    return load_session(EXAMPLE / "support-agent.tripscope.json")


def edited(session: Session, replacements: dict[str, str]) -> Session:
    text = json.dumps(session_to_wire(session))
    for old, new in replacements.items():
        assert old in text
        text = text.replace(old, new)
    return session_from_wire(json.loads(text))


async def test_a_run_does_not_differ_from_its_replay(session: Session) -> None:
    before = await events_of(session)
    after = await events_of(session, replay=before)
    diff = compare(before, after)
    assert diff.first is None
    assert not diff.output_changed
    assert {finding.change for finding in diff.findings} == {"same"}


async def test_a_wider_window_adds_the_finding_that_was_missed(session: Session) -> None:
    before = await events_of(session)
    options = '"strategy": "redact", "phase"'
    wider = edited(session, {options: '"streamCarryoverSize": 256, ' + options})
    after = await events_of(wider, replay=before)
    diff = compare(before, after)
    assert [c.after.rule for c in diff.findings if c.change == "added" and c.after] == [
        "deploy-key"
    ]
    assert diff.output_changed
    assert "MIGk" in diff.texts[0]
    assert "MIGk" not in diff.texts[1]


async def test_a_longer_placeholder_moves_what_stands_behind_it(session: Session) -> None:
    wire = session_to_wire(session)
    filter_ = wire["chain"][1]
    filter_["options"] = {"strategy": "redact", "streamCarryoverSize": 24}
    filter_["rules"] = [{"name": "email", "pattern": r"[\w.]+@[\w.]+\w", "replacement": "[EMAIL]"}]
    before = await events_of(session_from_wire(wire))
    filter_["rules"][0]["replacement"] = "[E-MAIL-ADDRESS]"
    after = await events_of(session_from_wire(wire), replay=before)
    diff = compare(before, after)
    changes = {c.after.rule: c.change for c in diff.findings if c.after is not None}
    assert changes["email"] == "replaced"
    assert changes["bearer-token"] == "moved"
    assert diff.first is not None


async def test_a_match_with_other_ends_has_moved() -> None:
    half = load_session(EXAMPLE / "half-an-address.tripscope.json")
    before = await events_of(half)
    after = await events_of(edited(half, {'Size": 16': 'Size": 32'}), replay=before)
    changes = compare(before, after).findings
    [moved] = [change for change in changes if change.change != "same"]
    assert moved.change == "moved"
    assert moved.before is not None
    assert moved.after is not None
    spans = [(finding.start, finding.end) for finding in (moved.before, moved.after)]
    assert spans == [(41, 70), (38, 70)]
    chains = [Chain(events[0]) for events in (before, after) if isinstance(events[0], RunStarted)]
    assert reason(moved, *chains) == "3 units longer"


async def test_each_event_is_compared_with_the_one_that_it_belongs_to(session: Session) -> None:
    before = await events_of(session)
    options = '"strategy": "redact", "phase"'
    wider = edited(session, {options: '"streamCarryoverSize": 256, ' + options})
    after = await events_of(wider, replay=before)
    diff = compare(before, after)
    assert 5 < diff.differ < len(before) // 2
    assert len(diff.differing) == diff.differ
    added = [pair for pair in diff.differing if pair[0] is None]
    assert "deploy-key" in {getattr(event, "rule", None) for _, event in added}
    assert diff.blocks[0].keys() == diff.blocks[1].keys()


async def test_a_damaged_trace_may_have_a_number_twice(session: Session) -> None:
    before = await events_of(session)
    diff = compare(before, [*before, before[-1], before[-1]])
    assert diff.differing == ((None, before[-1]), (None, before[-1]))
    diff = compare([*before, before[-1], before[-1]], before)
    assert diff.differing == ((before[-1], None), (before[-1], None))


async def test_comparing_goes_in_short_steps(session: Session) -> None:
    before = await events_of(session)
    comparing = Comparing(before * 10, before * 10)
    assert len(list(comparing.steps())) > 2 * len(before * 10) // 300
    assert comparing.result().differ == 0


async def test_the_first_difference_of_a_call_is_the_call_itself(session: Session) -> None:
    before = await events_of(session)
    options = '"strategy": "redact", "phase"'
    wider = edited(session, {options: '"streamCarryoverSize": 256, ' + options})
    diff = compare(before, await events_of(wider, replay=before))
    first = diff.differing[0][0]
    assert isinstance(first, HookCalled)
    # its state comes right after it, though the trace has it before
    second = diff.differing[1][0]
    assert isinstance(second, StateChanged)
    assert second.seq < first.seq
    assert second.processor == first.processor


async def test_findings_of_two_blocks_with_one_id_are_two() -> None:
    _, log = await checked(block("a 123-45-6789") + block("a 123-45-6789"), redactor())
    stream = [e for e in log if isinstance(e, FindingMade) and e.block is not None]
    assert len({(one.start, one.end, one.block) for one in stream}) == 1
    events = list(log)
    changes = compare(events, events).findings
    assert [change.change for change in changes].count("same") == len(changes)
    found = [c.after for c in changes if c.after is not None and c.after.block is not None]
    assert found == stream


async def test_a_number_of_an_event_is_no_difference(session: Session) -> None:
    before = await events_of(session)
    options = '"strategy": "redact", "phase"'
    wider = edited(session, {options: '"streamCarryoverSize": 256, ' + options})
    # each that is told later is one event further on, for the edit itself is told
    diff = compare(before, await events_of(wider, replay=before))
    assert not [pair for pair in diff.differing if isinstance(pair[0], AdvisoryRaised)]
