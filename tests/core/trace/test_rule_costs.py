"""A run tells what the searches of its rules took; clean text costs nothing and tells nothing."""

from __future__ import annotations

from tests.support.engine import agent, read, text
from tripscope.cli.report import Report
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.budget import Budget
from tripscope.rules.rule import RegexRule
from tripscope.trace.diff import compare
from tripscope.trace.events import AttemptEnded, FindingMade, RunEnded, SpanEnded
from tripscope.trace.recorder import EventLog
from tripscope.trace.report_html import report_html
from tripscope.trace.report_text import report_text
from tripscope.trace.rule_costs import RuleCosts
from tripscope.trace.run_report import make_report

MAIL = ("Write to ann@example", ".test or bob@example.test, please.")
SLOW = RegexRule("slow", r"(a|aa)+(?=$)")


async def run(*deltas: str, **options: object) -> EventLog:
    log = EventLog()
    options.setdefault("presets", ["pii"])
    options.setdefault("strategy", "redact")
    made = RegexFilterProcessor(**options)  # type: ignore[arg-type]
    await read(await agent(text(*deltas), output_processors=[made]).stream("Hi", trace=log))
    return log


async def test_searches_are_told_once_an_attempt() -> None:
    log = await run(*MAIL)
    spans = [event for event in log if isinstance(event, SpanEnded)]
    attempt = next(event for event in log if isinstance(event, AttemptEnded))
    assert spans[0].seq == attempt.seq - 1
    assert (spans[0].step, spans[0].attempt, spans[0].processor) == (0, 0, "regex-filter")
    assert isinstance(log.events[-1], RunEnded)
    cost = RuleCosts(log).of("regex-filter", "email")
    assert (cost.hits, cost.time_outs) == (2, 0)
    assert cost.searches >= 1
    assert 0 < cost.nanoseconds < log.events[-1].time
    assert sum(span.duration for span in spans) == sum(
        c.nanoseconds for c in RuleCosts(log).by_rule.values()
    )


async def test_under_complete_hold_too() -> None:
    log = await run(*MAIL, stream_hold="complete")
    assert RuleCosts(log).of("regex-filter", "email").searches >= 1


async def test_clean_text_is_not_searched() -> None:
    log = await run("Nothing to see here, ", "move along.")
    assert not [event for event in log if isinstance(event, SpanEnded)]
    assert not RuleCosts(log).by_rule


async def test_a_time_out_names_rule_length_and_place() -> None:
    before, hostile = "x" * 50, "a" * 40 + "!"
    log = await run(
        before, hostile, presets=(), rules=[SLOW], stream_carryover_size=8,
        budget=Budget(call=0.1, run=0.1), strategy="redact",
    )  # fmt: skip
    late = next(event for event in log if isinstance(event, FindingMade))
    assert (late.rule, late.outcome, late.hook) == ("slow", "timed-out", "processOutputStream")
    assert late.end - late.start == 8 + len(hostile), "held text and chunk"
    assert late.start == len(before) - 8
    cost = RuleCosts(log).of("regex-filter", "slow")
    assert (cost.hits, cost.time_outs) == (0, 1)
    assert cost.nanoseconds > 50_000_000, "the search that failed is counted"


async def test_costs_are_no_difference_between_runs() -> None:
    one, other = await run(*MAIL), await run(*MAIL)
    assert compare(one.events, other.events).first is None
    assert compare(one.events, other.events).differ == 0
    searched = [e for e in one if not isinstance(e, SpanEnded)]
    assert compare(one.events, searched).differ == 0


async def test_reports_list_them() -> None:
    report = make_report((await run(*MAIL)).events)
    assert [(r.rule, r.hits) for r in report.rules] == [("email", 2)]
    wire = report.to_wire()["rules"][0]
    assert (wire["rule"], wire["hits"], wire["timeOuts"]) == ("email", 2, 0)
    assert "  email  2 hits  " in report_text(report)
    page = report_html((await run(*MAIL)).events)
    table = page[page.index("<h2>Rules</h2>") : page.index("<h2>Attempts</h2>")]
    assert "<td>email</td><td>regex-filter</td>" in table
    assert "time, \N{MICRO SIGN}s" in table
    lines = list(Report((await run(*MAIL)).events).lines())
    head = next(line for line in lines if line.startswith("rules "))
    line = lines[lines.index(head) + 1]
    assert line.startswith("  email  2 hits  ")
    assert line.endswith("  regex-filter")
