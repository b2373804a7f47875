"""The answer of a Chat Completions call, as it comes: bytes to raw frames and chunks."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from typing import Final

from tripscope.chunks import Chunk
from tripscope.errors import APIError
from tripscope.models.base import RawFrame
from tripscope.models.body import LONGEST, too_long
from tripscope.models.chat_completions.assembler import Assembler
from tripscope.models.chat_completions.errors import error_from_object, error_from_response
from tripscope.models.closing import Parts
from tripscope.models.sse import ServerSentEvent, SSEDecoder
from tripscope.wire import JSON

_DONE: Final = "[DONE]"
_KEPT: Final = 1_000_000
"""Bytes kept of a body that may turn out not to be an event stream."""


async def read_stream(
    body: AsyncGenerator[bytes, None], headers: Mapping[str, str], warnings: list[JSON]
) -> Parts:
    """Each frame, then the chunks made from it. Whatever is wrong ends it with an ``error`` chunk.

    ``warnings`` grows by what was odd and could be read all the same.
    """
    decoder, frames = SSEDecoder(), _Frames()
    seen = bytearray()
    unfinished = 0
    async with aclosing(body):
        async for data in body:
            if not frames.any and len(seen) < _KEPT:
                seen += data
            unfinished += len(data)
            for event in decoder.feed(data):
                unfinished = 0
                for part in frames.take(event):
                    yield part
            if unfinished > LONGEST:
                yield frames.fail(too_long("a frame"))
                return
            if frames.over:
                break
    last = decoder.close()
    if last is not None and _is_whole(last):
        for part in frames.take(last):
            yield part
    warnings += [{"type": "other", "message": problem} for problem in decoder.problems]
    for part in frames.end() if frames.any else _no_stream(bytes(seen), headers):
        yield part


def read_completion(body: str) -> list[Chunk | RawFrame] | None:
    """The parts of an answer that came whole; None if ``body`` is no completion."""
    try:
        completion = _parse(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(completion, dict) or completion.get("error"):
        return None
    if not isinstance(completion.get("choices"), list) or not completion["choices"]:
        return None
    assembler = Assembler(streaming=False)
    return [RawFrame(body), *assembler.feed(completion), *assembler.finish()]


def _no_stream(seen: bytes, headers: Mapping[str, str]) -> list[Chunk | RawFrame]:
    """What a body says in which no event was: a completion after all, an error, or nothing."""
    body = seen.decode(errors="replace")
    if not body.strip():
        return [Assembler().fail(APIError("the provider sent an empty answer", is_retryable=True))]
    if (parts := read_completion(body)) is not None:
        return parts
    return [RawFrame(body), Assembler().fail(error_from_response(200, headers, body))]


def _is_whole(event: ServerSentEvent) -> bool:
    """Whether an event without its closing empty line lacks nothing else."""
    if event.data.strip() == _DONE:
        return True
    try:
        _parse(event.data)
    except (ValueError, RecursionError):
        return False
    return True


def _parse(text: str) -> JSON:
    """JSON; raw control characters in a string pass, as some servers don't escape them."""
    return json.loads(text, strict=False)


class _Frames:
    """Frames in, parts out."""

    def __init__(self) -> None:
        self.any = False
        self.over = False
        self._done = False
        self._assembler = Assembler()

    def take(self, event: ServerSentEvent) -> Iterator[Chunk | RawFrame]:
        if self.over:
            return
        self.any = True
        yield RawFrame(event.data)
        if event.data.strip() == _DONE:
            self._done = self.over = True
            return
        try:
            frame = _parse(event.data)
        except (ValueError, RecursionError) as error:
            yield self.fail(APIError(f"the provider sent a frame that is not JSON: {error}"))
            return
        if event.event == "error":
            said = frame.get("error", frame) if isinstance(frame, dict) else frame
            yield self.fail(error_from_object(said))
            return
        yield from self._assembler.feed(frame)
        self.over = self._assembler.failed

    def end(self) -> list[Chunk]:
        if self._done or self._assembler.complete or self._assembler.failed:
            return self._assembler.finish()
        cut = "the provider's answer was cut off: the stream ended without a finish reason"
        return [self.fail(APIError(cut, is_retryable=True))]

    def fail(self, error: APIError) -> Chunk:
        """The ``error`` chunk that ends the answer."""
        self.over = True
        return self._assembler.fail(error)
