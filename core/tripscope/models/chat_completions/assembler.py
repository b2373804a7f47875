"""Chat Completions deltas to chunks.

Made for the servers that exist, not only for the documented format: ``choices`` may be missing
or empty, ``delta`` null, usage may come after the finish reason or not at all, and an error may
come as a frame of a stream that began well.
"""

from __future__ import annotations

from typing import Any, Final

from tripscope.chunks import BlockEdge, Chunk, Delta, ErrorPayload, Finish, Usage
from tripscope.errors import APIError
from tripscope.models.chat_completions.errors import error_from_object
from tripscope.models.chat_completions.tool_calls import ToolCalls
from tripscope.wire import JSON

_REASONS: Final = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "content-filter",
}


class Assembler:
    """Feed it each frame's JSON; `finish` once no more come. After an error it gives nothing more.

    ``streaming`` false leaves out the chunks that show tool arguments while they grow.
    """

    def __init__(self, *, streaming: bool = True) -> None:
        self.failed = False
        self._calls = ToolCalls(streaming=streaming)
        self._open: tuple[str, str] | None = None
        self._blocks = {"text": 0, "reasoning": 0}
        self._reason: str | None = None
        self._usage = Usage()

    @property
    def complete(self) -> bool:
        """Whether the provider has said why it stopped."""
        return self._reason is not None

    def feed(self, frame: JSON) -> list[Chunk]:
        """The chunks that a frame adds."""
        if self.failed:
            return []
        if not isinstance(frame, dict):
            return [self.fail(APIError(f"the provider sent {frame!r:.80} where an object belongs"))]
        chunks: list[Chunk] = []
        if isinstance(frame.get("usage"), dict):
            self._usage = _usage(frame["usage"])
        choice = _first_choice(frame.get("choices"))
        if choice is not None:
            delta = choice.get("delta") or choice.get("message")
            if isinstance(delta, dict):
                chunks += self._delta(delta)
            if isinstance(choice.get("finish_reason"), str):
                self._reason = choice["finish_reason"]
        error = frame.get("error") or (choice or {}).get("error")
        if error:
            chunks.append(self.fail(error_from_object(error)))
        elif self._reason == "error":
            chunks.append(self.fail(APIError("the provider ended its answer with an error")))
        return chunks

    def finish(self) -> list[Chunk]:
        """Closes what is open, then the tool calls and the ``finish``."""
        if self.failed:
            return []
        chunks = [*self._close(), *self._calls.finish()]
        reason = _REASONS.get(self._reason, "other") if self._reason else "unknown"
        if reason == "stop" and self._calls.any:
            reason = "tool-calls"  # some servers say "stop" after tool calls too
        return [*chunks, Chunk("finish", Finish(reason=reason, usage=self._usage))]

    def fail(self, error: APIError) -> Chunk:
        """The ``error`` chunk that ends the answer."""
        self.failed = True
        return Chunk("error", ErrorPayload(error=error))

    def _delta(self, delta: dict[str, JSON]) -> list[Chunk]:
        chunks: list[Chunk] = []
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            chunks += self._text("reasoning", reasoning)
        for text in _texts(delta.get("content")):
            chunks += self._text("text", text)
        if isinstance(delta.get("refusal"), str) and delta["refusal"]:
            chunks += self._text("text", delta["refusal"], {"openai": {"refusal": True}})
        calls = delta.get("tool_calls")
        if isinstance(delta.get("function_call"), dict):
            calls = [{"function": delta["function_call"], "index": 0}]
        if isinstance(calls, list) and calls:
            chunks += self._close()
            for call in calls:
                if isinstance(call, dict):
                    chunks += self._calls.feed(call)
        return chunks

    def _text(self, kind: str, text: str, metadata: JSON = None) -> list[Chunk]:
        chunks: list[Chunk] = []
        if self._open is None or self._open[0] != kind:
            chunks += self._close()
            self._open = (kind, f"{kind}-{self._blocks[kind]}")
            self._blocks[kind] += 1
            chunks.append(Chunk(f"{kind}-start", BlockEdge(id=self._open[1])))
        delta = Delta(id=self._open[1], text=text, provider_metadata=metadata)
        return [*chunks, Chunk(f"{kind}-delta", delta)]

    def _close(self) -> list[Chunk]:
        if self._open is None:
            return []
        kind, block = self._open
        self._open = None
        return [Chunk(f"{kind}-end", BlockEdge(id=block))]


def _first_choice(choices: JSON) -> dict[str, Any] | None:
    if not isinstance(choices, list):
        return None
    for choice in choices:
        if isinstance(choice, dict) and choice.get("index") in (None, 0):
            return choice
    return None


def _texts(content: JSON) -> list[str]:
    """The texts of a content: a string, or a list of parts (some servers send these)."""
    if isinstance(content, str):
        return [content] if content else []
    if not isinstance(content, list):
        return []
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return [text for text in texts if isinstance(text, str) and text]


def _usage(usage: dict[str, JSON]) -> Usage:
    given, answered = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    total = _count(usage, "total_tokens")
    if total is None and given is not None and answered is not None:
        total = given + answered
    extra = {
        "reasoningTokens": _count(usage.get("completion_tokens_details"), "reasoning_tokens"),
        "cachedInputTokens": _count(usage.get("prompt_tokens_details"), "cached_tokens"),
    }
    return Usage(
        input_tokens=given,
        output_tokens=answered,
        total_tokens=total,
        extra={key: value for key, value in extra.items() if value is not None},
    )


def _count(usage: JSON, key: str) -> int | None:
    value = usage.get(key) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
