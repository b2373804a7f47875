"""streamHold complete: what leaves is the front of what the rules make of the whole text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.filters import Stream, all_matches, cuts, redacted_whole
from tests.support.patterns import cut_sizes, rules, texts
from tripscope.chunks import BlockEdge, Chunk, Finish, text_delta
from tripscope.errors import HookError, HookTimeout, TripWire
from tripscope.patterns import MatchTimeout
from tripscope.patterns.units import spread
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.budget import DEFAULT_BUDGET
from tripscope.rules.hold import lanes
from tripscope.rules.hold.text import BlockText
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher


def _filter(some: list[RegexRule], strategy: str = "redact") -> RegexFilterProcessor:
    return RegexFilterProcessor(rules=some, strategy=strategy, stream_hold="complete")


@given(rules(), texts, cut_sizes, st.sets(st.integers(0, 20), max_size=3))
async def test_joined_is_whole_and_nothing_leaves_too_soon(
    some: list[RegexRule], text: str, size: int, calls: set[int]
) -> None:
    try:
        whole = spread(redacted_whole(some, text))
    except MatchTimeout:
        assume(False)
    stream = Stream(_filter(some))
    sent: list[Chunk] = []
    try:
        for number, delta in enumerate(cuts(text, size)):
            await stream.send(delta)
            if number in calls:
                sent.append(Chunk("tool-call", {"number": number}))
                await stream.send(sent[-1])
            assert whole.startswith(spread(stream.text))
        await stream.send(Chunk("text-end", BlockEdge(id="t1")))
    except HookTimeout:
        assume(False)
    assert spread(stream.text) == whole
    assert [chunk for chunk in stream.out if chunk.type == "tool-call"] == sent
    assert stream.told.held_units == 0
    given_to = 0
    for start, end, *_ in stream.told.intervals:
        assert start == given_to
        given_to = end
    assert given_to == len(spread(text))


@given(rules(), texts, cut_sizes)
async def test_block_lets_nothing_of_a_match_out(
    some: list[RegexRule], text: str, size: int
) -> None:
    units = spread(text)
    try:
        matches = all_matches(some, units)
    except MatchTimeout:
        assume(False)
    stream = Stream(_filter(some, "block"))
    wire = None
    try:
        await stream.send_all(cuts(text, size))
    except TripWire as tripped:
        wire = tripped
    except HookTimeout:
        assume(False)
    if not matches or not text:
        assert wire is None
        assert stream.text == text
    else:
        assert wire is not None
        assert wire.metadata["strategy"] == "block"
        assert len(spread(stream.text)) <= min(match.start for match in matches)


@given(rules(), texts, cut_sizes)
async def test_warn_passes_all_and_flags_every_match(
    some: list[RegexRule], text: str, size: int
) -> None:
    assume(text)
    units = spread(text)
    try:
        matches = all_matches(some, units)
    except MatchTimeout:
        assume(False)
    stream = Stream(_filter(some, "warn"))
    assert await stream.send_all(cuts(text, size)) == text
    flagged = [one for one in stream.told.findings if one["outcome"] == "flagged"]
    timed_out = [one for one in stream.told.findings if one["outcome"] == "timed-out"]
    assume(not timed_out)
    assert sorted((one["rule"], one["span"]) for one in flagged) == sorted(
        (match.rule.name, (match.start, match.end)) for match in matches
    )


async def test_parts_wait_behind_held_text_in_order() -> None:
    stream = Stream(
        RegexFilterProcessor(presets=["pii"], strategy="redact", stream_hold="complete")
    )
    await stream.send("call 415-555-")
    assert stream.text == "call "
    assert await stream.send(Chunk("tool-call", {"id": 1})) == []
    await stream.send("0132 now")
    await stream.send(Chunk("text-end", BlockEdge(id="t1")))
    shape = [c.payload.text if c.type == "text-delta" else c.type for c in stream.out]
    assert shape == ["call ", "[PHONE]", "tool-call", " now", "text-end"] or shape == [
        "call ", "[PHONE]", "tool-call", " ", "now", "text-end",
    ]  # fmt: skip


async def test_blocks_are_apart_even_when_they_interleave() -> None:
    stream = Stream(
        RegexFilterProcessor(presets=["pii"], strategy="redact", stream_hold="complete")
    )
    for id, text in (("a", "ann@exam"), ("b", "123-45-"), ("a", "ple.test x"), ("b", "6789 y")):
        await stream.send(text_delta(text, id=id))
    for id in "ab":
        await stream.send(Chunk("text-end", BlockEdge(id=id)))
    by_block = {
        id: "".join(
            c.payload.text for c in stream.out if c.type == "text-delta" and c.payload.id == id
        )
        for id in "ab"
    }
    assert by_block == {"a": "[EMAIL] x", "b": "[SSN] y"}


async def test_too_many_waiting_parts_fail_closed() -> None:
    stream = Stream(_filter([RegexRule("open", r"BEGIN[^]*?END")]))
    await stream.send("BEGIN secret")
    for number in range(256):
        assert await stream.send(Chunk("reasoning-delta", {"n": number})) == []
    with pytest.raises(HookError, match="more than 256 parts wait"):
        await stream.send(Chunk("reasoning-delta", {"n": 256}))
    assert stream.text == ""


async def test_a_step_that_ends_closes_its_blocks() -> None:
    stream = Stream(
        RegexFilterProcessor(presets=["pii"], strategy="redact", stream_hold="complete")
    )
    await stream.send("mail ann@example.test")
    left = await stream.send(Chunk("step-finish", Finish(reason="stop")))
    assert [chunk.type for chunk in left] == ["text-delta", "step-finish"]
    assert stream.text == "mail [EMAIL]"


async def test_clean_text_is_not_held_for_long() -> None:
    stream = Stream(
        RegexFilterProcessor(
            presets=["pii", "secrets", "urls"], strategy="redact", stream_hold="complete"
        )
    )
    await stream.send("The quick brown fox jumps over the lazy dog. ")
    assert len(stream.text) >= 44
    assert stream.told.held_units <= 1


@pytest.mark.parametrize(
    "pattern", [r"\d{3}(?!\d)", r"(?=\d)\d+", r"x*", r"(a)\1", r"(?<=a+)b", r"end$", r"^start"]
)
async def test_rules_that_need_more_than_a_window(pattern: str) -> None:
    text = "start 123 aab 1234 aa b xx end"
    rule = RegexRule("r", pattern, "g", "<R>")
    for size in (1, 2, 5, 40):
        stream = Stream(_filter([rule]))
        assert await stream.send_all(cuts(text, size)) == redacted_whole([rule], text)


def _automaton_lane(units: str) -> tuple[lanes.AutomatonLane, BlockText]:
    rule = RegexRule("word", "b[a-z]+")
    lane, text = lanes.lane_of(Searcher((rule,), DEFAULT_BUDGET).matchers[0]), BlockText()
    assert isinstance(lane, lanes.AutomatonLane)
    text.add(units)
    return lane, text


def test_time_counts_only_while_the_rules_own_thread_computes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    units = "a" * 10_000
    lane, text = _automaton_lane(units)
    monkeypatch.setattr(lanes, "thread_time", lambda: 0.0)
    lane.feed(text, units, 1e-9)
    assert lane.hold == len(units)
    lane, text = _automaton_lane(units)
    monkeypatch.setattr(lanes, "thread_time", itertools.count(0.0).__next__)
    with pytest.raises(MatchTimeout):
        lane.feed(text, units, 1.5)
