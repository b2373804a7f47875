"""What a run gives back: its steps as hooks and callers see them, and `RunResult`."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from tripscope.chunks import ToolCall, ToolResult, Tripwire, Usage
from tripscope.messages import Message
from tripscope.processor import StepResult
from tripscope.trace.events import Status
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList

ZERO_USAGE = Usage(input_tokens=0, output_tokens=0, total_tokens=0)
"""How processOutputResult and the ``finish`` chunk spell a usage that nobody told."""


def is_known(usage: Usage) -> bool:
    """Whether the provider told any count."""
    return usage != Usage()


def add_usage(total: Usage, more: Usage) -> Usage:
    """The sum, count by count; a count that neither has stays unknown."""

    def plus(one: Any, other: Any) -> Any:
        return other if one is None else one if other is None else one + other

    extra = dict(total.extra)
    for key, value in more.extra.items():
        if isinstance(value, (int, float)) and isinstance(extra.get(key, 0), (int, float)):
            extra[key] = extra.get(key, 0) + value
    return Usage(
        input_tokens=plus(total.input_tokens, more.input_tokens),
        output_tokens=plus(total.output_tokens, more.output_tokens),
        total_tokens=plus(total.total_tokens, more.total_tokens),
        extra=extra,
    )


class StepRecord(Struct):
    """A step as its accepted attempt left it; ``text`` is what was streamed."""

    number: int
    attempt: int
    text: str
    tool_calls: list[ToolCall]
    tool_results: list[ToolResult]
    usage: Usage
    finish_reason: str | None

    def as_streamed(self) -> StepResult:
        """The step with the text that the client was sent."""
        return StepResult(
            self.text,
            list(self.tool_calls),
            list(self.tool_results),
            copy(self.usage),
            self.finish_reason,
        )

    def as_left(self, messages: MessageList) -> StepResult:
        """The step with the text as the processors left it in the response messages."""
        return replace(self.as_streamed(), text=messages.response.text(self.number))


class Answered(Struct):
    """Everything that the accessors of `RunResult` give."""

    text: str = ""
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    steps: list[StepResult] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    tripwire: Tripwire | None = None
    object: JSON = None


class RunResult:
    """The result of a run that is over.

    After a hook raised (docs/rules.md D18) every accessor but ``error`` and ``status`` raises that
    exception; the messages as they stood are in ``messages_as_they_stood``.
    """

    def __init__(
        self,
        answered: Answered,
        status: Status,
        *,
        error: BaseException | None = None,
        broken: bool = False,
    ) -> None:
        self._answered = answered
        self._broken = broken
        self.status = status
        self.error = error

    @property
    def _told(self) -> Answered:
        if self._broken and self.error is not None:
            raise self.error
        return self._answered

    @property
    def messages_as_they_stood(self) -> list[Message]:
        """The final message list without system messages, however the run ended."""
        return self._answered.messages

    @property
    def text(self) -> str:
        """The text of the last accepted step; after a tripwire, what had been delivered."""
        return self._told.text

    @property
    def finish_reason(self) -> str | None:
        """The model's reason; ``other`` after a tripwire, ``error`` after a failed call."""
        return self._told.finish_reason

    @property
    def usage(self) -> Usage:
        """The sum over all model calls, those of rejected attempts too."""
        return self._told.usage

    @property
    def steps(self) -> list[StepResult]:
        """The accepted steps."""
        return self._told.steps

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The tool calls of all steps."""
        return flatten(step.tool_calls for step in self._told.steps)

    @property
    def tool_results(self) -> list[Any]:
        """The tool results of all steps."""
        return flatten(step.tool_results for step in self._told.steps)

    @property
    def messages(self) -> list[Message]:
        """The final message list without system messages."""
        return self._told.messages

    @property
    def tripwire(self) -> Tripwire | None:
        """What ended the run, if a processor did."""
        return self._told.tripwire

    @property
    def object(self) -> JSON:
        """The structured output, None without one."""
        return self._told.object


def flatten(lists: Iterable[list[Any]]) -> list[Any]:
    """All items of several lists."""
    return [item for items in lists for item in items]
