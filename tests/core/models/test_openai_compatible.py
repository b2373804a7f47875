import asyncio
import gzip
import json
import re
import sys
import zlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from tests.support.llm_server import ByteServer, byte_server, free_port, http
from tests.support.patience import PATIENCE
from tripscope.chunks import Chunk, delta_text
from tripscope.errors import APIError
from tripscope.models.base import Model, ModelRequest, ModelResponse, RawFrame
from tripscope.models.openai_compatible import DEFAULT_BASE_URL, OpenAICompatible

KEY = "sk-test-0123456789"


def frame(content: str | None = None, finish: str | None = None) -> bytes:
    delta = {} if content is None else {"content": content}
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]}, ensure_ascii=False)}\n\n".encode()


STREAM = frame("héllo 🦀 ") + frame("world") + frame(None, "stop") + b"data: [DONE]\n\n"


def ask(text: str = "hi", **more: Any) -> ModelRequest:
    user = {"role": "user", "content": [{"type": "text", "text": text}]}
    return ModelRequest(prompt=[user], **more)


def model_at(server: ByteServer, **more: Any) -> OpenAICompatible:
    return OpenAICompatible("m", base_url=server.base_url, api_key=KEY, **more)


async def read(response: ModelResponse) -> list[Chunk | RawFrame]:
    return [part async for part in response.parts]


def chunks(parts: list[Chunk | RawFrame]) -> list[Chunk]:
    return [part for part in parts if isinstance(part, Chunk)]


def text(parts: list[Chunk | RawFrame]) -> str:
    return "".join(delta_text(chunk) or "" for chunk in chunks(parts))


async def failure(model: Model, request: ModelRequest | None = None) -> APIError:
    """The error, which reaches the caller at once or as the last chunk."""
    try:
        parts = await read(await model.call(request or ask()))
    except APIError as error:
        return error
    last = chunks(parts)[-1]
    assert last.type == "error"
    assert "finish" not in [chunk.type for chunk in chunks(parts)]
    error = last.payload.error
    assert isinstance(error, APIError)
    return error


@pytest.mark.parametrize("one_by_one", [False, True])
async def test_a_streamed_answer(one_by_one: bool) -> None:
    async with byte_server(http(STREAM), one_by_one=one_by_one) as server:
        response = await model_at(server).call(ask())
        parts = await read(response)
    assert text(parts) == "héllo 🦀 world"
    assert [p.data for p in parts if isinstance(p, RawFrame)][-1] == "[DONE]"
    assert chunks(parts)[-1].payload.reason == "stop"
    body = server.body()
    assert body["messages"] == [{"role": "user", "content": "hi"}]
    assert body["stream_options"] == {"include_usage": True}
    assert response.request == {"body": body}
    head = server.requests[0].partition(b"\r\n\r\n")[0].lower()
    assert head.startswith(b"post /v1/chat/completions ")
    assert f"authorization: bearer {KEY}".encode() in head


async def test_separators_that_httpx_would_split_at() -> None:
    """P1, through the whole way."""
    content = "a\u2028b\u2029c\u0085d"
    stream = (
        frame(content, "stop") + b'data: {"choices":[{"delta":{"content":"\x0b\x0c\x1e"}}]}\n\n'
    )
    for one_by_one in (False, True):
        async with byte_server(http(stream), one_by_one=one_by_one) as server:
            parts = await read(await model_at(server).call(ask()))
        deltas = [delta_text(c) for c in chunks(parts) if c.type == "text-delta"]
        assert deltas == [content, "\x0b\x0c\x1e"]


async def test_lone_surrogates_go_out_and_come_in() -> None:
    stream = b'data: {"choices":[{"delta":{"content":"\\ud83e"}}]}\n\n'
    stream += b'data: {"choices":[{"delta":{"content":"\\udd80"},"finish_reason":"stop"}]}\n\n'
    async with byte_server(http(stream)) as server:
        parts = await read(await model_at(server).call(ask("half \ud83e")))
    assert [delta_text(c) for c in chunks(parts) if c.type == "text-delta"] == ["\ud83e", "\udd80"]
    assert server.body()["messages"][0]["content"] == "half \ud83e"


async def test_a_request_that_does_not_stream() -> None:
    completion = {
        "choices": [
            {
                "message": {
                    "content": "hi",
                    "tool_calls": [
                        {
                            "id": "c",
                            "type": "function",
                            "function": {"name": "t", "arguments": "{}"},
                        }
                    ],
                },
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
    }
    answer = http(json.dumps(completion).encode(), kind="application/json; charset=utf-8")
    async with byte_server(answer) as server:
        parts = await read(await model_at(server).call(ask(streaming=False)))
    assert "stream" not in server.body()
    assert [chunk.type for chunk in chunks(parts)] == [
        "text-start",
        "text-delta",
        "text-end",
        "tool-call",
        "finish",
    ]
    assert isinstance(parts[0], RawFrame)


@pytest.mark.parametrize("kind", ["text/event-stream; charset=utf-8", "Text/Event-Stream"])
async def test_a_content_type_with_charset(kind: str) -> None:
    """P10."""
    async with byte_server(http(STREAM, kind=kind)) as server:
        assert text(await read(await model_at(server).call(ask()))) == "héllo 🦀 world"


JSON_ERROR = b'{"error": {"message": "quota used up", "code": "insufficient_quota"}}'


@pytest.mark.parametrize(
    ("answer", "message", "status", "retryable"),
    [
        (http(JSON_ERROR, status="401 No", kind="application/json"), "401: quota used", 401, False),
        (http(JSON_ERROR, status="429 No", kind="application/json"), "429: quota used", 429, True),
        (http(JSON_ERROR, kind="application/json"), "200 with an error: quota", 200, False),
        (http(JSON_ERROR), "200 with an error: quota used up", 200, False),
        (http(b"<html>proxy</html>"), "no event stream (text/event-stream): <html>", 200, False),
        (http(b"<html>proxy</html>", kind="text/html"), "(text/html): <html>proxy", 200, False),
        (http(b"oops", status="500 No", kind="text/plain"), "500: oops", 500, True),
        (http(b"", status="503 No"), "503: no text", 503, True),
        (http(b""), "an empty answer", None, True),
        (http(b"", kind="application/json"), "no event stream (application/json)", 200, False),
        (http(b"", status="307 Go", extra="location: /x\r\n"), "a redirect", 307, False),
    ],
)
async def test_an_answer_that_is_no_event_stream(
    answer: bytes, message: str, status: int | None, retryable: bool
) -> None:
    """P10."""
    async with byte_server(answer) as server:
        error = await failure(model_at(server))
    assert message in error.message
    assert (error.status_code, error.is_retryable) == (status, retryable)


async def test_retry_after_is_kept() -> None:
    answer = http(JSON_ERROR, status="429 No", kind="application/json", extra="retry-after: 7\r\n")
    async with byte_server(answer) as server:
        assert (await failure(model_at(server))).retry_after == 7


async def test_nobody_listens() -> None:
    port = free_port()
    model = OpenAICompatible("m", base_url=f"http://user:secret@127.0.0.1:{port}/v1?key=secret")
    error = await failure(model)
    assert f"cannot ask http://127.0.0.1:{port}/v1" in error.message
    assert "secret" not in error.message
    assert error.is_retryable


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1/v1",
        "ftp://127.0.0.1/v1",
        "http://[::1/v1",
        "http://",
        "http://127.0.0.1:99999/v1",
        "http://user:sekret@127.0.0.1:port/v1",
    ],
)
async def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(APIError, match="is no address of a server; it has the form http://HOST"):
        OpenAICompatible("m", base_url=url).check()
    error = await failure(OpenAICompatible("m", base_url=url))
    assert "cannot ask" in error.message
    assert "TaskGroup" not in error.message
    assert "sekret" not in error.message
    assert not error.is_retryable


async def test_a_connection_that_breaks_in_mid_answer() -> None:
    async with byte_server(http(frame("par"), length=10_000)) as server:
        response = await model_at(server).call(ask())
        parts = await read(response)
    assert text(parts) == "par"
    error = chunks(parts)[-1].payload.error
    assert "the connection broke in mid-answer" in error.message
    assert error.is_retryable


async def test_a_stream_without_an_end() -> None:
    async with byte_server(http(frame("par"))) as server:
        error = await failure(model_at(server))
    assert "cut off" in error.message


async def test_a_server_that_says_nothing() -> None:
    async with byte_server(b"", hold=True) as server:
        error = await failure(model_at(server, timeout=0.05))
    # on a busy machine not even the connection may be there by then
    assert re.search(r"in time \(0\.05 s without a byte\)|within 0\.05 s", error.message)
    assert error.is_retryable


@pytest.mark.parametrize("read_first", [0, 1, 3])
async def test_closing_hangs_up(read_first: int) -> None:
    async with byte_server(http(frame("par")), hold=True) as server:
        response = await model_at(server).call(ask())
        for _ in range(read_first):
            await anext(response.parts)
        await response.parts.aclose()
        await asyncio.wait_for(server.closed.wait(), PATIENCE)
        await response.parts.aclose()
        with pytest.raises(StopAsyncIteration):
            await anext(response.parts)


@pytest.mark.parametrize("pieces", [(b"",), (http(frame("par")),)], ids=["waiting", "reading"])
async def test_cancelling_hangs_up(pieces: tuple[bytes, ...]) -> None:
    async with byte_server(*pieces, hold=True) as server:
        got: asyncio.Queue[object] = asyncio.Queue()

        async def run() -> None:
            async for part in (await model_at(server).call(ask())).parts:
                got.put_nowait(part)

        async with asyncio.TaskGroup() as group:
            running = group.create_task(run())
            await (got.get() if pieces[0] else server.asked.wait())
            running.cancel()
        await asyncio.wait_for(server.closed.wait(), PATIENCE)


async def test_the_key_is_in_no_error_frame_chunk_or_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    said = f'{{"error": {{"message": "bad key {KEY}", "code": "{KEY}"}}}}'.encode()
    answers = [
        http(said, status="401 No", kind="application/json"),
        http(b"data: " + said + b"\n\n"),
        http(said),
        http(frame(f"you sent {KEY}", "stop")),
    ]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for answer in answers:
        async with byte_server(answer) as server:
            model = OpenAICompatible("m", base_url=server.base_url)
            errors: list[APIError] = []
            read_parts: list[Chunk | RawFrame] = []
            try:
                read_parts = await read(await model.call(ask()))
            except APIError as error:
                errors = [error]
            else:
                errors = [c.payload.error for c in chunks(read_parts) if c.type == "error"]
            shown = f"{read_parts}{errors}{[(error.body, error.code) for error in errors]}"
            assert KEY.encode() in server.requests[0]
        assert "***" in shown
        assert KEY not in shown
        assert KEY not in repr(model) + repr(vars(type(model)))


async def test_without_a_key_none_is_sent() -> None:
    async with byte_server(http(STREAM)) as server:
        await read(await OpenAICompatible("m", base_url=server.base_url).call(ask()))
    assert b"authorization" not in server.requests[0].lower()


async def test_openai_itself_wants_a_key() -> None:
    with pytest.raises(APIError, match="set OPENAI_API_KEY"):
        OpenAICompatible("m").check()
    error = await failure(OpenAICompatible("m"))
    assert "set OPENAI_API_KEY" in error.message


@pytest.mark.parametrize("key", ["sk-\nx", "sk-é", "sk \x00"])
async def test_a_key_that_no_header_can_hold(key: str) -> None:
    error = await failure(OpenAICompatible("m", api_key=key))
    assert "the API key holds characters" in error.message
    assert key not in str(error)


def test_where_calls_go(monkeypatch: pytest.MonkeyPatch) -> None:
    assert OpenAICompatible("m").base_url == DEFAULT_BASE_URL
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost:2/v1")
    with pytest.raises(APIError, match="localhost:2/v1 of OPENAI_BASE_URL is no address"):
        OpenAICompatible("m").check()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:2/v1/")
    OpenAICompatible("m").check()
    assert OpenAICompatible("m").base_url == "http://127.0.0.1:2/v1"
    assert OpenAICompatible("m", base_url="http://127.0.0.1:3/v1").base_url.endswith(":3/v1")


async def test_headers_of_the_settings_are_sent() -> None:
    async with byte_server(http(STREAM)) as server:
        settings = {"headers": {"X-Scenario": "rate"}, "maxOutputTokens": 5}
        await read(await model_at(server).call(ask(model_settings=settings)))
    assert b"x-scenario: rate" in server.requests[0].lower()
    assert server.body()["max_tokens"] == 5


async def test_a_header_that_cannot_be_sent() -> None:
    async with byte_server(http(STREAM)) as server:
        error = await failure(
            model_at(server), ask(model_settings={"headers": {"x": "bad\r\nvalue"}})
        )
    assert "cannot ask" in error.message
    assert not error.is_retryable


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
async def test_a_body_that_is_not_packed_as_it_says_leaves_nothing_open(
    kind: str, encoding: str
) -> None:
    hooks, opened = sys.get_asyncgen_hooks(), []

    def first(generator: AsyncGenerator[Any, Any]) -> None:
        opened.append(generator)
        if hooks.firstiter is not None:
            hooks.firstiter(generator)

    extra = f"content-encoding: {encoding}\r\n"
    async with byte_server(http(b"not packed at all", kind=kind, extra=extra)) as server:
        sys.set_asyncgen_hooks(firstiter=first)
        try:
            try:
                parts = await read(await model_at(server).call(ask()))
            except APIError as error:
                told: Any = error
            else:
                told = parts[-1].payload.error
        finally:
            sys.set_asyncgen_hooks(*hooks)
    why = "which was not asked for: gzip, deflate was" if encoding == "br" else "and it is not: "
    assert f"says that its answer is {encoding}, {why}" in told.message
    assert [generator for generator in opened if generator.ag_frame is not None] == []


def bare(data: bytes) -> bytes:
    """What some servers call deflate: without the head that it should have."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, bare])
async def test_a_packed_body_is_unpacked(pack: Callable[[bytes], bytes]) -> None:
    extra = f"content-encoding: {'gzip' if pack is gzip.compress else 'deflate'}\r\n"
    async with byte_server(http(pack(STREAM), extra=extra), one_by_one=True) as server:
        parts = await read(await model_at(server).call(ask()))
    assert b"accept-encoding: gzip, deflate\r\n" in server.requests[0].lower()
    async with byte_server(http(STREAM)) as server:
        assert parts == await read(await model_at(server).call(ask()))
