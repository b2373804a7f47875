"""Faults that other systems had: streaming redaction, regex semantics, secret patterns."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.support.filters import Stream, cuts, filter_text
from tripscope.chunks import Chunk, text_delta
from tripscope.errors import TripWire
from tripscope.patterns.units import spread
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.diagnosis import diagnose
from tripscope.rules.rule import RegexRule


def _redact(**options: Any) -> RegexFilterProcessor:
    return RegexFilterProcessor(strategy="redact", **options)


_ANT = RegexRule("key", r"sk-ant-[A-Za-z0-9-]{10,}", "g", "[KEY]")


@pytest.mark.parametrize("cut", [*range(1, 43), 0])
async def test_secret_cut_by_a_chunk_boundary(cut: int) -> None:
    text = "token: sk-ant-api03-Zz9Zz9Zz9Zz9 end"
    stream = Stream(_redact(rules=[_ANT]))
    parts = [text[:cut], text[cut:]] if cut else list(text)
    for part in parts:
        await stream.send(part)
        assert "token: [KEY] end".startswith(stream.text)
    assert await stream.send_all([]) == "token: [KEY] end"


async def test_redaction_that_changes_the_length_loses_nothing() -> None:
    stream = Stream(_redact(presets=["pii"]))
    deltas = ["Write to ann.lee@", "example.test or 415-555-0132, thanks."]
    assert await stream.send_all(deltas) == "Write to [EMAIL] or [PHONE], thanks."


@pytest.mark.parametrize(
    "deltas",
    [["f" * 299 + " ", "A", "123-45-6789 x"], ["123-45-6789", "0 x"], ["9", "123-45-6789"]],
)
async def test_an_internal_cut_is_no_text_boundary(deltas: list[str]) -> None:
    stream = Stream(
        _redact(rules=[RegexRule("ssn", r"\b\d{3}-\d{2}-\d{4}\b")], stream_carryover_size=16)
    )
    assert await stream.send_all(deltas) == "".join(deltas)


async def test_order_of_text_and_other_parts() -> None:
    stream = Stream(_redact(presets=["pii"]))
    call = Chunk("tool-call", {"toolCallId": "call_4155550132", "args": {"tab": 1234567890}})
    await stream.send_all(["call 415-555-", call, "0132 now"])
    assert [chunk.type for chunk in stream.out] == [
        "text-delta", "tool-call", "text-delta", "text-end",
    ]  # fmt: skip
    assert stream.out[1] is call
    assert call.payload == {"toolCallId": "call_4155550132", "args": {"tab": 1234567890}}


async def test_white_space_deltas_do_not_overtake_held_text() -> None:
    stream = Stream(_redact(presets=["pii"]))
    assert await stream.send_all(["4111 1111", " ", "1111 1111", " end"]) == "[CREDIT_CARD] end"


_BLOCK = RegexRule("block", r"-----BEGIN KEY-----[A-Z]+-----END KEY-----", "g", "[KEY]")


@pytest.mark.parametrize("options", [{"stream_carryover_size": 4096}, {"stream_hold": "complete"}])
async def test_secret_longer_than_the_default_window(options: dict[str, Any]) -> None:
    body = "-----BEGIN KEY-----" + "Q" * 1600 + "-----END KEY-----"
    stream = Stream(_redact(rules=[_BLOCK], **options))
    for delta in cuts(f"a {body} b", 20):
        await stream.send(delta)
        assert "Q" not in stream.text
    assert await stream.send_all([]) == "a [KEY] b"


def test_a_rule_that_can_outgrow_the_window_is_warned_of() -> None:
    (told,) = diagnose([_BLOCK], window=128)
    assert told.outgrows_window
    assert any("longer than the window of 128" in warning for warning in told.warnings)
    (told,) = diagnose([_BLOCK], window=128, complete=True)
    assert not told.outgrows_window


@pytest.mark.parametrize("size", [0, -1, 1.5, math.nan, math.inf, True, "128"])
def test_bad_window_sizes_are_refused(size: Any) -> None:
    with pytest.raises(ValueError, match="streamCarryoverSize must be a positive safe integer"):
        _redact(presets=["pii"], stream_carryover_size=size)


async def test_whole_words_and_parts_that_are_no_text() -> None:
    rule = RegexRule("word", r"\bclass\b")
    odd = [text_delta(""), Chunk("text-delta", {"id": "t1"}), Chunk("response-metadata", {"m": 1})]
    by_default = Stream(RegexFilterProcessor(rules=[rule]))
    with pytest.raises(TripWire):
        await by_default.send("class")
    complete = Stream(RegexFilterProcessor(rules=[rule], stream_hold="complete"))
    assert await complete.send_all(["class", "ic", " car", *odd]) == "classic car"
    assert complete.out[-4:-1] == odd


async def test_a_card_is_one_region() -> None:
    text, told = await filter_text(_redact(presets=["pii"]), "pay 4111111111111111 today")
    assert text == "pay [CREDIT_CARD] today"
    assert {one["reported"] for one in told.findings} == {(4, 20)}
    assert {one["rule"]: one["winner"] for one in told.findings} == {
        "phone": "credit-card",
        "credit-card": None,
    }
    blocks = Stream(RegexFilterProcessor(presets=["pii"]))
    with pytest.raises(TripWire) as caught:
        await blocks.send("pay 4111111111111111 today")
    assert [match["index"] for match in caught.value.metadata["matches"]] == [4, 4]
    warns = Stream(RegexFilterProcessor(presets=["pii"], strategy="warn"))
    await warns.send("pay 4111111111111111 today")
    for stream in (blocks, warns):
        assert {one["reported"] for one in stream.told.findings} == {(4, 20)}


@pytest.mark.parametrize(
    ("presets", "text", "expected"),
    [
        (["secrets"], "cfg api_key=AKIAIOSFODNN7EXAMPLE, next", "cfg [API_KEY], next"),
        (
            ["pii", "urls"],
            "see https://u:p@example.test/?m=ann@example.test&q=1 ok",
            "see [URL] ok",
        ),
    ],
)
async def test_overlapping_hits_of_presets(presets: list[str], text: str, expected: str) -> None:
    assert (await filter_text(_redact(presets=presets), text))[0] == expected


@pytest.mark.parametrize("inner", ["abc", "cde", "efg"])
async def test_a_match_inside_another(inner: str) -> None:
    some = [RegexRule("in", inner, "g", "<I>"), RegexRule("out", "abcdefg", "g", "<O>")]
    text, told = await filter_text(_redact(rules=some), "xx abcdefg yy")
    assert text == "xx <O> yy"
    assert {one["winner"] for one in told.findings} == {None, "out"}


@pytest.mark.parametrize(
    ("rule", "text", "redacted"),
    [
        (RegexRule("ssn", r"\b\d{3}-\d{2}-\d{4}\b"), "号123-45-6789号", True),
        (RegexRule("ssn", r"\b\d{3}-\d{2}-\d{4}\b"), "١٢٣-٤٥-٦٧٨٩", False),
        (RegexRule("key", "key", "gi"), "\u212aey", False),
        (RegexRule("end", r"\d{4}$"), "1234\n", False),
        (RegexRule("end", r"\d{4}$", "gm"), "1234\n", True),
    ],
)
async def test_digits_words_and_ends_are_those_of_javascript(
    rule: RegexRule, text: str, redacted: bool
) -> None:
    assert ("[REDACTED]" in (await filter_text(_redact(rules=[rule]), text))[0]) is redacted


@pytest.mark.parametrize("pattern", ["x*", r"\b", "(?:)", "(?=x)"])
@pytest.mark.parametrize("text", ["axb", "\U0001f600"])
async def test_rules_that_match_nothing(pattern: str, text: str) -> None:
    rule = RegexRule("r", pattern, "g", "[R]")
    expected = "a[R]b" if pattern == "x*" and text == "axb" else text
    assert (await filter_text(_redact(rules=[rule]), text))[0] == expected
    assert await Stream(_redact(rules=[rule])).send_all(cuts(text, 1)) == expected
    warns = RegexFilterProcessor(rules=[rule], strategy="warn")
    assert (await filter_text(warns, text))[0] == text
    assert diagnose([rule])[0].can_be_empty
    if rule.compiled.test(text):
        with pytest.raises(TripWire):
            await filter_text(RegexFilterProcessor(rules=[rule]), text)


async def test_bare_digits_count_as_a_phone_as_upstream_has_it() -> None:
    text, _ = await filter_text(
        _redact(presets=["pii"]), "issue comment 4345955198, ts 1748503543012"
    )
    assert text == "issue comment [PHONE], ts [PHONE]12"


async def test_parts_of_tokens_that_upstream_leaves_are_shown_as_they_are() -> None:
    text, told = await filter_text(
        _redact(presets=["secrets"]), "Authorization: Bearer abcDEF0123+tail/more== end"
    )
    assert text == "Authorization: [BEARER_TOKEN]+tail/more== end"
    assert told.findings[0]["span"] == (15, 32)


async def test_half_an_emoji_in_each_chunk() -> None:
    stream = Stream(_redact(presets=["pii"], stream_carryover_size=24))
    text = "\U0001f600 ann@example.test \U0001f600\U0001f600 x"
    out = await stream.send_all(cuts(text, 1))
    assert out == text.replace("ann@example.test", "[EMAIL]")
    assert stream.told.findings[0]["span"] == (3, 19)
    assert len(spread(text)) == stream.told.intervals[-1][1]
