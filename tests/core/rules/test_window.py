"""Window streams: chunk for chunk what matching all held text anew at each delta gives."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.filters import Stream, all_matches, cuts
from tests.support.patterns import cut_sizes, rules, texts
from tripscope.chunks import BlockEdge, Chunk
from tripscope.patterns import MatchTimeout
from tripscope.patterns.units import join_surrogates, spread
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.redaction import redact
from tripscope.rules.regions import merge
from tripscope.rules.rule import RegexRule


def _naive(some: list[RegexRule], window: int, deltas: list[str]) -> list[str | None]:
    """What leaves at each delta, and at the end of the block."""
    held = ""
    out: list[str | None] = []
    for delta in deltas:
        held += delta
        end = len(held) - window
        if end <= 0:
            out.append(None)
            continue
        regions = merge(all_matches(some, held))
        for region in regions:
            if region.start < end < region.end:
                end = region.start
        text = redact(held[:end], [region for region in regions if region.end <= end])[0]
        out.append(text or None)
        held = held[end:]
    out.append(redact(held, merge(all_matches(some, held)))[0] if held else None)
    return out


@given(rules(), texts, cut_sizes, st.sampled_from([1, 2, 4, 8, 16, 32, 64, 128]))
async def test_same_chunks_as_the_plain_way(
    some: list[RegexRule], text: str, size: int, window: int
) -> None:
    deltas = cuts(text, size)
    try:
        expected = _naive(some, window, deltas)
    except MatchTimeout:
        assume(False)
    made = RegexFilterProcessor(rules=some, strategy="redact", stream_carryover_size=window)
    stream = Stream(made)
    got: list[str | None] = []
    for delta in deltas:
        left = await stream.send(delta)
        got.append(left[0].payload.text if left else None)
    left = await stream.send(Chunk("text-end", BlockEdge(id="t1")))
    got.append(left[0].payload.text if len(left) == 2 else None)
    assert got == expected
    _accounts_for_all(stream, text)


def _accounts_for_all(stream: Stream, text: str) -> None:
    """The intervals cover what was given and what left, without gaps."""
    given_to, left_to = 0, 0
    for start, end, out_start, out_end, rule in stream.told.intervals:
        assert (start, out_start) == (given_to, left_to)
        assert rule is not None or end - start == out_end - out_start
        given_to, left_to = end, out_end
    assert given_to == len(spread(text))
    assert left_to == len(spread(stream.text))
    assert stream.told.held_units == 0


@given(texts, cut_sizes)
async def test_findings_and_reports_name_the_same_spans(text: str, size: int) -> None:
    made = RegexFilterProcessor(presets=["pii", "secrets"], strategy="redact")
    stream = Stream(made)
    await stream.send_all(cuts(text, size))
    units = spread(text)
    reported = [entry for report in stream.reports for entry in report.detail["redactions"]]
    owners = [one for one in stream.told.findings if one["winner"] is None]
    assert [one["rule"] for one in owners] == [entry["rule"] for entry in reported]
    for one in owners:
        start, end = one["span"]
        rule = next(rule for rule in made.rules if rule.name == one["rule"])
        assert rule.compiled.find_all(join_surrogates(units[start:end]))
        region = one["reported"]
        assert (region[0], region[1] - region[0]) in {(e["index"], e["length"]) for e in reported}


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("preset", [["pii"], ["pii", "secrets-strict"]])
async def test_a_needle_far_behind_the_start_of_its_match_is_noticed_at_once(
    size: int, preset: list[str]
) -> None:
    # The held text is as long as the window, to the unit, before anything has been decided.
    made = RegexFilterProcessor(presets=preset, strategy="redact", stream_carryover_size=32)
    text = "x" * 8 + " " * 24 + "y" * 20 + "@e.test and on"
    stream = Stream(made)
    assert await stream.send_all(cuts(text, size)) == "x" * 8 + " " * 24 + "[EMAIL] and on"


async def test_a_few_astral_characters_are_a_known_set_of_halves() -> None:
    # All that a match can hold is "key=" and two emoji, each of which the text holds in two halves.
    rule = RegexRule("r", "key=[😀😁]", "gu")
    made = RegexFilterProcessor(rules=[rule], strategy="redact", stream_carryover_size=1)
    assert await Stream(made).send_all(["a key=😀 key=😁."]) == "a [REDACTED] [REDACTED]."


async def test_a_growing_match_is_fed_and_not_searched_again() -> None:
    made = RegexFilterProcessor(presets=["secrets"], strategy="redact")
    stream = Stream(made)
    token = "abc.def-ghi_" * 1000
    text = await stream.send_all(cuts(f"Bearer {token} end", 4))
    assert text == "[BEARER_TOKEN] end"
    bearer = stream.filter._searcher.matchers[1].rule.name
    spent = stream.state["regexFilter"].ledger.spent
    assert spent.get(bearer, 0.0) < 0.25


async def test_held_text_of_a_rejected_attempt_is_dropped() -> None:
    made = RegexFilterProcessor(presets=["pii"], strategy="redact")
    stream = Stream(made)
    await stream.send("write to ann@")
    stream.retry_count = 1
    assert await stream.send_all(["example.test"]) == "example.test"
    assert [one["span"] for one in stream.told.findings] == []


async def test_nothing_is_flushed_by_the_step_finish_of_a_rejection() -> None:
    from tripscope.chunks import Finish

    stream = Stream(RegexFilterProcessor(presets=["pii"], strategy="redact"))
    await stream.send("held back")
    left = await stream.send(Chunk("step-finish", Finish(reason="retry")))
    assert [chunk.type for chunk in left] == ["step-finish"]
    assert stream.told.held_units == 0
