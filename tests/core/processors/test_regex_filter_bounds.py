"""No rule and no text holds anything up for longer than the budget."""

from __future__ import annotations

import asyncio
import threading
import time
from itertools import count
from time import process_time
from typing import Any

import pytest

from tests.support.filters import Stream, Told, answer, cuts, filter_text, hook_args
from tripscope.errors import HookTimeout
from tripscope.messages import Content, Message, TextPart
from tripscope.patterns import MatchTimeout
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules import search
from tripscope.rules.budget import Budget
from tripscope.rules.folds import Views
from tripscope.rules.hold import block
from tripscope.rules.matcher import Matcher, Span
from tripscope.rules.rule import RegexRule

# The lookahead keeps the automaton away; forty a's take the backtracking engine for ever.
SLOW = RegexRule("slow", r"(a|aa)+(?=$)")
HOSTILE = "a" * 40 + "!"
BUDGET = Budget(call=0.1, run=0.4)
SLACK = 1.0
"""Seconds of the processor, so that other processes do not count; for a slow machine."""


@pytest.mark.parametrize(
    "text", ["x" * 8000 + "@" + "1." * 8000, "a." * 40_000, "123-45-" * 8000, "@" * 50_000]
)
async def test_presets_are_linear_on_hostile_text(text: str) -> None:
    begun = process_time()
    made = RegexFilterProcessor(presets=["pii", "secrets", "urls"], strategy="redact")
    assert (await filter_text(made, text))[0] == text
    assert process_time() - begun < SLACK


async def test_padded_addresses_are_still_seen() -> None:
    made = RegexFilterProcessor(presets=["pii"], strategy="redact")
    assert (await filter_text(made, "Z" * 61 + "ann@example.test"))[0] == "[EMAIL]"


@pytest.mark.parametrize("strategy", ["block", "redact"])
@pytest.mark.parametrize("hold", ["window", "complete"])
async def test_what_could_not_be_checked_does_not_pass(strategy: Any, hold: Any) -> None:
    made = RegexFilterProcessor(
        rules=[SLOW], strategy=strategy, stream_hold=hold, stream_carryover_size=8, budget=BUDGET
    )
    begun = process_time()
    with pytest.raises(HookTimeout, match="rule 'slow' could not be checked on a text of 41"):
        await filter_text(made, HOSTILE)
    stream = Stream(made)
    with pytest.raises(HookTimeout, match="time budget is used up"):
        await stream.send_all([HOSTILE])
    assert stream.text == ""
    assert process_time() - begun < 2 * BUDGET.call + SLACK
    assert [one["outcome"] for one in stream.told.findings] == ["timed-out"]


@pytest.mark.parametrize("hold", ["window", "complete"])
async def test_warn_says_that_it_could_not_check(hold: Any) -> None:
    made = RegexFilterProcessor(rules=[SLOW], strategy="warn", stream_hold=hold, budget=BUDGET)
    text, told = await filter_text(made, HOSTILE)
    assert text == HOSTILE
    assert [(one["rule"], one["outcome"]) for one in told.findings] == [("slow", "timed-out")]
    assert "could not be checked" in told.warnings[0]
    stream = Stream(made)
    assert await stream.send_all([HOSTILE, " and on"]) == HOSTILE + " and on"
    assert stream.told.findings[0]["outcome"] == "timed-out"


async def test_one_budget_for_all_parts_of_a_run() -> None:
    made = RegexFilterProcessor(rules=[SLOW], strategy="warn", budget=BUDGET)
    parts = [TextPart(text=HOSTILE) for _ in range(50)]
    messages = [Message(id="m1", role="user", content=Content(parts=parts))]
    told = Told()
    begun = process_time()
    await answer(made.process_input(hook_args(told, {}, messages=messages)))
    assert process_time() - begun < BUDGET.run + SLACK
    assert len(told.findings) == 50


async def test_the_event_loop_lives_on_while_a_rule_searches() -> None:
    made = RegexFilterProcessor(rules=[SLOW], strategy="warn", budget=Budget(call=0.5))
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    async with asyncio.TaskGroup() as group:
        heart = group.create_task(beat())
        await filter_text(made, HOSTILE)
        heart.cancel()
    assert beats > 1


@pytest.mark.parametrize(("seconds", "lasts"), [(50e-6, True), (2e-3, False)])
async def test_a_budget_counts_only_what_takes_long_for_its_length(
    monkeypatch: pytest.MonkeyPatch, seconds: float, lasts: bool
) -> None:
    # A clock of its own: every search of the stream takes so long, whatever the machine does.
    monkeypatch.setattr(search, "thread_time", count(0, seconds).__next__)
    made = RegexFilterProcessor(
        presets=["pii", "secrets", "urls"], strategy="redact", budget=Budget(call=0.25, run=0.05)
    )
    stream = Stream(made)
    text = "On 3 May 2023 ann@example.test wrote to 415-555-0132. " * 600
    if lasts:
        out = await stream.send_all(cuts(text, 20))
        assert out.count("[EMAIL]") == out.count("[PHONE]") == 600
        return
    with pytest.raises(HookTimeout, match="time budget is used up"):
        await stream.send_all(cuts(text, 20))


@pytest.mark.parametrize("inline", [True, False])
async def test_a_machine_that_is_busy_uses_no_budget_up(
    monkeypatch: pytest.MonkeyPatch, inline: bool
) -> None:
    spans, searches = Matcher.spans, 0

    def kept_waiting(self: Matcher, views: Views, timeout: float) -> list[Span]:
        nonlocal searches
        searches += 1
        time.sleep(0.06)
        if not inline and threading.current_thread() is threading.main_thread():
            raise MatchTimeout
        return spans(self, views, timeout)

    monkeypatch.setattr(Matcher, "spans", kept_waiting)
    made = RegexFilterProcessor(
        rules=[RegexRule("r", r"(?=k)k\w+")],
        strategy="redact",
        stream_carryover_size=8,
        budget=Budget(call=0.25, run=0.05),
    )
    assert await Stream(made).send_all(["key "] * 5) == "[REDACTED] " * 5
    assert searches > 1


async def test_many_small_deltas_are_no_slow_run(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each reading of the clock is 12 µs after the one before: what one character takes to read.
    monkeypatch.setattr(block, "thread_time", count(0, 12e-6).__next__)
    made = RegexFilterProcessor(
        rules=[RegexRule("r", r"k\w+")],
        strategy="redact",
        stream_hold="complete",
        budget=Budget(call=0.25, run=0.02),
    )
    assert await Stream(made).send_all(list("k" + "a" * 5_000 + " end")) == "[REDACTED] end"


def test_a_long_text_may_be_searched_for_longer() -> None:
    budget = Budget(call=0.25, run=2.0)
    assert budget.for_text(0) == 0.25
    assert budget.for_text(1_000_000) == pytest.approx(1.25)
    assert budget.for_text(50_000_000) == 2.0
    assert Budget(call=0.5, run=0.1).for_text(1_000_000) == 0.5


@pytest.mark.parametrize(
    "pattern",
    ["[ab]*c[abc]{400}x", r"(?<=c)(?:a?b?){40}(?:ab){40}x", r"(?:a|b|ab)*c[abc]{200,400}d"],
)
@pytest.mark.parametrize("hold", ["window", "complete"])
async def test_patterns_of_very_many_states_end_in_time(pattern: str, hold: Any) -> None:
    made = RegexFilterProcessor(
        rules=[RegexRule("big", pattern)], strategy="redact", stream_hold=hold, budget=BUDGET
    )
    text = "abcbcaacb" * 3000
    stream = Stream(made)
    begun = process_time()
    try:
        out = await stream.send_all(cuts(text, 2000))
    except HookTimeout:
        out = stream.text
    assert text.startswith(out)
    assert process_time() - begun < BUDGET.run + 3 * SLACK
