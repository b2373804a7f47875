"""Puts what is delivered of a model's answer into the message list, and keeps count of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tripscope.chunks import Chunk, ToolCall, ToolResult
from tripscope.messages import (
    DataPart,
    ReasoningPart,
    TextPart,
    ToolInvocation,
    ToolInvocationPart,
)
from tripscope.patterns.units import join_surrogates
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList

_TEXT: Final = "text"
_REASONING: Final = "reasoning"


class Block:
    """A text or reasoning block that is still open."""

    __slots__ = ("kind", "metadata", "pieces", "place")

    def __init__(self, kind: str, place: int) -> None:
        self.kind = kind
        self.place = place
        self.pieces: list[str] = []
        self.metadata: JSON = None


class Answer:
    """What one attempt delivered.

    A text or reasoning part enters the message when its block ends or is cut, before what began
    after it; a tool call and a ``data-*`` part at once.
    """

    def __init__(self, messages: MessageList) -> None:
        self._response = messages.response
        self._open: dict[tuple[str, str], Block] = {}
        self._pieces: list[str] = []
        self.tool_calls: list[ToolCall] = []
        self.tool_results: list[ToolResult] = []
        self.kept_data = False

    @property
    def text(self) -> str:
        """The text delivered so far."""
        return join_surrogates("".join(self._pieces))

    def take(self, chunk: Chunk) -> None:
        """Note a chunk that the client gets."""
        kind = chunk.type
        if kind == "text-delta":
            self._pieces.append(chunk.payload.text)
            self._block(_TEXT, chunk.payload.id).pieces.append(chunk.payload.text)
        elif handler := _HANDLERS.get(kind):
            handler(self, chunk)
        elif chunk.is_data and not chunk.transient:
            self.kept_data = True
            self._response.append(DataPart(type=kind, data=chunk.data))

    def close(self) -> None:
        """Cut the blocks that are still open: their text enters the message."""
        for key in list(self._open):
            self._end(key)

    def _block(self, kind: str, id: str) -> Block:
        block = self._open.get((kind, id))
        if block is None:
            block = self._open[kind, id] = Block(kind, self._response.take_place())
        return block

    def _end(self, key: tuple[str, str]) -> None:
        block = self._open.pop(key, None)
        text = join_surrogates("".join(block.pieces)) if block else ""
        if block is None or not text:
            return
        if block.kind == _TEXT:
            part: TextPart | ReasoningPart = TextPart(text=text, provider_metadata=block.metadata)
        else:
            details = [{"type": "text", "text": text}]
            part = ReasoningPart(reasoning=text, details=details, provider_metadata=block.metadata)
        self._response.append(part, place=block.place)

    def _reasoning_delta(self, chunk: Chunk) -> None:
        self._block(_REASONING, chunk.payload.id).pieces.append(chunk.payload.text)

    def _text_start(self, chunk: Chunk) -> None:
        self._block(_TEXT, chunk.payload.id)
        self._edge(_TEXT, chunk)

    def _reasoning_start(self, chunk: Chunk) -> None:
        self._block(_REASONING, chunk.payload.id)
        self._edge(_REASONING, chunk)

    def _text_end(self, chunk: Chunk) -> None:
        self._edge(_TEXT, chunk)
        self._end((_TEXT, chunk.payload.id))

    def _reasoning_end(self, chunk: Chunk) -> None:
        self._edge(_REASONING, chunk)
        self._end((_REASONING, chunk.payload.id))

    def _edge(self, kind: str, chunk: Chunk) -> None:
        if chunk.payload.provider_metadata is not None:
            self._block(kind, chunk.payload.id).metadata = chunk.payload.provider_metadata

    def _tool_call(self, chunk: Chunk) -> None:
        call: ToolCall = chunk.payload
        self.tool_calls.append(call)
        invocation = ToolInvocation(
            state="call",
            tool_call_id=call.tool_call_id,
            tool_name=call.tool_name,
            args=call.args,
        )
        self._response.append(ToolInvocationPart(tool_invocation=invocation))

    def _tool_result(self, chunk: Chunk) -> None:
        self.tool_results.append(chunk.payload)


_HANDLERS: Final = {
    "reasoning-delta": Answer._reasoning_delta,
    "text-start": Answer._text_start,
    "text-end": Answer._text_end,
    "reasoning-start": Answer._reasoning_start,
    "reasoning-end": Answer._reasoning_end,
    "tool-call": Answer._tool_call,
    "tool-result": Answer._tool_result,
}
