"""What a trace holds of the model's side of its run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct, field

from tripscope.chunks import Chunk, ErrorPayload
from tripscope.errors import APIError, NeedsLive
from tripscope.models.base import WARNS, RawFrame
from tripscope.trace.events import (
    AnyEvent,
    AttemptEnded,
    Delivered,
    HookCalled,
    ModelChunk,
    ModelRequested,
    RawFrameReceived,
    RunStarted,
    StateChanged,
    Warned,
)
from tripscope.wire import JSON

_UNNAMED: Final = "recorded/recorded"
_MOST: Final = frozenset({HookCalled, Delivered, StateChanged})
"""What most of a trace is, and none of the model's side."""


class Answer(Struct):
    """The answer to one provider call.

    ``parts``: (recorded time in ns, part). ``refusal``: time and description of the error with
    which the provider refused the call. ``complete``: the run read it to its end.
    """

    number: int
    prompt: tuple[JSON, ...]
    parts: list[tuple[int, Chunk | RawFrame]] = field(default_factory=list)
    refusal: tuple[int, JSON] | None = None
    complete: bool = False
    warnings: list[JSON] = field(default_factory=list)


class Recording:
    """The answers of one run, handed out in their order."""

    def __init__(self, model: str, answers: Sequence[Answer]) -> None:
        self.model = model
        self._answers = list(answers)
        self._served = 0

    @classmethod
    def from_events(cls, events: Sequence[AnyEvent]) -> Recording:
        """Collect the provider calls; replayed responses of a cache are none."""
        model = _UNNAMED
        answers: dict[int, Answer] = {}
        open_answer: Answer | None = None
        for event in events:
            if type(event) in _MOST:
                continue
            match event:
                case RunStarted():
                    model = event.model
                case ModelRequested() if not event.from_cache:
                    open_answer = answers[event.call] = Answer(len(answers), event.prompt)
                case RawFrameReceived() | ModelChunk() if event.call in answers:
                    _take(answers[event.call], event)
                case Warned() if open_answer is not None and event.message.startswith(WARNS):
                    open_answer.warnings.append(event.detail)
                case AttemptEnded() if open_answer is not None:
                    open_answer.complete |= _read_to_its_end(event)
                    open_answer = None
        return cls(model, list(answers.values()))

    @property
    def next_answer(self) -> Answer | None:
        """What the next call gets."""
        return self._answers[self._served] if self._served < len(self._answers) else None

    def take_answer(self) -> Answer:
        """The answer for this call.

        Raises:
            NeedsLive: the recording has no more.
        """
        answer = self.next_answer
        if answer is None:
            held = len(self._answers)
            raise NeedsLive(
                f"model call {held + 1} goes beyond the recording, which has {held}; "
                "the run can go on live"
            )
        self._served += 1
        return answer


def _take(answer: Answer, event: RawFrameReceived | ModelChunk) -> None:
    if isinstance(event, RawFrameReceived):
        answer.parts.append((event.time, RawFrame(event.data)))
        return
    chunk = event.chunk
    if chunk.type == "error" and isinstance(chunk.payload, ErrorPayload):
        answer.complete = True
        if chunk.payload.extra.get("refused") is True:
            answer.refusal = (event.time, chunk.payload.error)
            return
    elif chunk.type == "finish":
        answer.complete = True
    answer.parts.append((event.time, chunk))


def _read_to_its_end(ended: AttemptEnded) -> bool:
    """Whether the attempt got past its model's answer; one without a ``finish`` ends silently."""
    if ended.outcome == "pass":
        return True
    return ended.outcome == "blocked" and ended.hook not in (None, "processOutputStream")


def recorded_error(description: JSON) -> Exception:
    """An error that is described as the recorded one was: `tripscope.errors.describe_error`."""
    if isinstance(description, Exception):
        return description
    said: dict[str, Any] = description if isinstance(description, dict) else {}
    error: Exception = named(APIError, said.get("name"))(
        str(said.get("message", description)),
        status_code=said.get("statusCode"),
        is_retryable=said.get("isRetryable") is True,
        code=said.get("code"),
    )
    return error


def named(base: type[Any], name: JSON) -> type[Any]:
    """``base``, or a subclass of it that has the recorded class's name."""
    if not isinstance(name, str) or not name.isidentifier() or name == base.__name__:
        return base
    return type(name, (base,), {})
