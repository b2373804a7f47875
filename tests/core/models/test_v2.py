import pytest

from tripscope.chunks import BlockEdge, Chunk, Delta, ErrorPayload, Finish, ToolCall, Usage
from tripscope.errors import APIError
from tripscope.models.v2 import chunk_from_v2

CHUNKS = [
    ({"type": "text-start", "id": "t1"}, BlockEdge(id="t1")),
    ({"type": "text-delta", "id": "t1", "delta": "a\ud83d"}, Delta(id="t1", text="a\ud83d")),
    (
        {"type": "text-end", "id": "t1", "providerMetadata": {"p": {"x": 1}}},
        BlockEdge(id="t1", provider_metadata={"p": {"x": 1}}),
    ),
    ({"type": "reasoning-start", "id": "r"}, BlockEdge(id="r")),
    ({"type": "reasoning-delta", "id": "r", "delta": "hm"}, Delta(id="r", text="hm")),
    ({"type": "reasoning-end", "id": "r"}, BlockEdge(id="r")),
    (
        {"type": "tool-call", "toolCallId": "c", "toolName": "look", "input": '{"q":["x",1]}'},
        ToolCall(tool_call_id="c", tool_name="look", args={"q": ["x", 1]}),
    ),
    (
        {"type": "response-metadata", "id": "resp", "modelId": "m"},
        {"id": "resp", "modelId": "m"},
    ),
    (
        {
            "type": "finish",
            "finishReason": "stop",
            "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3, "reasoningTokens": 1},
        },
        Finish(
            reason="stop",
            usage=Usage(
                input_tokens=1, output_tokens=2, total_tokens=3, extra={"reasoningTokens": 1}
            ),
        ),
    ),
]


@pytest.mark.parametrize(("part", "payload"), CHUNKS)
def test_a_part_keeps_its_type_and_gets_the_payload_of_it(part: dict, payload: object) -> None:
    assert chunk_from_v2(part) == Chunk(part["type"], payload)


@pytest.mark.parametrize(
    ("part", "kind", "payload"),
    [
        (
            {"type": "tool-input-start", "id": "c", "toolName": "look"},
            "tool-call-input-streaming-start",
            {"toolCallId": "c", "toolName": "look"},
        ),
        (
            {"type": "tool-input-delta", "id": "c", "delta": "{}"},
            "tool-call-delta",
            {"toolCallId": "c", "argsTextDelta": "{}"},
        ),
        (
            {"type": "tool-input-end", "id": "c"},
            "tool-call-input-streaming-end",
            {"toolCallId": "c"},
        ),
    ],
)
def test_tool_input_as_it_grows_is_called_as_mastra_calls_it(
    part: dict, kind: str, payload: dict
) -> None:
    assert chunk_from_v2(part) == Chunk(kind, payload)


def test_the_start_of_the_stream_is_no_chunk() -> None:
    assert chunk_from_v2({"type": "stream-start", "warnings": []}) is None


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', "[" * 100_000, "1" * 5000])
def test_tool_input_that_is_not_json_is_kept_and_marked(text: str) -> None:
    part = {"type": "tool-call", "toolCallId": "c", "toolName": "n", "input": text}
    chunk = chunk_from_v2(part)
    assert chunk is not None
    assert chunk.payload.args == text
    assert chunk.payload.extra == {"invalid": True}


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


@pytest.mark.parametrize("part", [{}, {"type": 1}, None, "text"])
def test_what_is_no_part_is_refused(part: object) -> None:
    with pytest.raises(ValueError, match="string 'type'"):
        chunk_from_v2(part)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(ValueError, match="'text-delta' lacks 'delta'"):
        chunk_from_v2({"type": "text-delta", "id": "t"})


@pytest.mark.parametrize(
    ("part", "key"),
    [
        ({"type": "text-delta", "id": ["t"], "delta": "a"}, "'id'"),
        ({"type": "text-delta", "id": "t", "delta": 5}, "'delta'"),
        ({"type": "text-start", "id": 1}, "'id'"),
        ({"type": "tool-call", "toolCallId": 5, "toolName": "n", "input": ""}, "'toolCallId'"),
        ({"type": "tool-call", "toolCallId": "c", "toolName": {}, "input": ""}, "'toolName'"),
        ({"type": "tool-input-delta", "id": "c", "delta": None}, "'delta'"),
        ({"type": "finish", "finishReason": 5}, "'finishReason'"),
        ({"type": "finish", "finishReason": "stop", "usage": [1]}, "'usage'"),
        ({"type": "finish", "finishReason": "stop", "usage": {"inputTokens": "1"}}, "tokens"),
    ],
)
def test_a_field_of_another_kind_is_named(part: dict, key: str) -> None:
    with pytest.raises(ValueError, match=key):
        chunk_from_v2(part)


def test_a_data_part_keeps_its_data() -> None:
    part = {"type": "data-note", "data": {"a": 1}, "transient": True, "id": "n1"}
    chunk = chunk_from_v2(part)
    assert chunk is not None
    assert (chunk.data, chunk.transient) == ({"a": 1}, True)
    assert chunk.to_wire() == part | {"from": "AGENT"}


def test_a_count_of_nan_is_unknown() -> None:
    usage = {"inputTokens": float("nan"), "outputTokens": 3}
    chunk = chunk_from_v2({"type": "finish", "finishReason": "stop", "usage": usage})
    assert chunk is not None
    assert (chunk.payload.usage.input_tokens, chunk.payload.usage.output_tokens) == (None, 3)
