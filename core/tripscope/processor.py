"""The Processor interface: nine optional hooks, their arguments and their results.

Specification: "Processor interface" (Mastra). A hook is ``def`` or ``async def hook(self, args)``.
Any object with an ``id`` and at least one hook is a processor; `Processor` is a convenient base
class whose hooks do nothing and are known by the engine to be absent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    NoReturn,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    runtime_checkable,
)

from tripscope.chunks import Chunk, ToolCall, Usage
from tripscope.context import AbortSignal, RequestContext, TracingContext, Writer
from tripscope.messages import Message, SystemMessage
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList
    from tripscope.models.base import Model, Prompt
    from tripscope.tools import Tool

Outcome: TypeAlias = Literal[
    "pass", "changed", "flagged", "blocked", "errored", "timed-out", "skipped", "not-run"
]

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


class Abort(Protocol):
    """Ends the step or asks for another attempt; never returns."""

    def __call__(
        self, reason: str | None = None, *, retry: bool | None = None, metadata: Any = None
    ) -> NoReturn:
        """Raise the `TripWire` of this processor."""
        ...


Interval: TypeAlias = tuple[int, int, int, int, str | None]
"""(in_start, in_end, out_start, out_end, rule): text taken in -> text let out, in UTF-16 units
counted over the whole text block of this attempt on either side; rule None: it passed unchanged."""


RULE_SEARCHES: Final = "rule searches"
"""Name of the span that tells what searches of rules took: `tripscope.trace.rule_costs`."""


class Probe(Protocol):
    """What a processor can tell the trace about itself; a no-op when nobody traces."""

    def finding(
        self,
        rule: str,
        start: int,
        end: int,
        outcome: Outcome,
        *,
        reported: tuple[int, int] | None = None,
        replacement: str | None = None,
        value: str | None = None,
        winner: str | None = None,
        message_id: str | None = None,
        part_index: int | None = None,
    ) -> None:
        """One match of one rule.

        ``start``, ``end``: UTF-16 units in all text of this block that the processor was given in
        this attempt (a stream), or in the text part at hand (messages). ``reported``: the span as
        handed to ``onViolation``. ``winner``: the overlapping rule whose replacement was used, if
        another one.
        """
        ...

    def emit(self, intervals: Sequence[Interval]) -> None:
        """What became of the text that this call lets out (or finally drops)."""
        ...

    def held(self, units: int) -> None:
        """How many UTF-16 units are held back after this call."""
        ...

    def warning(self, message: str, detail: JSON = None) -> None:
        """Something that the user should know, such as a check that could not be made."""
        ...


@dataclass(slots=True)
class Violation:
    """What ``on_violation`` is given."""

    processor_id: str
    message: str
    detail: JSON = None


OnViolation: TypeAlias = Callable[[Violation], Awaitable[None] | None]


@dataclass(slots=True)
class StepResult:
    """A step of the run as hooks and results show it."""

    text: str = ""
    tool_calls: list[ToolCall] = field(default_factory=list)
    tool_results: list[Any] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    finish_reason: str | None = None


@dataclass(slots=True, kw_only=True)
class HookArgs:
    """Common to all hooks. ``state`` belongs to the processor's id and lives for the request."""

    abort: Abort
    retry_count: int
    state: dict[str, Any]
    request_context: RequestContext
    tracing_context: TracingContext
    message_list: MessageList
    probe: Probe
    writer: Writer | None = None
    abort_signal: AbortSignal | None = None


@dataclass(slots=True, kw_only=True)
class ProcessInputArgs(HookArgs):
    """Once, before the loop. ``messages`` are the input messages without system messages."""

    messages: list[Message]
    system_messages: list[SystemMessage]


@dataclass(slots=True, kw_only=True)
class ProcessInputStepArgs(HookArgs):
    """Before each model call, on every attempt."""

    messages: list[Message]
    system_messages: list[SystemMessage]
    step_number: int
    steps: list[StepResult]
    model: Model
    tools: dict[str, Tool]
    tool_choice: JSON = None
    active_tools: list[str] | None = None
    provider_options: dict[str, JSON] | None = None
    model_settings: dict[str, JSON] | None = None
    structured_output: JSON = None


@dataclass(slots=True, kw_only=True)
class ProcessLLMRequestArgs(HookArgs):
    """After the prompt is made, before the provider is called."""

    prompt: Prompt
    model: Model
    step_number: int
    steps: list[StepResult]


@dataclass(slots=True, kw_only=True)
class ProcessLLMResponseArgs(HookArgs):
    """After the stream of a step is complete; ``chunks`` as they left the output chain."""

    chunks: list[Chunk]
    model: Model
    step_number: int
    steps: list[StepResult]
    from_cache: bool
    warnings: list[JSON]
    request: JSON = None
    raw_response: JSON = None


@dataclass(slots=True, kw_only=True)
class ProcessAPIErrorArgs(HookArgs):
    """After a model call failed and its own retries are used up."""

    error: Exception
    messages: list[Message]
    step_number: int
    steps: list[StepResult]


@dataclass(slots=True, kw_only=True)
class ProcessOutputStreamArgs(HookArgs):
    """For each stream part. ``stream_parts`` ends with ``part`` and is shared: do not edit it."""

    part: Chunk
    stream_parts: Sequence[Chunk]


@dataclass(slots=True, kw_only=True)
class ProcessOutputStepArgs(HookArgs):
    """After each model response, before its tools run."""

    messages: list[Message]
    system_messages: list[SystemMessage]
    step_number: int
    steps: list[StepResult]
    finish_reason: str | None
    tool_calls: list[ToolCall]
    text: str
    usage: Usage
    provider_metadata: JSON = None


@dataclass(slots=True, kw_only=True)
class ProcessToolResultArgs(HookArgs):
    """For each tool that returned, in call order. Change the result in the message list."""

    messages: list[Message]
    system_messages: list[SystemMessage]
    step_number: int
    steps: list[StepResult]
    tool_name: str
    tool_call_id: str
    args: JSON
    result: JSON
    provider_executed: bool | None = None


@dataclass(slots=True)
class OutputResult:
    """The generation as ``processOutputResult`` sees it; texts are as streamed."""

    text: str
    usage: Usage
    finish_reason: str | None
    steps: list[StepResult]


@dataclass(slots=True, kw_only=True)
class ProcessOutputResultArgs(HookArgs):
    """Once, when the generation is complete. ``messages`` are the response messages."""

    messages: list[Message]
    result: OutputResult


@dataclass(slots=True, kw_only=True)
class InputResult:
    """``{messages, systemMessages}`` of processInput (and the message fields of the step hook)."""

    messages: list[Message] | None = None
    system_messages: list[SystemMessage] | None = None


@dataclass(slots=True, kw_only=True)
class InputStepResult:
    """What processInputStep may override; None leaves a property as it is."""

    model: Model | str | None = None
    tool_choice: JSON = None
    active_tools: list[str] | None = None
    tools: dict[str, Tool] | None = None
    messages: list[Message] | None = None
    message_list: MessageList | None = None
    system_messages: list[SystemMessage] | None = None
    provider_options: dict[str, JSON] | None = None
    model_settings: dict[str, JSON] | None = None
    structured_output: JSON = None


@dataclass(slots=True, kw_only=True)
class LLMRequestResult:
    """``{prompt}`` replaces the prompt of this call; ``{response}`` is replayed instead of it."""

    prompt: Prompt | None = None
    response: CachedResponse | None = None


@dataclass(slots=True, kw_only=True)
class CachedResponse:
    """A whole model response, as processLLMResponse was given it."""

    chunks: list[Chunk]
    warnings: list[JSON] = field(default_factory=list)
    request: JSON = None
    raw_response: JSON = None


@dataclass(slots=True, kw_only=True)
class APIErrorResult:
    """``{retry: true}`` makes another attempt of the step."""

    retry: bool = False


@dataclass(frozen=True, slots=True)
class Whole:
    """Rules applied once to a whole text.

    The text that is let out, and every match of every rule as (rule, start, end) in UTF-16 units
    of the given text.
    """

    text: str
    matches: tuple[tuple[str, int, int], ...]


@runtime_checkable
class RuleBased(Protocol):
    """A processor whose output is what its rules make of the text: stream checks compare."""

    block_kinds: Sequence[str]
    """Which blocks the rules apply to: ``text``, ``reasoning``."""
    passes_matches: bool
    """Whether matched text is let out on purpose (strategy ``warn``, or a phase that is off)."""

    def whole(self, text: str) -> Whole:
        """Apply the rules to ``text`` at once.

        Raises:
            MatchTimeout: a rule's time budget was used up.
        """
        ...


_T = TypeVar("_T")
MaybeAwaitable: TypeAlias = Awaitable[_T] | _T
InputHookResult: TypeAlias = "InputResult | MessageList | list[Message] | None"
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

    def process_input(self, args: ProcessInputArgs) -> MaybeAwaitable[InputHookResult]:
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
