"""The built-in processors: found by walking, described and made again, and what each does."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.filters import Told, answer, filter_text, hook_args
from tripscope.chunks import Chunk
from tripscope.errors import APIError, TripWire
from tripscope.message_list import MessageList
from tripscope.messages import Content, Message, TextPart, text_message
from tripscope.patterns import PatternError
from tripscope.processor import Violation, tell
from tripscope.processors import BUILT_INS
from tripscope.processors.answer_check import AnswerCheck
from tripscope.processors.prefill_error_handler import PrefillErrorHandler
from tripscope.processors.redact_tool_result import RedactToolResult
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.processors.unicode_normalizer import UnicodeNormalizer
from tripscope.rules.rule import RegexRule

OPTIONS: dict[str, dict[str, Any]] = {
    "regex-filter": {
        "rules": [{"name": "r", "pattern": "a+", "flags": "gi", "replacement": "<$&>"}],
        "presets": ["pii"],
        "strategy": "redact",
        "phase": "output",
        "includeRedactedValues": True,
        "streamCarryoverSize": 64,
        "streamHold": "complete",
    },
    "redact-tool-result": {"presets": ["pii"], "includeRedactedValues": True},
    "answer-check": {"pattern": "x", "flags": "i", "mustMatch": False, "reason": "no x"},
    "unicode-normalizer": {"stripControlChars": False, "collapseWhitespace": True, "trim": True},
    "prefill-error-handler": {},
    "response-cache": {},
}


def test_all_are_found_by_the_names_of_their_files() -> None:
    assert set(OPTIONS) == set(BUILT_INS)
    assert len(BUILT_INS) == len(OPTIONS)
    assert {kind: built_in.TYPE for kind, built_in in BUILT_INS.items()} == {k: k for k in OPTIONS}
    assert "no-such" not in BUILT_INS
    assert BUILT_INS.get("no-such") is None


def test_a_chain_imports_the_processors_that_it_has() -> None:
    asked = (
        "import sys; from tripscope.session.build import build_processor;"
        "from tripscope.session.model import ProcessorSpec;"
        "build_processor(ProcessorSpec(id='n', type='unicode-normalizer'));"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = {m for m in done.stdout.split() if m.startswith("tripscope.processors.")}
    assert loaded == {"tripscope.processors.unicode_normalizer"}


@pytest.mark.parametrize("kind", [kind for kind in OPTIONS if kind != "response-cache"])
def test_a_description_makes_the_same_processor(kind: str) -> None:
    made = BUILT_INS[kind].from_options(OPTIONS[kind], id="p1")
    told = made.describe()
    assert told["id"] == made.id == "p1"
    assert told["type"] == kind
    assert OPTIONS[kind].items() <= told.items()
    again = BUILT_INS[kind].from_options(told, id="p1")
    assert again.describe() == told
    json.dumps(told)


@pytest.mark.parametrize("kind", [kind for kind in OPTIONS if kind != "response-cache"])
def test_unknown_options_are_refused_by_name(kind: str) -> None:
    with pytest.raises(ValueError, match="colour"):
        BUILT_INS[kind].from_options(OPTIONS[kind] | {"colour": 1}, id="p1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"presets": ["pii"], "strategy": "mask"}, "strategy must be one of block, redact, warn"),
        ({"presets": ["pii"], "phase": "both"}, "phase must be one of input, output, all"),
        ({"presets": ["pii"], "streamHold": "all"}, "streamHold must be one of window, complete"),
        ({"presets": ["pii"], "includeRedactedValues": 1}, "must be true or false"),
        ({"presets": "pii"}, "presets must be a list"),
        ({"presets": [1]}, "presets must be a list of names"),
        ({"rules": [{"pattern": "a"}]}, r"rules\[0\].*name must be a string"),
        ({"rules": ["a"]}, r"rules\[0\]: a rule is an object"),
        ({"rules": [{"name": "r", "pattern": "a", "replacement": 1}]}, "replacement must be"),
    ],
)
def test_options_without_meaning_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RegexFilterProcessor.from_options(options)


def test_a_refused_pattern_is_named_with_its_rule_and_place() -> None:
    rules = [{"name": "ok", "pattern": "a"}, {"name": "bad", "pattern": "a(b"}]
    with pytest.raises(PatternError, match=r"rules\[1\] 'bad'") as caught:
        RegexFilterProcessor.from_options({"rules": rules})
    assert caught.value.position > 0


class _Writer:
    def __init__(self) -> None:
        self.written: list[Chunk] = []

    async def custom(self, chunk: Chunk) -> None:
        self.written.append(chunk)


def _error_args(error: Exception, retry_count: int = 0) -> Any:
    messages = MessageList()
    messages.add("hi", "input")
    return hook_args(
        Told(), {}, error=error, retry_count=retry_count, message_list=messages, writer=_Writer()
    )


@pytest.mark.parametrize(
    "error",
    [
        APIError("This model does not support assistant message prefill. Try again."),
        APIError("400", body='{"message": "Requests ending with a model turn are not supported"}'),
        ValueError("Assistant response prefill is incompatible with enable_thinking."),
    ],
)
async def test_a_refused_prefill_is_retried_with_a_reminder(error: Exception) -> None:
    args = _error_args(error)
    result = await PrefillErrorHandler().process_api_error(args)
    assert result is not None
    assert result.retry
    assert args.message_list.prompt()[-1]["content"][0]["text"] == (
        '<system-reminder type="anthropic-prefill-processor-retry">continue</system-reminder>'
    )
    assert [chunk.type for chunk in args.writer.written] == ["data-signal"]


async def test_other_errors_and_second_attempts_stay_errors() -> None:
    handler = PrefillErrorHandler()
    assert await handler.process_api_error(_error_args(APIError("bad request"))) is None
    refused = APIError("does not support assistant message prefill")
    assert await handler.process_api_error(_error_args(refused, retry_count=1)) is None


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        ({}, "\ufb01le\u00a0\u2460 \x00\x07a\tb\r\nc\x85", "file 1 a\tb\r\nc"),
        ({"strip_control_chars": False}, "a\x00b", "a\x00b"),
        ({"collapse_whitespace": True}, "a  \t b\r\n\r\nc", "a b\nc"),
        ({"trim": True}, "  a ", "a"),
        ({}, "half \ud83d of an emoji", "half \ud83d of an emoji"),
    ],
)
def test_text_in_one_spelling(options: dict[str, bool], text: str, expected: str) -> None:
    messages = [text_message("user", text)]
    made = UnicodeNormalizer(**options)
    after = made.process_input(hook_args(Told(), {}, messages=messages))
    assert after[0].text == expected
    assert messages[0].text == text


async def _redacted_result(
    result: Any, **options: Any
) -> tuple[Any, RedactToolResult, MessageList]:
    part = {
        "type": "tool-invocation",
        "toolInvocation": {
            "state": "result", "toolCallId": "call_4155550132", "toolName": "t",
            "args": {"to": "ann@example.test"}, "result": result,
        },
    }  # fmt: skip
    messages = MessageList()
    content = Content.from_wire({"format": 2, "parts": [part]})
    messages.add(Message(id="m1", role="assistant", content=content), "response")
    made = RedactToolResult(**({"presets": ["pii"]} | options))
    args = hook_args(
        Told(), {}, message_list=messages, tool_call_id="call_4155550132", tool_name="t",
        args={"to": "ann@example.test"}, result=result,
    )  # fmt: skip
    await made.process_tool_result(args)
    invocation = messages.find_tool_invocation("call_4155550132")
    assert invocation is not None
    return invocation, made, messages


async def test_every_string_of_a_result_and_nothing_else() -> None:
    result = {
        "n": 4155550132,
        "415-555-0132": ["call 415-555-0132", {"deep": "ann@example.test"}, None, True],
        "json": '{"mail": "ann@example.test", "tab": 4155550132}',
    }
    invocation, _, _ = await _redacted_result(result)
    assert invocation.result == {
        "n": 4155550132,
        "415-555-0132": ["call [PHONE]", {"deep": "[EMAIL]"}, None, True],
        "json": '{"mail": "[EMAIL]", "tab": 4155550132}',
    }
    assert invocation.args == {"to": "ann@example.test"}
    assert result["415-555-0132"][0] == "call 415-555-0132"  # type: ignore[index]


async def test_a_result_without_matches_stays_as_it_is_spelled() -> None:
    result = {"a": ["b", '{"c":   1}']}
    invocation, _, _ = await _redacted_result(result)
    assert invocation.result == result


def _step(text: str, tool_calls: tuple[Any, ...] = ()) -> Any:
    return hook_args(Told(), {}, text=text, tool_calls=list(tool_calls))


async def test_an_answer_that_must_match() -> None:
    check = AnswerCheck(pattern=r"\bORD-\d+", reason="name the order")
    await check.process_output_step(_step("It is ORD-17."))
    await check.process_output_step(_step("", (SimpleNamespace(),)))
    with pytest.raises(TripWire, match="name the order") as caught:
        await check.process_output_step(_step("It is sent."))
    assert caught.value.retry


async def test_an_answer_that_must_not_match() -> None:
    check = AnswerCheck(pattern="cannot", flags="i", must_match=False)
    await check.process_output_step(_step("Here it is."))
    args = _step("I CANNOT say.")
    with pytest.raises(TripWire, match="the answer matches /cannot/i"):
        await check.process_output_step(args)
    assert args.probe.findings[0]["span"] == (2, 8)


async def test_two_filters_with_ids_of_their_own_keep_their_state_apart() -> None:
    first = RegexFilterProcessor(presets=["pii"], id="a")
    second = RegexFilterProcessor(rules=[RegexRule("r", "x")], id="b", strategy="redact")
    assert (first.id, second.id) == ("a", "b")
    assert (await filter_text(second, "axb"))[0] == "a[REDACTED]b"


async def test_warn_reports_once_for_each_text() -> None:
    made = RegexFilterProcessor(presets=["pii"], strategy="warn")
    reports: list[Any] = []
    made.on_violation = reports.append
    parts = [TextPart(text="a@b.co"), TextPart(text="clean"), TextPart(text="123-45-6789 x@y.zz")]
    messages = [Message(id="m1", role="user", content=Content(parts=parts))]
    told = Told()
    assert await answer(made.process_input(hook_args(told, {}, messages=messages))) is messages
    assert [[m["rule"] for m in r.detail["matches"]] for r in reports] == [
        ["email"],
        ["email", "ssn"],
    ]
    assert {r.detail["strategy"] for r in reports} == {"warn"}
    assert told.warnings == ["[RegexFilterProcessor] Matched patterns: email, ssn"]
    assert "a@b.co" not in json.dumps([r.detail for r in reports])


async def test_a_sink_that_fails_disturbs_nothing_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(violation: Violation) -> None:
        raise RuntimeError("sink down")

    caplog.set_level(logging.DEBUG, "tripscope")
    await tell(fails, Violation("pii", "a match"))
    [record] = caplog.records
    assert record.getMessage() == "on_violation of processor 'pii' raised"
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "sink down"
