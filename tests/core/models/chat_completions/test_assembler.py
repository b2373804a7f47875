from typing import Any

import pytest

from tripscope.chunks import BlockEdge, Chunk, Delta, Finish, ToolCall, Usage, delta_text
from tripscope.errors import APIError
from tripscope.models.chat_completions.assembler import Assembler


def frame(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def assemble(*frames: Any) -> list[Chunk]:
    assembler = Assembler()
    chunks = [chunk for each in frames for chunk in assembler.feed(each)]
    return chunks + assembler.finish()


def text_of(chunks: list[Chunk]) -> str:
    return "".join(delta_text(chunk) or "" for chunk in chunks if chunk.type == "text-delta")


def test_text_is_one_block() -> None:
    assert assemble(
        frame({"role": "assistant", "content": ""}),
        frame({"content": "hel"}),
        frame({"content": "lo"}),
        frame({}, "stop"),
    ) == [
        Chunk("text-start", BlockEdge(id="text-0")),
        Chunk("text-delta", Delta(id="text-0", text="hel")),
        Chunk("text-delta", Delta(id="text-0", text="lo")),
        Chunk("text-end", BlockEdge(id="text-0")),
        Chunk("finish", Finish(reason="stop", usage=Usage())),
    ]


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_has_blocks_of_its_own(key: str) -> None:
    chunks = assemble(
        frame({key: "hm"}), frame({"content": "a"}), frame({key: "hm"}), frame({}, "stop")
    )
    assert [(chunk.type, getattr(chunk.payload, "id", None)) for chunk in chunks] == [
        ("reasoning-start", "reasoning-0"),
        ("reasoning-delta", "reasoning-0"),
        ("reasoning-end", "reasoning-0"),
        ("text-start", "text-0"),
        ("text-delta", "text-0"),
        ("text-end", "text-0"),
        ("reasoning-start", "reasoning-1"),
        ("reasoning-delta", "reasoning-1"),
        ("reasoning-end", "reasoning-1"),
        ("finish", None),
    ]


def test_reasoning_told_twice_counts_once() -> None:
    chunks = assemble(frame({"reasoning": "hm", "reasoning_content": "hm"}), frame({}, "stop"))
    assert [delta_text(c) for c in chunks if c.type == "reasoning-delta"] == ["hm"]


def test_a_refusal_is_text_that_says_so() -> None:
    (delta,) = [c for c in assemble(frame({"refusal": "no"})) if c.type == "text-delta"]
    assert delta.payload.text == "no"
    assert delta.payload.provider_metadata == {"openai": {"refusal": True}}


def test_content_may_be_a_list_of_parts() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "x"}, {"type": "text", "text": "b"}, None]
    assert text_of(assemble(frame({"content": parts}))) == "ab"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content-filter"),
        ("tool_calls", "tool-calls"),
        ("function_call", "tool-calls"),
        ("eos", "other"),
        (None, "unknown"),
    ],
)
def test_finish_reasons(said: str | None, reason: str) -> None:
    assert assemble(frame({"content": "a"}, said))[-1].payload.reason == reason


def test_empty_choices_and_a_tail_with_the_usage() -> None:
    """P5."""
    chunks = assemble(
        {"choices": [], "prompt_filter_results": []},
        frame({"content": "hi"}, usage=None),
        frame(None, usage=None),
        frame({}, "stop", usage=None),
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 1}},
        {"id": "no choices"},
        {"choices": None},
        {"choices": [None, 3]},
    )
    assert text_of(chunks) == "hi"
    (finish,) = [chunk for chunk in chunks if chunk.type == "finish"]
    usage = Usage(input_tokens=3, output_tokens=1, total_tokens=4)
    assert finish.payload == Finish(reason="stop", usage=usage)


def test_usage_keeps_its_details() -> None:
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 16,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2, "audio_tokens": None},
    }
    assert assemble(frame({}, "stop", usage=usage))[-1].payload.usage == Usage(
        input_tokens=10,
        output_tokens=5,
        total_tokens=16,
        extra={"reasoningTokens": 2, "cachedInputTokens": 4},
    )


@pytest.mark.parametrize("value", ["3", 1.5, True, None])
def test_usage_that_is_no_count_is_unknown(value: Any) -> None:
    chunks = assemble(frame({}, "stop", usage={"prompt_tokens": value, "completion_tokens": 1}))
    assert chunks[-1].payload.usage == Usage(output_tokens=1)


@pytest.mark.parametrize("after", [[frame({"content": "par"})], []])
@pytest.mark.parametrize(
    ("code", "status", "retryable"),
    [(502, 502, True), ("502", 502, True), ("server_error", None, True), ("bad", None, False)],
)
def test_an_error_in_a_good_stream(
    after: list[Any], code: Any, status: int | None, retryable: bool
) -> None:
    """P4."""
    error = {"choices": [], "error": {"code": code, "message": "busy"}}
    chunks = assemble(*after, error, frame({"content": "more"}), frame({}, "stop"))
    assert text_of(chunks) == ("par" if after else "")
    assert "finish" not in [chunk.type for chunk in chunks]
    raised = chunks[-1].payload.error
    assert isinstance(raised, APIError)
    assert (raised.message, raised.code) == ("busy", str(code))
    assert (raised.status_code, raised.is_retryable) == (status, retryable)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"error": "quota used up"}, "quota used up"),
        ({"error": {"weird": 1}}, 'the provider sent an error: {"weird": 1}'),
        (frame({}, "error"), "ended its answer with an error"),
        ({"choices": [{"error": {"message": "upstream"}, "delta": {}}]}, "upstream"),
        ([], "where an object belongs"),
        ("text", "where an object belongs"),
    ],
)
def test_other_shapes_of_errors(bad: Any, message: str) -> None:
    chunks = assemble(frame({"content": "par"}), bad)
    assert chunks[-1].type == "error"
    assert message in chunks[-1].payload.error.message


def test_a_tool_call_ends_the_text_and_sets_the_reason() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "look", "arguments": '{"q":1}'}}
    chunks = assemble(frame({"content": "a"}), frame({"tool_calls": [call]}), frame({}, "stop"))
    assert [chunk.type for chunk in chunks] == [
        "text-start",
        "text-delta",
        "text-end",
        "tool-call-input-streaming-start",
        "tool-call-delta",
        "tool-call-input-streaming-end",
        "tool-call",
        "finish",
    ]
    assert chunks[-2].payload == ToolCall(tool_call_id="c", tool_name="look", args={"q": 1})
    assert chunks[-1].payload.reason == "tool-calls"


def test_the_old_function_call() -> None:
    chunks = assemble(
        frame({"function_call": {"name": "look", "arguments": ""}}),
        frame({"function_call": {"arguments": '{"q":1}'}}),
        frame({}, "function_call"),
    )
    (call,) = [chunk.payload for chunk in chunks if chunk.type == "tool-call"]
    assert (call.tool_name, call.args) == ("look", {"q": 1})
    assert chunks[-1].payload.reason == "tool-calls"
