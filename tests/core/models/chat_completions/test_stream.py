import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tripscope.chunks import Chunk, delta_text
from tripscope.models.base import RawFrame
from tripscope.models.chat_completions import stream as stream_module
from tripscope.models.chat_completions.stream import read_stream


def frame(content: str | None = None, finish: str | None = None) -> dict[str, Any]:
    delta = {} if content is None else {"content": content}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def sse(*frames: Any, end: str = "\n") -> bytes:
    texts = [f if isinstance(f, str) else json.dumps(f, ensure_ascii=False) for f in frames]
    return "".join(f"data: {text}{end}{end}" for text in texts).encode()


async def read(*pieces: bytes) -> list[Chunk | RawFrame]:
    async def body() -> AsyncGenerator[bytes, None]:
        for piece in pieces:
            yield piece

    warnings: list[Any] = []
    headers = {"content-type": "text/event-stream"}
    parts = [part async for part in read_stream(body(), headers, warnings)]
    assert warnings == []
    return parts


async def at_every_cut(stream: bytes) -> list[Chunk | RawFrame]:
    whole = await read(stream)
    assert await read(*(bytes([byte]) for byte in stream)) == whole
    for cut in range(len(stream) + 1):
        assert await read(stream[:cut], stream[cut:]) == whole, cut
    return whole


def chunks(parts: list[Chunk | RawFrame]) -> list[Chunk]:
    return [part for part in parts if isinstance(part, Chunk)]


def text(parts: list[Chunk | RawFrame]) -> str:
    return "".join(delta_text(chunk) or "" for chunk in chunks(parts))


async def test_raw_frames_precede_the_chunks_made_from_them() -> None:
    parts = await read(sse(frame("a"), frame("b", "stop"), "[DONE]"))
    assert [p.data[:4] if isinstance(p, RawFrame) else p.type for p in parts] == [
        '{"ch',
        "text-start",
        "text-delta",
        '{"ch',
        "text-delta",
        "[DON",
        "text-end",
        "finish",
    ]


async def test_separators_that_sse_does_not_know() -> None:
    """P1, with the raw characters in the JSON; JSON itself wants the control ones escaped."""
    content = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1eg"
    parts = await at_every_cut(sse(frame(content, "stop"), "[DONE]"))
    assert [delta_text(c) for c in chunks(parts) if c.type == "text-delta"] == [content]


async def test_raw_control_characters_inside_strings() -> None:
    """P1: not JSON by the letter, but unmistakable; servers in C forget to escape them."""
    content = "a\x0bb\x0cc\x1ed"
    parts = await at_every_cut(
        b'data: {"choices":[{"delta":{"content":"%s"},' % content.encode()
        + (b'"finish_reason":"stop"}]}\n\n')
    )
    assert [delta_text(c) for c in chunks(parts) if c.type == "text-delta"] == [content]


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    "end",
    [b"data:[DONE]\n\n", b"data: [DONE] \n\n", b"data: [DONE]\r\n\r\n", b"data: [DONE]", b""],
    ids=["no space", "trailing space", "CR LF", "no empty line", "no end marker"],
)
async def test_end_markers(bom: bytes, end: bytes) -> None:
    """P2."""
    body = sse(frame(" hi"), frame(None, "stop")).replace(b"data: ", b"data:")
    parts = await at_every_cut(bom + body + end)
    assert text(parts) == " hi"
    assert chunks(parts)[-1].payload.reason == "stop"
    assert [chunk.type for chunk in chunks(parts)].count("finish") == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_bytes_cut_anywhere(end: str) -> None:
    """P8."""
    parts = await at_every_cut(sse(frame("héllo 世界 🦀", "stop"), "[DONE]", end=end))
    assert text(parts) == "héllo 世界 🦀"


async def test_bad_bytes_are_told_and_the_rest_is_read() -> None:
    """P8."""
    stream = sse(frame("aXb"), frame("c", "stop")).replace(b"X", b"\xff")

    async def body() -> AsyncGenerator[bytes, None]:
        yield stream

    warnings: list[Any] = []
    parts = [part async for part in read_stream(body(), {}, warnings)]
    assert text(parts) == "a\ufffdbc"
    assert "not UTF-8" in warnings[0]["message"]
    assert chunks(parts)[-1].payload.reason == "stop"


@pytest.mark.parametrize("cut", ["🦀", "x"])
async def test_an_end_in_the_middle_is_an_error_and_keeps_the_text(cut: str) -> None:
    """P8: in the middle of a character, too."""
    stream = sse(frame("par"), frame(cut, "stop"))
    stream = stream[: stream.rindex(cut.encode()) + len(cut.encode()) - 1]

    async def body() -> AsyncGenerator[bytes, None]:
        yield stream

    parts = [part async for part in read_stream(body(), {}, [])]
    assert text(parts) == "par"
    assert chunks(parts)[-1].type == "error"
    assert "cut off" in chunks(parts)[-1].payload.error.message


async def test_an_error_frame_ends_the_answer() -> None:
    """P4."""
    error = {"choices": [], "error": {"code": 502, "message": "busy"}}
    for before in ([frame("par")], []):
        parts = await at_every_cut_types(sse(*before, error, "[DONE]"))
        assert parts == (["text-start", "text-delta", "error"] if before else ["error"])


async def at_every_cut_types(stream: bytes) -> list[str]:
    """As `at_every_cut` for streams with errors, which are never equal to each other."""
    whole = [chunk.type for chunk in chunks(await read(stream))]
    for cut in range(len(stream) + 1):
        assert [c.type for c in chunks(await read(stream[:cut], stream[cut:]))] == whole
    return whole


async def test_an_event_named_error_is_one() -> None:
    parts = await read(
        b'event: error\ndata: {"message": "overloaded", "type": "overloaded_error"}\n\n'
    )
    error = chunks(parts)[-1].payload.error
    assert (error.message, error.code, error.is_retryable) == (
        "overloaded",
        "overloaded_error",
        True,
    )


async def test_a_frame_that_is_no_json_is_an_error() -> None:
    parts = await read(sse(frame("par"), "{oops", frame("more", "stop")))
    assert text(parts) == "par"
    assert RawFrame("{oops") in parts
    assert "not JSON" in chunks(parts)[-1].payload.error.message


async def test_nothing_is_read_after_the_end_marker() -> None:
    parts = await read(sse(frame("a", "stop"), "[DONE]", frame("b")), sse(frame("c")))
    assert text(parts) == "a"


async def test_an_end_marker_without_finish_reason_is_an_end() -> None:
    parts = await read(sse(frame("a"), "[DONE]"))
    assert chunks(parts)[-1].payload.reason == "unknown"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "an empty answer"),
        (b" \n\n", "an empty answer"),
        (b": only a comment\n\n", "no event stream (text/event-stream): : only a comment"),
        (b"<html><body>Bad\n\ngateway</body></html>", "<html><body>Bad gateway</body></html>"),
        (b'{"error":\n {"message": "quota", "code": "insufficient_quota"}}', "an error: quota"),
    ],
)
async def test_a_body_that_is_no_event_stream(body: bytes, message: str) -> None:
    """P10."""
    (error,) = chunks(await read(body))
    assert error.type == "error"
    assert message in error.payload.error.message


async def test_a_whole_completion_under_the_header_of_a_stream() -> None:
    """P10."""
    completion = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
    parts = await read(json.dumps(completion, indent=1).encode())
    assert text(parts) == "hi"
    assert chunks(parts)[-1].payload.reason == "stop"


@pytest.mark.parametrize("start", [b"", b'data: {"choices": []}\n\n'])
async def test_a_frame_without_end_is_given_up(
    monkeypatch: pytest.MonkeyPatch, start: bytes
) -> None:
    monkeypatch.setattr(stream_module, "LONGEST", 2**20)
    read = 0

    async def body() -> AsyncGenerator[bytes, None]:
        nonlocal read
        yield start + b"data: "
        while True:
            read += 1
            yield b"x" * 2**16

    parts = [part async for part in read_stream(body(), {}, [])]
    assert isinstance(last := parts[-1], Chunk)
    assert "a frame of over" in last.payload.error.message
    assert read == 17 - (not start)
