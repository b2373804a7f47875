"""The state of one run, shared by the pieces of the loop."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import Struct

from tripscope.chunks import Chunk, Usage
from tripscope.data_writer import DataWriter
from tripscope.errors import HookError, TripWire
from tripscope.output_chain import OutputChain
from tripscope.parts import Part
from tripscope.processor import HookArgs, StepResult
from tripscope.response import Answer
from tripscope.results import RunResult, StepRecord, add_usage
from tripscope.runner import Apply, Bound, HookRunner
from tripscope.trace.events import Method
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.attempt import Attempt
    from tripscope.clock import Clock
    from tripscope.context import AbortSignal, Pace, RequestContext
    from tripscope.memory import ThreadMemory
    from tripscope.message_list import MessageList
    from tripscope.models.base import Model
    from tripscope.tools import Tool
    from tripscope.trace.recorder import Recorder


class StepSettings(Struct):
    """What processInputStep and prepareStep may override for one step."""

    model: Model
    tools: dict[str, Tool]
    tool_choice: JSON = "auto"
    active_tools: list[str] | None = None
    provider_options: dict[str, JSON] | None = None
    model_settings: dict[str, JSON] | None = None
    structured_output: JSON = None


class Limits(Struct):
    """``retries``: attempts beyond the first that hooks may ask for in one step.

    ``retries_by_default``: neither the call nor the agent sets them.
    """

    max_steps: int
    retries: int
    retries_by_default: bool
    model_retries: int


class Chains(Struct):
    """The processors in force, by array."""

    input: list[Bound]
    output: list[Bound]
    error: list[Bound]
    prepare_step: Bound | None = None


@dataclass
class Run:
    """See the module.

    ``attempt`` is the latest one. ``answer`` collects what the attempt at hand delivers; None
    between attempts. ``source`` gives what the client gets of the model's answer at hand; it may be
    read past all the generators that wait for it, and raises nothing but a cancel. ``error``: what
    a model call failed with that nobody repaired.
    """

    id: str
    method: Method
    settings: StepSettings
    limits: Limits
    chains: Chains
    hooks: HookRunner
    output: OutputChain
    messages: MessageList
    recorder: Recorder
    clock: Clock
    request_context: RequestContext
    resolve_model: Callable[[str], Model]
    abort_signal: AbortSignal | None = None
    pace: Pace | None = None
    memory: ThreadMemory | None = None
    steps: list[StepRecord] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    model_calls: int = 0
    tool_calls: dict[str, int] = field(default_factory=dict)
    feedback_given: set[str] = field(default_factory=set)
    input_feedback: list[str] = field(default_factory=list)
    attempt: Attempt | None = None
    answer: Answer | None = None
    source: AsyncGenerator[Chunk, None] | None = None
    error: Exception | None = None
    rejected_text: bool = False
    accepted_text: list[str] = field(default_factory=list)
    input_done: bool = False
    input_tripwire: TripWire | None = None
    stored: bool = False
    result: RunResult | None = None
    object: JSON = None

    def __post_init__(self) -> None:
        self._offered: deque[Chunk] = deque()
        self._outside = Answer(self.messages)
        self.writer = DataWriter(self.offer)

    # -- towards the client ----------------------------------------------------------------------

    def deliver(self, part: Part) -> Chunk:
        """Account for a chunk that the client gets now."""
        chunk = part.chunk
        (self.answer or self._outside).take(chunk)
        self.recorder.delivered(part.kept[0], part.number)
        return chunk

    def offer(self, chunk: Chunk) -> None:
        """Take a chunk that a hook or a tool wrote; `settle` sends it on."""
        self._offered.append(chunk)

    async def call(
        self,
        bound: Bound,
        hook: str,
        args: HookArgs,
        apply: Apply,
        *,
        differs: Sequence[str] = (),
    ) -> None:
        """Call a step-level hook (see `HookRunner.call`), then send on what it wrote.

        That holds for a hook that aborts as well: what it wrote, it wrote before.
        """
        try:
            await self.hooks.call(bound, hook, args, apply, differs=differs)
        except (TripWire, HookError):
            await self.settle()
            raise
        await self.settle()

    def drop_offered(self) -> None:
        """Forget what was written and has not been sent through the chain: the attempt is over."""
        self._offered.clear()

    async def settle(self) -> None:
        """Send what hooks and tools wrote through the chain; what comes out is ready."""
        while self._offered:
            await self.output.push(self._offered.popleft())

    def leaving(self) -> Iterator[Chunk]:
        """Deliver, one by one, what is ready."""
        ready = self.output.ready
        while ready:
            yield self.deliver(ready.popleft())

    # -- what hooks and results are told ---------------------------------------------------------

    def steps_as_left(self) -> list[StepResult]:
        """The completed steps as the ``steps`` argument of hooks shows them."""
        return [step.as_left(self.messages) for step in self.steps]

    def steps_as_streamed(self) -> list[StepResult]:
        """The completed steps as they were sent."""
        return [step.as_streamed() for step in self.steps]

    def count_usage(self, usage: Usage) -> None:
        """Add the usage of one model call."""
        self.usage = add_usage(self.usage, usage)

    @property
    def delivered_text(self) -> str:
        """The text delivered in this run, rejected attempts left out."""
        return "".join(self.accepted_text) + (self.answer.text if self.answer else "")

    def having(self, bounds: Sequence[Bound], hook: str) -> list[Bound]:
        """The processors of an array that have this hook."""
        return [bound for bound in bounds if hook in bound.hooks]
