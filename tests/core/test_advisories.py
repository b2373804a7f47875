"""Advisories: their words, their documentation, and the points that no scenario can reach."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import agent, calls, processor, text
from tripscope.advisories import ADVISORIES, RUNTIME
from tripscope.tools import Tool
from tripscope.trace.events import AdvisoryRaised, HookCalled
from tripscope.trace.recorder import EventLog

DOCS = Path(__file__).parents[2] / "docs"
SOURCES = dict(
    re.findall(r"^\| (D\d+) [^|]*\| ([^|]*) \|", (DOCS / "rules.md").read_text("utf-8"), re.M)
)


async def advisories(subject: Any, **options: Any) -> list[AdvisoryRaised]:
    log = EventLog()
    await (await subject.stream("hi", trace=log, **options)).result()
    return log.of(AdvisoryRaised)


def test_every_row_of_the_rules_but_cancelling_has_one() -> None:
    assert {row for row in ADVISORIES if row.startswith("D")} == SOURCES.keys() - {"D28"}


@pytest.mark.parametrize("row", sorted(SOURCES.keys() - {"D28"}))
def test_the_documentation_is_named_only_where_it_says_so(row: str) -> None:
    sentence = ADVISORIES[row].sentence
    assert RUNTIME in sentence
    if "documentation says" in sentence:
        assert SOURCES[row].startswith("doc"), SOURCES[row]


def test_each_has_a_paragraph() -> None:
    headings = re.findall(r"^## ([\w-]+): ", (DOCS / "advisories.md").read_text("utf-8"), re.M)
    assert headings == list(ADVISORIES)


async def test_plain_run_has_none() -> None:
    watch = processor("p", process_output_stream=lambda args: args.part)
    assert await advisories(agent(text("Hello"), output_processors=[watch])) == []


async def test_argument_rows_are_told_once_a_hook_and_processor() -> None:
    quiet = {"process_output_step": lambda args: None, "process_tool_result": lambda args: None}
    subject = agent(
        calls("tool"),
        calls("tool"),
        text("Done"),
        tools=[Tool(name="tool", execute=lambda args, context: 1)],
        output_processors=[processor("a", **quiet), processor("b", **quiet)],
    )
    told = [(event.row, event.processor) for event in await advisories(subject)]
    assert sorted(told) == [("D14", "a"), ("D14", "b"), ("D15", "a"), ("D15", "b")]


async def test_advisory_belongs_to_the_event_of_its_hook() -> None:
    log = EventLog()
    refuse = processor("p", process_output_step=lambda args: args.abort("no"))
    await (await agent(text("x"), output_processors=[refuse]).stream("hi", trace=log)).result()
    by_seq = {event.seq: event for event in log}
    for event in log.of(AdvisoryRaised):
        about = by_seq[event.about or 0]
        assert isinstance(about, HookCalled), event.row
        assert (about.hook, about.processor) == ("processOutputStep", "p")
    assert {event.row for event in log.of(AdvisoryRaised)} == {"D6", "D11", "D14"}


def holder(args: Any) -> Any:
    """Holds all text back until a part comes that is none."""
    part, state = args.part, args.state
    if part.type == "text-delta":
        state["held"] = [*state.get("held", ()), part]
        args.probe.held(sum(len(held.payload.text) for held in state["held"]))
        return None
    if part.type == "text-start":
        return part
    args.probe.held(0)
    return [*state.pop("held", ()), part]


@pytest.mark.parametrize("end", [True, False])
async def test_held_text_that_no_closing_part_lets_out(end: bool) -> None:
    log = EventLog()
    subject = agent(
        text("Hel", "lo", end=end), output_processors=[processor("p", process_output_stream=holder)]
    )
    result = await (await subject.stream("hi", trace=log)).result()
    assert result.text == "Hello"
    rows = [event.row for event in log.of(AdvisoryRaised)]
    assert rows == ([] if end else ["D21"])


async def test_shared_state() -> None:
    twins = [processor("p", process_output_stream=lambda args: args.part) for _ in range(2)]
    raised = await advisories(agent(text("x"), output_processors=twins))
    assert [(event.row, event.processor) for event in raised] == [("shared-state", "p")]
    one = twins[0]
    both = agent(text("x"), input_processors=[one], output_processors=[one])
    assert await advisories(both) == []


async def test_dropped_tool_call() -> None:
    drop = processor(
        "p", process_output_stream=lambda a: None if a.part.type == "tool-call" else a.part
    )
    tool = Tool(name="tool", execute=lambda args, context: 1)
    subject = agent(calls("tool"), text("x"), tools=[tool], output_processors=[drop])
    assert [event.row for event in await advisories(subject)] == ["dropped-tool-call"]
