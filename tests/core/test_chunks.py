"""Chunks travel unchanged, and a copy is nobody else's."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.json_values import TEXT, objects, spelled, values
from tripscope.chunks import (
    Chunk,
    Delta,
    ErrorPayload,
    Finish,
    ToolCall,
    Tripwire,
    Usage,
    delta_text,
    text_delta,
)
from tripscope.errors import APIError

TYPES = (
    "start", "step-start", "text-start", "text-delta", "text-end", "reasoning-start",
    "reasoning-delta", "reasoning-end", "tool-call", "tool-result", "tool-error", "step-finish",
    "finish", "tripwire", "error", "object", "data-note", "data-", "source",
)  # fmt: skip
USAGE = objects(("inputTokens", "outputTokens", "totalTokens", "reasoningTokens"))
PAYLOAD = objects(
    (
        "id", "text", "toolCallId", "toolName", "args", "result", "error", "reason", "usage",
        "isContinued", "processorId", "retry", "metadata", "providerMetadata", "providerExecuted",
    ),
    {
        "id": TEXT, "text": TEXT, "toolCallId": TEXT, "toolName": TEXT, "reason": TEXT,
        "processorId": TEXT, "usage": USAGE, "isContinued": st.booleans(),
    },
)  # fmt: skip
CHUNK = objects(
    ("payload", "runId", "from", "data", "transient", "object"),
    {"payload": PAYLOAD, "runId": TEXT, "from": TEXT, "transient": st.booleans()},
)


@given(st.sampled_from(TYPES), CHUNK)
def test_a_chunk_is_written_as_it_was_read(type: str, wire: dict[str, Any]) -> None:
    wire["type"] = type
    before = spelled(wire)
    chunk = Chunk.from_wire(wire)
    assert spelled(chunk.to_wire()) == before
    assert spelled(chunk.copy().to_wire()) == before
    assert spelled(wire) == before


@given(st.sampled_from(["text-delta", "reasoning-delta"]), TEXT, TEXT)
def test_the_text_of_a_delta_is_what_the_provider_sent(type: str, id: str, text: str) -> None:
    chunk = Chunk.from_wire({"type": type, "payload": {"id": id, "text": text}})
    assert delta_text(chunk) == text
    assert chunk.to_wire()["payload"]["text"] == text


@given(values())
def test_a_delta_whose_text_is_no_string_stays_what_it_was(text: Any) -> None:
    wire = {"type": "text-delta", "payload": {"id": "t1", "text": text}}
    chunk = Chunk.from_wire(wire)
    assert isinstance(chunk.payload, Delta) == isinstance(text, str)
    assert delta_text(chunk) == (text if isinstance(text, str) else None)
    assert spelled(chunk.to_wire()) == spelled(wire)


@pytest.mark.parametrize("wire", [None, 3, "text-delta", [], {}, {"type": 1}])
def test_what_has_no_type_is_refused(wire: Any) -> None:
    with pytest.raises(ValueError, match="string 'type'"):
        Chunk.from_wire(wire)


@pytest.mark.parametrize(
    ("wire", "payload"),
    [
        ({"type": "tool-call", "payload": {"toolCallId": "c", "toolName": "t"}}, ToolCall),
        ({"type": "finish", "payload": {"reason": "stop", "usage": {}}}, Finish),
        ({"type": "tripwire", "payload": {"reason": "r", "processorId": "p"}}, Tripwire),
        ({"type": "tripwire", "payload": {"reason": "r"}}, dict),
        ({"type": "tool-result", "payload": {"toolCallId": "c", "toolName": "t"}}, dict),
        ({"type": "source", "payload": {"id": "s"}}, dict),
        ({"type": "text-delta", "payload": {"id": ["t1"], "text": "a"}}, dict),
        ({"type": "text-end", "payload": {"id": None}}, dict),
        ({"type": "tool-call", "payload": {"toolCallId": 5, "toolName": "t"}}, dict),
        ({"type": "finish", "payload": {"reason": None, "usage": {}}}, dict),
        ({"type": "finish", "payload": {"reason": "stop", "usage": 5}}, dict),
        ({"type": "finish", "payload": {"reason": "a", "usage": {"inputTokens": "nan"}}}, dict),
        ({"type": "finish"}, type(None)),
    ],
)
def test_a_payload_is_typed_only_where_it_has_the_shape(wire: Any, payload: type) -> None:
    chunk = Chunk.from_wire(wire)
    assert type(chunk.payload) is payload
    assert chunk.to_wire() == wire


def test_a_finish_without_usage_gets_an_empty_one() -> None:
    chunk = Chunk.from_wire({"type": "finish", "payload": {"reason": "stop", "usage": None}})
    assert chunk.payload.usage == Usage()


def test_only_data_chunks_have_data() -> None:
    chunk = Chunk.from_wire({"type": "data-note", "data": [1], "transient": True})
    assert (chunk.is_data, chunk.data, chunk.transient) == (True, [1], True)
    other = Chunk.from_wire({"type": "source", "data": [1], "transient": True})
    assert (other.is_data, other.data, other.transient) == (False, None, False)


def test_usage_that_is_known_in_part_is_written_in_part() -> None:
    usage = Usage.from_wire({"inputTokens": 3, "reasoningTokens": 1})
    assert (usage.input_tokens, usage.output_tokens) == (3, None)
    assert usage.to_wire() == {"inputTokens": 3, "reasoningTokens": 1}


@given(st.sampled_from(TYPES), CHUNK)
def test_editing_a_copy_leaves_the_original_alone(type: str, wire: dict[str, Any]) -> None:
    chunk = Chunk.from_wire(copy.deepcopy(wire) | {"type": type})
    before = spelled(chunk.to_wire())
    twin = chunk.copy()
    for held in (twin.payload, twin.data, twin.extra):
        _spoil(held)
    assert spelled(chunk.to_wire()) == before


def _spoil(value: Any) -> None:
    if isinstance(value, dict):
        for item in list(value.values()):
            _spoil(item)
        value["spoiled"] = True
    elif isinstance(value, list):
        value.append("spoiled")
    elif hasattr(value, "extra"):
        _spoil(value.extra)
        for name in ("args", "result", "metadata", "provider_metadata", "usage"):
            _spoil(getattr(value, name, None))


def test_an_exception_is_described_on_the_wire_and_kept_in_memory() -> None:
    error = APIError("busy", status_code=503, is_retryable=True)
    chunk = Chunk("error", ErrorPayload(error=error))
    assert chunk.copy().payload.error is error
    described = chunk.to_wire()["payload"]["error"]
    assert (described["message"], described["statusCode"]) == ("busy", 503)


def test_text_delta_makes_the_chunk_of_a_block() -> None:
    assert text_delta("hi", id="t2").to_wire() == {
        "type": "text-delta",
        "from": "AGENT",
        "payload": {"id": "t2", "text": "hi"},
    }
