import pytest

from tripscope.chunks import BlockEdge, Chunk, Delta, ErrorPayload, Finish, ToolCall, Usage
from tripscope.errors import APIError
from tripscope.models.v2 import chunk_from_v2, chunk_to_v2, chunks_from_v2

PARTS = [
    {"type": "text-start", "id": "t1"},
    {"type": "text-delta", "id": "t1", "delta": "a\ud83d"},
    {"type": "text-end", "id": "t1", "providerMetadata": {"p": {"x": 1}}},
    {"type": "reasoning-start", "id": "r"},
    {"type": "reasoning-delta", "id": "r", "delta": "hm"},
    {"type": "reasoning-end", "id": "r"},
    {"type": "tool-input-start", "id": "c", "toolName": "look"},
    {"type": "tool-input-delta", "id": "c", "delta": "{}"},
    {"type": "tool-input-end", "id": "c"},
    {"type": "tool-call", "toolCallId": "c", "toolName": "look", "input": '{"q":["x",1]}'},
    {"type": "response-metadata", "id": "resp", "modelId": "m"},
    {"type": "source", "sourceType": "url", "id": "s", "url": "about:blank"},
    {
        "type": "finish",
        "finishReason": "stop",
        "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3, "reasoningTokens": 1},
    },
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part["type"])
def test_a_part_makes_the_round_trip(part: dict) -> None:
    chunk = chunk_from_v2(part)
    assert chunk is not None
    assert chunk_to_v2(chunk) == part


def test_typed_payloads() -> None:
    assert chunks_from_v2(
        [
            {"type": "stream-start", "warnings": []},
            {"type": "text-start", "id": "t"},
            {"type": "text-delta", "id": "t", "delta": "x"},
            {"type": "tool-call", "toolCallId": "c", "toolName": "n", "input": "{}"},
            {"type": "finish", "finishReason": "stop", "usage": {"inputTokens": 1}},
        ]
    ) == [
        Chunk("text-start", BlockEdge(id="t")),
        Chunk("text-delta", Delta(id="t", text="x")),
        Chunk("tool-call", ToolCall(tool_call_id="c", tool_name="n", args={})),
        Chunk("finish", Finish(reason="stop", usage=Usage(input_tokens=1))),
    ]


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', "[" * 100_000, "1" * 5000])
def test_tool_input_that_is_not_json_is_kept_and_marked(text: str) -> None:
    part = {"type": "tool-call", "toolCallId": "c", "toolName": "n", "input": text}
    chunk = chunk_from_v2(part)
    assert chunk is not None
    assert chunk.payload.args == text
    assert chunk.payload.extra == {"invalid": True}
    assert chunk_to_v2(chunk) == part


def test_empty_tool_input_means_no_arguments() -> None:
    chunk = chunk_from_v2({"type": "tool-call", "toolCallId": "c", "toolName": "n", "input": ""})
    assert chunk is not None
    assert chunk.payload.args == {}


def test_an_error_part_is_an_api_error() -> None:
    part = {"type": "error", "error": {"message": "m", "statusCode": 503, "isRetryable": True}}
    chunk = chunk_from_v2(part)
    assert chunk is not None
    assert isinstance(chunk.payload, ErrorPayload)
    error = chunk.payload.error
    assert isinstance(error, APIError)
    assert (str(error), error.status_code, error.is_retryable) == ("m", 503, True)
    assert chunk_to_v2(chunk) == {"type": "error", "error": part["error"] | {"name": "APIError"}}


@pytest.mark.parametrize("part", [{}, {"type": 1}, None, "text"])
def test_what_is_no_part_is_refused(part: object) -> None:
    with pytest.raises(ValueError, match="string 'type'"):
        chunk_from_v2(part)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(ValueError, match="'text-delta' lacks 'delta'"):
        chunk_from_v2({"type": "text-delta", "id": "t"})
