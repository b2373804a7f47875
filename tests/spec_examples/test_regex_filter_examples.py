"""The examples of "RegexFilterProcessor"."""

from __future__ import annotations

from typing import Any

from tests.spec_examples.support import answer, chunks_of, text_of
from tripscope.agent import Agent
from tripscope.models.scripted import ScriptedModel
from tripscope.processor import Violation
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.rule import RegexRule


async def streamed(filter: RegexFilterProcessor, *deltas: str) -> str:
    model = ScriptedModel([answer(*deltas)])
    agent = Agent(id="my-agent", model=model, output_processors=[filter])
    return text_of(await chunks_of(agent, "hi"))


async def test_pii_in_the_input_is_blocked() -> None:
    filter = RegexFilterProcessor(presets=["pii"], strategy="block", phase="input")
    model = ScriptedModel([answer("never")])
    agent = Agent(id="a", model=model, input_processors=[filter])
    result = await agent.generate("I am ann@example.test")
    assert model.requests == []
    assert result.tripwire is not None
    assert result.tripwire.retry in (None, False)
    assert result.tripwire.metadata == {
        "processorId": "regex-filter",
        "matches": [{"rule": "email", "match": "[REDACTED_MATCH]", "index": 5}],
        "strategy": "block",
    }


async def test_secrets_in_the_output_are_redacted() -> None:
    filter = RegexFilterProcessor(presets=["secrets"], strategy="redact", phase="output")
    assert await streamed(filter, "key AKIAIOSF", "ODNN7EXAMPLE ok") == "key [AWS_KEY] ok"


async def test_a_rule_of_ones_own() -> None:
    rule = RegexRule("internal-id", r"INTERNAL-\d{6}", "g", "[INTERNAL_ID]")
    filter = RegexFilterProcessor(rules=[rule], strategy="redact")
    assert await streamed(filter, "see INTERNAL-12", "3456.") == "see [INTERNAL_ID]."


async def test_a_wider_window_covers_a_longer_match() -> None:
    rule = RegexRule("armored-key", "-----BEGIN KEY-----[A-Z]+-----END KEY-----", "g", "[KEY]")
    key = f"-----BEGIN KEY-----{'A' * 180}-----END KEY-----"
    pieces = [key[start : start + 20] for start in range(0, len(key), 20)]
    wide = RegexFilterProcessor(rules=[rule], strategy="redact", stream_carryover_size=256)
    assert await streamed(wide, "a ", *pieces, " b") == "a [KEY] b"
    narrow = RegexFilterProcessor(rules=[rule], strategy="redact", stream_carryover_size=128)
    assert "AAAA" in await streamed(narrow, "a ", *pieces, " b")


async def test_attached_to_an_agent_it_blocks_pii_and_secrets() -> None:
    filter = RegexFilterProcessor(presets=["pii", "secrets"], strategy="block")
    agent = Agent(id="a", model=ScriptedModel([answer("fine")]), input_processors=[filter])
    assert (await agent.generate("hello")).text == "fine"
    assert (await agent.generate("key AKIAIOSFODNN7EXAMPLE")).tripwire is not None


async def test_overlapping_matches_are_replaced_once() -> None:
    filter = RegexFilterProcessor(presets=["pii"], strategy="redact")
    assert await streamed(filter, "Charge 4111111111111111 today") == "Charge [CREDIT_CARD] today"


async def test_each_redaction_is_told_to_the_audit_log() -> None:
    log: list[dict[str, Any]] = []

    async def write(violation: Violation) -> None:
        detail = violation.detail
        for entry in detail["redactions"]:
            log.append(
                {
                    "phase": detail["phase"],
                    "messageId": detail.get("messageId"),
                    "rule": entry["rule"],
                    "offset": entry["index"],
                    "length": entry["length"],
                    "value": entry.get("value"),
                }
            )

    filter = RegexFilterProcessor(presets=["pii"], strategy="redact")
    filter.on_violation = write
    model = ScriptedModel([answer("call 415-555-0132 now")])
    agent = Agent(id="a", model=model, input_processors=[filter], output_processors=[filter])
    stream = await agent.stream("I am ann@example.test")
    async for _ in stream.full_stream:
        pass
    user = (await stream.result()).messages[0]
    assert user.text == "I am [EMAIL]"
    assert log == [
        {
            "phase": "processInput",
            "messageId": user.id,
            "rule": "email",
            "offset": 5,
            "length": 16,
            "value": None,
        },
        {
            "phase": "processOutputStream",
            "messageId": None,
            "rule": "phone",
            "offset": 5,
            "length": 12,
            "value": None,
        },
    ]


async def test_a_failing_audit_log_does_not_fail_the_request() -> None:
    def down(violation: Violation) -> None:
        raise RuntimeError("audit log is down")

    filter = RegexFilterProcessor(presets=["pii"], strategy="redact")
    filter.on_violation = down
    assert await streamed(filter, "ann@example.test") == "[EMAIL]"
