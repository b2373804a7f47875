"""The arguments of the hooks: `HookArgs`, which all share, and a class for each hook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from msgspec import Struct, field

from tripscope.chunks import Chunk, ToolCall, Usage
from tripscope.context import AbortSignal, RequestContext, TracingContext, Writer
from tripscope.messages import Message, SystemMessage
from tripscope.probe import Probe
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList
    from tripscope.models.base import Model, Prompt
    from tripscope.tools import Tool


class Abort(Protocol):
    """Ends the step or asks for another attempt; never returns."""

    def __call__(
        self, reason: str | None = None, *, retry: bool | None = None, metadata: Any = None
    ) -> NoReturn:
        """Raise the `TripWire` of this processor."""
        ...


class StepResult(Struct):
    """A step of the run as hooks and results show it."""

    text: str = ""
    tool_calls: list[ToolCall] = field(default_factory=list)
    tool_results: list[Any] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    finish_reason: str | None = None


class HookArgs(Struct, kw_only=True):
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


class ProcessInputArgs(HookArgs, kw_only=True):
    """Once, before the loop. ``messages`` are the input messages without system messages."""

    messages: list[Message]
    system_messages: list[SystemMessage]


class ProcessInputStepArgs(HookArgs, kw_only=True):
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


class ProcessLLMRequestArgs(HookArgs, kw_only=True):
    """After the prompt is made, before the provider is called."""

    prompt: Prompt
    model: Model
    step_number: int
    steps: list[StepResult]


class ProcessLLMResponseArgs(HookArgs, kw_only=True):
    """After the stream of a step is complete; ``chunks`` as they left the output chain."""

    chunks: list[Chunk]
    model: Model
    step_number: int
    steps: list[StepResult]
    from_cache: bool
    warnings: list[JSON]
    request: JSON = None
    raw_response: JSON = None


class ProcessAPIErrorArgs(HookArgs, kw_only=True):
    """After a model call failed and its own retries are used up."""

    error: Exception
    messages: list[Message]
    step_number: int
    steps: list[StepResult]


class ProcessOutputStreamArgs(HookArgs, kw_only=True):
    """For each stream part. ``stream_parts`` ends with ``part`` and is shared: do not edit it."""

    part: Chunk
    stream_parts: Sequence[Chunk]


class ProcessOutputStepArgs(HookArgs, kw_only=True):
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


class ProcessToolResultArgs(HookArgs, kw_only=True):
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


class OutputResult(Struct):
    """The generation as ``processOutputResult`` sees it; texts are as streamed."""

    text: str
    usage: Usage
    finish_reason: str | None
    steps: list[StepResult]


class ProcessOutputResultArgs(HookArgs, kw_only=True):
    """Once, when the generation is complete. ``messages`` are the response messages."""

    messages: list[Message]
    result: OutputResult
