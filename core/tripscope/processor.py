"""The Processor interface: nine optional hooks, their arguments and their results.

Specification: "Processor interface" (Mastra). A hook is ``def`` or ``async def hook(self, args)``.
Any object with an ``id`` and at least one hook is a processor; `Processor` is a convenient base
class whose hooks do nothing and are known by the engine to be absent.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from tripscope.chunks import Chunk
from tripscope.hook_args import (
    Abort,
    HookArgs,
    OutputResult,
    ProcessAPIErrorArgs,
    ProcessInputArgs,
    ProcessInputStepArgs,
    ProcessLLMRequestArgs,
    ProcessLLMResponseArgs,
    ProcessOutputResultArgs,
    ProcessOutputStepArgs,
    ProcessOutputStreamArgs,
    ProcessToolResultArgs,
    StepResult,
)
from tripscope.hook_results import (
    APIErrorResult,
    CachedResponse,
    InputResult,
    InputStepResult,
    LLMRequestResult,
)
from tripscope.messages import Message
from tripscope.probe import RULE_SEARCHES, Interval, Outcome, Probe
from tripscope.rule_based import RuleBased, Whole
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList

__all__ = [
    "HOOKS",
    "RULE_SEARCHES",
    "APIErrorResult",
    "Abort",
    "CachedResponse",
    "HookArgs",
    "InputResult",
    "InputStepResult",
    "Interval",
    "LLMRequestResult",
    "MaybeAwaitable",
    "MessagesResult",
    "OnViolation",
    "Outcome",
    "OutputResult",
    "Probe",
    "ProcessAPIErrorArgs",
    "ProcessInputArgs",
    "ProcessInputStepArgs",
    "ProcessLLMRequestArgs",
    "ProcessLLMResponseArgs",
    "ProcessOutputResultArgs",
    "ProcessOutputStepArgs",
    "ProcessOutputStreamArgs",
    "ProcessToolResultArgs",
    "Processor",
    "RuleBased",
    "StepResult",
    "Violation",
    "Whole",
    "hook_of",
]

_LOG: Final = logging.getLogger(__name__)

HOOKS: Final[dict[str, str]] = {
    "processInput": "process_input",
    "processInputStep": "process_input_step",
    "processLLMRequest": "process_llm_request",
    "processAPIError": "process_api_error",
    "processOutputStream": "process_output_stream",
    "processLLMResponse": "process_llm_response",
    "processOutputStep": "process_output_step",
    "processToolResult": "process_tool_result",
    "processOutputResult": "process_output_result",
}
"""Name in traces, files and UI -> method name; in the order of the lifecycle."""


@dataclass(slots=True)
class Violation:
    """What ``on_violation`` is given."""

    processor_id: str
    message: str
    detail: JSON = None


OnViolation: TypeAlias = Callable[[Violation], Awaitable[None] | None]


async def tell(on_violation: OnViolation | None, violation: Violation) -> None:
    """Hand over a report and wait.

    Specification: an error of onViolation must not disturb the processor's decision. It is logged.
    """
    if on_violation is None:
        return
    try:
        answer = on_violation(violation)
        if isawaitable(answer):
            await answer
    except Exception:
        _LOG.debug("on_violation of processor %r raised", violation.processor_id, exc_info=True)


_T = TypeVar("_T")
MaybeAwaitable: TypeAlias = Awaitable[_T] | _T
MessagesResult: TypeAlias = "InputResult | MessageList | list[Message] | None"


class Processor:
    """Base class. Override the hooks that you need; the others count as absent.

    ``process_output_stream`` returns the part, None (dropped), or a list of chunks that go on down
    the chain in order.
    """

    id: str = ""
    name: str | None = None
    description: str | None = None
    processor_index: int | None = None
    process_data_parts: bool = False
    scans: Sequence[str] | None = None
    """Kinds of text that it looks at (``text-delta``, ``reasoning-delta``, ``tool-call``,
    ``tool-result``, ``data-*``); None: it does not say."""
    on_violation: OnViolation | None = None

    def describe(self) -> dict[str, JSON]:
        """What the trace keeps to show, and where it can to rebuild, this processor."""
        return {"id": self.id, "type": type(self).__name__}

    def process_input(self, args: ProcessInputArgs) -> MaybeAwaitable[MessagesResult]:
        """Once, before the loop; may add, change or remove input messages and system messages."""
        raise NotImplementedError

    def process_input_step(
        self, args: ProcessInputStepArgs
    ) -> MaybeAwaitable[InputStepResult | MessageList | list[Message] | None]:
        """Before each model call, every attempt; overrides hold for this step, messages stay."""
        raise NotImplementedError

    def process_llm_request(
        self, args: ProcessLLMRequestArgs
    ) -> MaybeAwaitable[LLMRequestResult | None]:
        """After the prompt is made; changes reach this provider call only."""
        raise NotImplementedError

    def process_api_error(self, args: ProcessAPIErrorArgs) -> MaybeAwaitable[APIErrorResult | None]:
        """After a model call failed for good; ``retry`` makes another attempt of the step."""
        raise NotImplementedError

    def process_output_stream(
        self, args: ProcessOutputStreamArgs
    ) -> MaybeAwaitable[Chunk | list[Chunk] | None]:
        """For each stream part: return it, another one, several in order, or None to drop it."""
        raise NotImplementedError

    def process_llm_response(self, args: ProcessLLMResponseArgs) -> MaybeAwaitable[None]:
        """After the response is complete, live or from a cache; for side effects."""
        raise NotImplementedError

    def process_output_step(self, args: ProcessOutputStepArgs) -> MaybeAwaitable[MessagesResult]:
        """After each response, before its tools run; the place for a retrying guardrail."""
        raise NotImplementedError

    def process_tool_result(self, args: ProcessToolResultArgs) -> MaybeAwaitable[MessagesResult]:
        """For each tool that returned, before its result is used or sent."""
        raise NotImplementedError

    def process_output_result(
        self, args: ProcessOutputResultArgs
    ) -> MaybeAwaitable[MessagesResult]:
        """Once, when the generation is complete; the last say on the response messages."""
        raise NotImplementedError


def hook_of(processor: object, hook: str) -> Callable[[Any], Any] | None:
    """The method for ``hook`` (wire spelling), or None where the processor has no such hook."""
    name = HOOKS[hook]
    method = getattr(processor, name, None)
    if not callable(method) or getattr(type(processor), name, None) is getattr(Processor, name):
        return None
    return cast("Callable[[Any], Any]", method)
