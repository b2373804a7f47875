"""State of processors on record: by key, exact at the ends of attempts, never large."""

from __future__ import annotations

from typing import Any

from tests.support.engine import agent, text
from tests.support.traced import in_stream, traced
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.trace.events import StateChanged


async def test_state_by_key_and_exact_at_the_ends_of_attempts() -> None:
    def count(args: Any) -> Any:
        args.state["n"] = args.state.get("n", 0) + 1
        args.state.setdefault("seen", []).append(args.part.type)
        return args.part

    log = await traced(in_stream(count))
    events = log.of(StateChanged)
    steps = [event for event in events if not event.snapshot]
    assert steps[1].changes[0] == ("n", 1, 2)
    assert [key for key, *_ in steps[1].changes] == ["n", "seen"]
    exact = [event for event in events if event.snapshot][-1]
    assert {key: value for key, _, value in exact.changes}["seen"][:2] == [
        "step-start",
        "text-start",
    ]


async def test_a_filter_that_passes_text_on_changes_no_state_worth_an_event() -> None:
    chain = [
        RegexFilterProcessor(presets=["pii"], strategy="redact", stream_carryover_size=4, id="a"),
        RegexFilterProcessor(presets=["urls"], strategy="warn", id="b"),
    ]
    log = await traced(agent(text(*["word"] * 20), output_processors=chain))
    told = [event for event in log.of(StateChanged) if not event.snapshot]
    held = [event.changes[0] for event in told if event.processor == "a"]
    assert held == [
        ("regexFilter.heldUnits", None, 0),
        ("regexFilter.heldUnits", 0, 4),
        ("regexFilter.heldUnits", 4, 0),
    ]
    assert [event.changes[0][2] for event in told if event.processor == "b"] == [0]


async def test_large_state_is_told_by_its_end() -> None:
    def fill(args: Any) -> Any:
        args.state.setdefault("big", []).extend(range(10_000))
        return args.part

    log = await traced(in_stream(fill))
    steps = [event for event in log.of(StateChanged) if not event.snapshot]
    assert max(len(str(event.changes)) for event in steps) < 500
