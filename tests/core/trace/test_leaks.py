"""Matches that left undecided: found from the trace, listed with the findings, by chunk number."""

import re

from tests.support.example_runs import example_events
from tests.support.stream_checks import block, checked
from tripscope.cli.report import Report
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.rule import RegexRule
from tripscope.trace.checks import DECIDED, run_checks
from tripscope.trace.finding_lines import finding_lines
from tripscope.trace.leaks import ChunkNumbers, run_leaks
from tripscope.trace.report_text import report_text
from tripscope.trace.run_report import make_report

LONG = RegexRule("long", "<[a-z]{8,}>", "g", replacement="[LONG]")


def narrow() -> RegexFilterProcessor:
    return RegexFilterProcessor(rules=[LONG], strategy="redact", stream_carryover_size=4)


async def test_a_match_longer_than_the_window_is_a_finding_that_left() -> None:
    _, log = await checked(block("a <abcd", "efgh", "ij> b"), narrow())
    (leak,) = run_leaks(list(log))
    assert (leak.rule, leak.start, leak.end) == ("long", 2, 14)
    lines = [line for line in finding_lines(list(log)) if line.outcome is None]
    (line,) = lines
    numbers = ChunkNumbers(list(log))
    assert line.left_at_chunk == numbers.of(leak.index)
    assert line.words == f"left at chunk {line.left_at_chunk}"
    assert line.where == "step 0, attempt 1"


async def test_nothing_leaks_where_matches_are_let_through_on_purpose() -> None:
    warns = RegexFilterProcessor(rules=[LONG], strategy="warn")
    _, log = await checked(block("a <abcdefghij> b"), warns)
    assert run_leaks(list(log)) == []


def test_every_report_gives_the_leak_one_name_and_one_number() -> None:
    events = list(example_events("support-agent"))
    report = Report(events)
    told = "\n".join(report.lines())
    assert "findings: 7, 1 of them left undecided; spans in UTF-16 units" in told
    assert re.search(r"  deploy-key +32-241  left at chunk 13  ", told)
    assert "(first at chunk 13, step 1, attempt 1)" in told
    assert "part 1" not in told
    wire = report.to_wire()["findings"]
    assert len(wire) == 7
    (left,) = (one for one in wire if one["outcome"] is None)
    assert (left["rule"], left["leftAtChunk"]) == ("deploy-key", 13)
    handed_on = make_report(events)
    assert len(handed_on.findings) == 7
    assert re.search(r"  deploy-key +32-241  left at chunk 13  ", report_text(handed_on))
    decided = next(check for check in run_checks(events) if check.name == DECIDED)
    assert decided.place is not None
    assert ChunkNumbers(events).words(decided.place.index) == "chunk 13"
