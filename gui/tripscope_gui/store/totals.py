"""The counters of the run bar."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tripscope.chunks import Finish, Usage
from tripscope.trace.events import ModelChunk, RunEnded, Status
from tripscope.wire import JSON


class Totals(Struct):
    """Counts so far; tokens are None until the provider named some. ``time`` is in ns."""

    status: Status = "running"
    tokens_in: int | None = None
    tokens_out: int | None = None
    model_calls: int = 0
    model_chunks: int = 0
    delivered: int = 0
    time: int = 0
    max_steps: int | None = None
    max_retries: int | None = None

    def settings(self, settings: JSON) -> None:
        """Limits of the run, where its settings name them."""
        if isinstance(settings, dict):
            self.max_steps = _count(settings.get("maxSteps"))
            self.max_retries = _count(settings.get("maxProcessorRetries"))

    def chunks(self, events: Sequence[ModelChunk]) -> None:
        """Count parts and the tokens that they report."""
        self.model_chunks += len(events)
        for event in events:
            if type(event.chunk.payload) is Finish:
                self._add(event.chunk.payload.usage)

    def ended(self, event: RunEnded) -> None:
        """Take the status, and the usage of the whole run where it is told."""
        self.status = event.status
        if isinstance(event.usage, dict):
            tokens_in = _count(event.usage.get("inputTokens"))
            tokens_out = _count(event.usage.get("outputTokens"))
            self.tokens_in = self.tokens_in if tokens_in is None else tokens_in
            self.tokens_out = self.tokens_out if tokens_out is None else tokens_out

    def _add(self, usage: Usage) -> None:
        if isinstance(usage.input_tokens, int):
            self.tokens_in = (self.tokens_in or 0) + usage.input_tokens
        if isinstance(usage.output_tokens, int):
            self.tokens_out = (self.tokens_out or 0) + usage.output_tokens


def _count(value: JSON) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
