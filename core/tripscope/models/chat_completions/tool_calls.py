"""Tool-call deltas of Chat Completions to whole calls.

The documented format opens a call with an id, a name and an ``index``, and goes on with it by
``index``. Servers leave the index out, give every call index 0, repeat the id or leave it out. So:
a new id opens a call; a delta without id goes to the call that was last opened with its index,
and without index to the call that was opened last.
"""

from __future__ import annotations

import json
import uuid

from msgspec import Struct, field

from tripscope.chunks import Chunk, ToolCall
from tripscope.models.v2 import parse_tool_input
from tripscope.wire import JSON


class _Call(Struct):
    index: int | None
    id: str | None
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    shown: int = 0
    """How many pieces of the arguments have been shown; the first needs a name and an id."""
    started: bool = False

    def whole(self) -> bool:
        text = "".join(self.arguments).strip()
        return bool(text) and not parse_tool_input(text)[1]


class ToolCalls:
    """The calls of one answer, in the order in which they were opened."""

    def __init__(self, *, streaming: bool) -> None:
        self._streaming = streaming
        self._calls: list[_Call] = []

    @property
    def any(self) -> bool:
        """Whether there was a call at all."""
        return bool(self._calls)

    def feed(self, delta: dict[str, JSON]) -> list[Chunk]:
        """The chunks that one element of ``tool_calls`` adds."""
        function = delta.get("function")
        function = function if isinstance(function, dict) else {}
        name, id = _text(function.get("name")), _text(delta.get("id"))
        arguments = function.get("arguments")
        if arguments is not None and not isinstance(arguments, str):
            arguments = json.dumps(arguments)  # an object where its text belongs
        index = delta.get("index")
        index = index if isinstance(index, int) and not isinstance(index, bool) else None

        call = self._find(index, id, name)
        if call is None:
            call = _Call(index, id)
            self._calls.append(call)
        call.name = call.name or name
        call.index = index if call.index is None else call.index
        call.id = call.id or id
        if arguments:
            call.arguments.append(arguments)
        return self._show(call) if self._streaming else []

    def _find(self, index: int | None, id: str, name: str) -> _Call | None:
        """The call that a delta goes on with; None: it opens one."""
        same_index = next(
            (call for call in reversed(self._calls) if index is not None and call.index == index),
            None,
        )
        if id:
            known = next((call for call in self._calls if call.id == id), None)
            # Without a name it cannot be a call of its own: a server that makes ids anew each time.
            return known or (same_index if not name else None)
        last = self._calls[-1] if self._calls else None
        call = same_index or (last if not name or last is None or not last.name else None)
        if call is not None and name and call.name and call.whole():
            return None
        return call

    def _show(self, call: _Call) -> list[Chunk]:
        if not call.name:
            return []
        chunks: list[Chunk] = []
        if not call.started:
            call.started = True
            call.id = call.id or _new_id()
            payload = {"toolCallId": call.id, "toolName": call.name}
            chunks.append(Chunk("tool-call-input-streaming-start", payload))
        for piece in call.arguments[call.shown :]:
            delta = {"toolCallId": call.id, "argsTextDelta": piece}
            chunks.append(Chunk("tool-call-delta", delta))
        call.shown = len(call.arguments)
        return chunks

    def finish(self) -> list[Chunk]:
        """Each call as a whole."""
        chunks: list[Chunk] = []
        for call in self._calls:
            call.id = call.id or _new_id()
            if call.started:
                end = {"toolCallId": call.id}
                chunks.append(Chunk("tool-call-input-streaming-end", end))
            args, extra = parse_tool_input("".join(call.arguments))
            payload = ToolCall(tool_call_id=call.id, tool_name=call.name, args=args, extra=extra)
            chunks.append(Chunk("tool-call", payload))
        return chunks


def _text(value: JSON) -> str:
    return value if isinstance(value, str) else ""


def _new_id() -> str:
    return f"call_{uuid.uuid4().hex[:24]}"
