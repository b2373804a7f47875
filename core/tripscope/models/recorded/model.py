"""The recorded model."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Self

from tripscope.chunks import Chunk, ErrorPayload
from tripscope.clock import Clock, VirtualClock
from tripscope.errors import NeedsLive
from tripscope.models.base import Model, ModelRequest, ModelResponse, RawFrame
from tripscope.models.recorded.recording import Answer, Recording, recorded_error
from tripscope.models.whole import join_deltas
from tripscope.trace.events import AnyEvent
from tripscope.trace.plain import describe
from tripscope.wire import JSON


class RecordedModel(Model):
    """Named as the recorded model, so that a replay's trace is like the recorded one.

    With a `VirtualClock` each part moves it on to the part's recorded time; with another clock
    parts come as fast as they are read.
    """

    def __init__(self, recording: Recording, id: str, clock: Clock | None = None) -> None:
        self.provider, _, self.model_id = id.partition("/")
        self._recording = recording
        self._clock = clock

    @classmethod
    def from_events(cls, events: Sequence[AnyEvent], *, clock: Clock | None = None) -> Self:
        """The model of the run that ``events`` is the trace of, or the beginning of one."""
        recording = Recording.from_events(events)
        return cls(recording, recording.model, clock)

    def resolve(self, id: str) -> Model:
        """The same recording under another name, for a hook that switches models by name."""
        return RecordedModel(self._recording, id, self._clock)

    def differs(self, request: ModelRequest) -> bool:
        """See `Model.differs`."""
        answer = self._recording.next_answer
        return answer is not None and _text(answer.prompt) != _text(request.prompt)

    async def call(self, request: ModelRequest) -> ModelResponse:
        """Serve the next recorded answer.

        Raises:
            APIError: the recorded call was refused.
            NeedsLive: there were fewer calls.
        """
        answer = self._recording.take_answer()
        if answer.refusal is not None:
            self._advance(answer.refusal[0])
            raise recorded_error(answer.refusal[1])
        parts = self._parts(answer, request.streaming)
        return ModelResponse(parts=parts, warnings=list(answer.warnings))

    async def _parts(
        self, answer: Answer, streaming: bool
    ) -> AsyncGenerator[Chunk | RawFrame, None]:
        if streaming:
            for time, part in answer.parts:
                self._advance(time)
                yield _served(part)
        else:
            self._advance(answer.parts[-1][0] if answer.parts else 0)
            for part in join_deltas([part for _, part in answer.parts]):
                yield _served(part)
        if not answer.complete:
            raise NeedsLive(
                f"the recorded answer to model call {answer.number + 1} was cut off after "
                f"{len(answer.parts)} parts, and this run reads on; it can go on live"
            )

    def _advance(self, time: int) -> None:
        if isinstance(self._clock, VirtualClock):
            self._clock.advance_to(time)


def _served(part: Chunk | RawFrame) -> Chunk | RawFrame:
    if isinstance(part, RawFrame):
        return part
    chunk = part.copy()
    payload = chunk.payload
    if isinstance(payload, ErrorPayload) and _was_exception(payload.error):
        payload.error = recorded_error(payload.error)
    return chunk


def _was_exception(error: JSON) -> bool:
    """Descriptions of exceptions have their class's name; a script may hold a plain object."""
    return isinstance(error, dict) and "name" in error


def _text(prompt: JSON) -> str:
    return json.dumps(prompt, sort_keys=True, default=describe)
