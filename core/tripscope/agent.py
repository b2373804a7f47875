"""The agent: a model with instructions, tools, memory and the processors around them."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from typing import Any, TypeAlias, TypedDict, Unpack

from tripscope.clock import Clock, SystemClock
from tripscope.context import AbortSignal, Pace, RequestContext
from tripscope.memory import Memory, ThreadMemory
from tripscope.message_input import Messages
from tripscope.message_list import MessageList
from tripscope.messages import SystemMessage
from tripscope.models.base import Model
from tripscope.output_chain import OutputChain
from tripscope.processor import InputStepResult, ProcessInputStepArgs
from tripscope.results import RunResult
from tripscope.run import Chains, Limits, Run, StepSettings
from tripscope.run_description import describe_run
from tripscope.runner import HookRunner
from tripscope.stream import AgentStream
from tripscope.tools import Tool
from tripscope.trace.events import Method
from tripscope.trace.recorder import Recorder, RunInfo, Sink
from tripscope.wire import JSON

Chain: TypeAlias = (
    Sequence[Any] | Callable[[RequestContext], Sequence[Any] | Awaitable[Sequence[Any]]]
)
"""Processors, or a function of the request context that makes them."""

PrepareStep: TypeAlias = Callable[
    [ProcessInputStepArgs], InputStepResult | Awaitable[InputStepResult | None] | None
]
Trace: TypeAlias = "Sink | str | os.PathLike[str]"

DEFAULT_MAX_STEPS = 5
RETRIES_WITH_ERROR_PROCESSORS = 10
PREPARE_STEP = "prepare-step"


class CallOptions(TypedDict, total=False):
    """The options of one call; an option that is absent or None leaves the agent's own in force.

    A processor array given here replaces the agent's. ``trace``: a sink for the events, or the path
    of a file that they are written to. ``pace`` is awaited after each provider chunk.
    """

    max_steps: int
    max_processor_retries: int | None
    max_retries: int | None
    input_processors: Chain | None
    output_processors: Chain | None
    error_processors: Chain | None
    request_context: RequestContext | None
    tool_choice: JSON
    active_tools: Sequence[str] | None
    provider_options: dict[str, JSON] | None
    model_settings: dict[str, JSON] | None
    structured_output: Any
    prepare_step: PrepareStep | None
    thread: str | None
    resource: str | None
    abort_signal: AbortSignal | None
    trace: Trace | None
    run: RunInfo | None
    clock: Clock | None
    pace: Pace | None


class Agent:
    """Runs requests; holds no state of them, so many may run at once.

    ``max_processor_retries`` None: 10 for a call that has error processors, else 0.
    ``max_retries``: how often a model call that failed with a retryable error is made again, with
    growing pauses. ``resolve_model`` turns ``provider/model`` into a model; by default
    `tripscope.models.resolve`.
    """

    def __init__(
        self,
        *,
        id: str,
        model: Model | str,
        name: str | None = None,
        instructions: str | Sequence[str | SystemMessage] = (),
        tools: Sequence[Tool] = (),
        input_processors: Chain = (),
        output_processors: Chain = (),
        error_processors: Chain = (),
        max_processor_retries: int | None = None,
        max_retries: int = 0,
        memory: Memory | None = None,
        resolve_model: Callable[[str], Model] | None = None,
    ) -> None:
        self.id = id
        self.name = name or id
        self.model = model
        self.instructions = [instructions] if isinstance(instructions, str) else list(instructions)
        self.tools = {tool.name: tool for tool in tools}
        self.input_processors = input_processors
        self.output_processors = output_processors
        self.error_processors = error_processors
        self.max_processor_retries = max_processor_retries
        self.max_retries = max_retries
        self.memory = memory
        self._resolve_model = resolve_model or _resolve

    async def stream(self, messages: Messages, **options: Unpack[CallOptions]) -> AgentStream:
        """Run processInput and open the stream; reading it drives the run.

        Raises:
            HookError: processInput of a processor raised.
            TypeError, ValueError: the messages, a processor or an option is not what it has to be.
        """
        return await self._start("stream", messages, options)

    async def generate(self, messages: Messages, **options: Unpack[CallOptions]) -> RunResult:
        """Run to the end, asking the model for whole answers.

        Raises:
            HookError: a hook raised.
            APIError: a model call failed and no processor repaired it; processOutputResult has run.
            NeedsLive: a replay went beyond its recording.
            CancelledError: the call's ``abort_signal`` was aborted.
        """
        async with await self._start("generate", messages, options) as stream:
            result = await stream.result()
        if result.error is not None:
            raise result.error
        if result.status == "cancelled":
            signal = options.get("abort_signal")
            raise asyncio.CancelledError(signal.reason if signal is not None else None)
        return result

    async def _start(self, method: Method, messages: Messages, options: CallOptions) -> AgentStream:
        sink, release = _open_trace(options.get("trace"))
        try:
            run = await self._make_run(method, messages, options, sink)
            stream = AgentStream(run, release)
        except BaseException:
            release()
            raise
        await stream.prepare()
        return stream

    async def _make_run(
        self,
        method: Method,
        messages: Messages,
        options: CallOptions,
        sink: Sink | None,
    ) -> Run:
        info = options.get("run") or RunInfo()
        run_id = info.run_id or uuid.uuid4().hex[:12]
        clock = options.get("clock") or SystemClock()
        context = options.get("request_context")
        context = context if context is not None else RequestContext()
        signal = options.get("abort_signal")
        thread, resource = options.get("thread"), options.get("resource")
        conversation = MessageList(thread_id=thread, resource_id=resource)
        recorder = Recorder(sink, clock)
        hooks = HookRunner(
            recorder=recorder,
            request_context=context,
            abort_signal=signal,
            message_list=conversation,
        )
        chains = await self._chains(hooks, options, context)
        memory = None
        if self.memory is not None and thread is not None:
            memory = ThreadMemory(self.memory, thread, resource or "", run_id)
        run = Run(
            id=run_id,
            method=method,
            settings=self._settings(options),
            limits=self._limits(options, chains),
            chains=chains,
            hooks=hooks,
            output=OutputChain(hooks, chains.output),
            messages=conversation,
            recorder=recorder,
            clock=clock,
            request_context=context,
            resolve_model=self._resolve_model,
            abort_signal=signal,
            pace=options.get("pace"),
            memory=memory,
        )
        conversation.add_system([_system(given) for given in self.instructions])
        if memory is not None:
            conversation.add(await memory.recall(), "memory")
        conversation.add(messages, "input")
        describe_run(run, self.name, self.instructions, info)
        for id in shared_ids(chains):
            hooks.advisories.tell("shared-state", processor=id)
        return run

    async def _chains(
        self, hooks: HookRunner, options: CallOptions, context: RequestContext
    ) -> Chains:
        given = {
            "input": (options.get("input_processors"), self.input_processors),
            "output": (options.get("output_processors"), self.output_processors),
            "error": (options.get("error_processors"), self.error_processors),
        }
        resolved = {}
        for name, (of_call, of_agent) in given.items():
            chain = of_agent if of_call is None else of_call
            resolved[name] = hooks.bind(await _resolve_chain(chain, context))
        prepare = options.get("prepare_step")
        bound = hooks.bind_callback(PREPARE_STEP, "prepareStep", prepare) if prepare else None
        return Chains(**resolved, prepare_step=bound)

    def _settings(self, options: CallOptions) -> StepSettings:
        active = options.get("active_tools")
        choice = options.get("tool_choice")
        return StepSettings(
            model=self._resolve_model(self.model) if isinstance(self.model, str) else self.model,
            tools=dict(self.tools),
            tool_choice="auto" if choice is None else choice,
            active_tools=None if active is None else list(active),
            provider_options=options.get("provider_options"),
            model_settings=dict(options.get("model_settings") or {}),
            structured_output=options.get("structured_output"),
        )

    def _limits(self, options: CallOptions, chains: Chains) -> Limits:
        retries = _first_given(
            options.get("max_processor_retries"),
            self.max_processor_retries,
            RETRIES_WITH_ERROR_PROCESSORS if chains.error else 0,
        )
        by_default = options.get("max_processor_retries") is None
        return Limits(
            retries_by_default=by_default and self.max_processor_retries is None,
            max_steps=_first_given(options.get("max_steps"), DEFAULT_MAX_STEPS),
            retries=retries,
            model_retries=_first_given(options.get("max_retries"), self.max_retries),
        )


def shared_ids(chains: Chains) -> list[str]:
    """The ids that two different processors have."""
    owners: dict[str, set[int]] = {}
    for bound in (*chains.input, *chains.output, *chains.error):
        owners.setdefault(bound.id, set()).add(id(bound.processor))
    return [name for name, processors in owners.items() if len(processors) > 1]


def _first_given(*values: int | None) -> int:
    given = next(value for value in values if value is not None)
    if given < 0:
        raise ValueError(f"a number of steps or retries is 0 or more, not {given}")
    return given


def _system(given: str | SystemMessage) -> SystemMessage:
    return given if isinstance(given, SystemMessage) else SystemMessage(given)


def _resolve(id: str) -> Model:
    from tripscope.models import resolve  # loads every provider module

    return resolve(id)


async def _resolve_chain(chain: Chain, context: RequestContext) -> Sequence[Any]:
    if not callable(chain):
        return chain
    made = chain(context)
    return await made if isawaitable(made) else made


def _open_trace(trace: Trace | None) -> tuple[Sink | None, Callable[[], None]]:
    if trace is None or callable(trace):
        return trace, lambda: None
    from tripscope.trace.file import TraceWriter

    writer = TraceWriter(trace)
    return writer, writer.close
