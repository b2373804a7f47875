"""Runs one hook of one processor: arguments, outcome, tripwires, errors, state; all traced."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from inspect import isawaitable
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tripscope.advisories import Advisories
from tripscope.errors import HookError, HookTimeout, TripWire, message_of
from tripscope.processor import HOOKS, Abort, Outcome, Violation, hook_of, tell
from tripscope.return_shapes import EMPTY_CHANGES_NOTHING
from tripscope.trace.events import HookCalled, SpanEnded, StateChanged, ViolationReported
from tripscope.trace.plain import plain
from tripscope.trace.probe import HookProbe
from tripscope.trace.recorder import Recorder, Source
from tripscope.trace.spans import HookTracing, Spans
from tripscope.trace.states import WatchedState
from tripscope.trace.versions import MessageVersions
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.context import AbortSignal, RequestContext, Writer
    from tripscope.message_list import MessageList

_VIOLATIONS_TOLD_BY_RUNTIME: Final = frozenset(
    {"processLLMRequest", "processLLMResponse", "processAPIError"}
)

Apply = Callable[[Any], bool | None]
"""Takes over what a hook returned, in the hook's name; returns whether that changed anything."""


class Bound:
    """A processor at its place in one array of a run, with what its hooks are given every time."""

    def __init__(
        self,
        processor: object,
        id: str,
        *,
        hooks: dict[str, Callable[[Any], Any]],
        state: WatchedState,
        recorder: Recorder,
        spans: Spans,
    ) -> None:
        self.processor = processor
        self.id = id
        self.hooks = hooks
        self.state = state
        self.probe = HookProbe(recorder, id)
        self.tracing = HookTracing(spans, id)
        self.abort = abort_of(id)
        self.takes_data = bool(getattr(processor, "process_data_parts", False))


def abort_of(processor_id: str) -> Abort:
    """The ``abort`` that is handed to the hooks of this processor."""

    def abort(
        reason: str | None = None, *, retry: bool | None = None, metadata: Any = None
    ) -> NoReturn:
        text = str(reason) if reason else f"Tripwire triggered by {processor_id}"
        raise TripWire(text, processor_id=processor_id, retry=retry, metadata=metadata)

    return abort


def _abort_in(error: BaseException) -> BaseException:
    """The abort that a task group wrapped, if it holds nothing else; otherwise ``error``."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, BaseExceptionGroup) and error.split(TripWire)[1] is None:
        return _abort_in(error.exceptions[0])
    return error


def _is_own_cancel(error: BaseException) -> bool:
    """Whether something that a hook awaited was cancelled, and not the run."""
    task = asyncio.current_task()
    is_cancel = isinstance(error, asyncio.CancelledError)
    return is_cancel and task is not None and not task.cancelling()


class HookRunner:
    """Calls hooks for one run. ``changed`` and ``flagged`` tell whether any hook did that."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        request_context: RequestContext,
        abort_signal: AbortSignal | None,
        message_list: MessageList,
    ) -> None:
        self.recorder: Final = recorder
        self.versions: Final = MessageVersions(recorder)
        self.advisories: Final = Advisories(recorder)
        self.message_list: Final = message_list
        self.changed = False
        self.flagged = False
        self.request_context = request_context
        self.abort_signal = abort_signal
        self._spans = Spans(recorder)
        self._states: dict[str, WatchedState] = {}

    # -- binding ---------------------------------------------------------------------------------

    def bind(self, processors: Iterable[object]) -> list[Bound]:
        """The processors of one array; sets their ``processor_index``.

        Raises:
            TypeError: one of them has no ``id``.
        """
        bound = []
        for index, processor in enumerate(processors):
            id = getattr(processor, "id", None)
            if not isinstance(id, str) or not id:
                raise TypeError(f"processor {index} has no id: {processor!r:.120}")
            hooks = {name: hook for name in HOOKS if (hook := hook_of(processor, name))}
            # A processor with slots need not have a place for it.
            with contextlib.suppress(AttributeError):
                processor.processor_index = index  # type: ignore[attr-defined]
            bound.append(self._bound(processor, id, hooks))
        return bound

    def bind_callback(self, id: str, hook: str, callback: Callable[[Any], Any]) -> Bound:
        """A plain function that is run like the hook of a processor called ``id``."""
        return self._bound(callback, id, {hook: callback})

    def _bound(self, processor: object, id: str, hooks: dict[str, Callable[[Any], Any]]) -> Bound:
        state = self._states.setdefault(id, WatchedState())
        return Bound(
            processor, id, hooks=hooks, state=state, recorder=self.recorder, spans=self._spans
        )

    # -- calling ---------------------------------------------------------------------------------

    def common(self, bound: Bound, retry_count: int, writer: Writer | None) -> dict[str, Any]:
        """The arguments that every hook gets."""
        return {
            "abort": bound.abort,
            "retry_count": retry_count,
            "state": bound.state.values,
            "request_context": self.request_context,
            "tracing_context": bound.tracing,
            "message_list": self.message_list,
            "probe": bound.probe,
            "writer": writer,
            "abort_signal": self.abort_signal,
        }

    async def call(
        self, bound: Bound, hook: str, args: Any, apply: Apply, *, differs: Sequence[str] = ()
    ) -> None:
        """Call a step-level hook and take over what it returns.

        ``differs``: the advisories that its arguments call for.

        Raises:
            TripWire: it aborted; its violation has been reported.
            HookError: it raised, or what it returned has not the shape that it may have.
        """
        self.versions.sync(self.message_list)
        bound.probe.begin(hook, None, None)
        bound.tracing.hook = hook
        time, begun = self.recorder.moment()
        ended = 0
        try:
            value = bound.hooks[hook](args)
            if isawaitable(value):
                value = await value
            ended = perf_counter_ns()
            changed = bool(apply(value))
        except BaseException as error:
            took = (ended or perf_counter_ns()) - begun
            self.versions.sync(self.message_list, hook=hook, processor=bound.id)
            failure, outcome = self.failure(error, bound.id, hook)
            text = message_of(failure if isinstance(failure, TripWire) else error)
            event = self._record(bound, hook, time, took, outcome, text, differs)
            if isinstance(failure, TripWire):
                await self.report_violation(bound, hook, failure, event)
            raise failure from (None if failure is error else error)
        changed |= self.versions.sync(self.message_list, hook=hook, processor=bound.id)
        outcome = "flagged" if bound.probe.flagged else "changed" if changed else "pass"
        self._record(bound, hook, time, ended - begun, outcome, None, differs)
        if isinstance(value, list) and not value and hook in EMPTY_CHANGES_NOTHING:
            self.advisories.tell("D22", hook, bound.id)

    def failure(
        self, error: BaseException, processor_id: str, hook: str
    ) -> tuple[BaseException, Outcome]:
        """What the run makes of an exception that left a hook, and the outcome of that call."""
        error = _abort_in(error)
        if isinstance(error, TripWire):
            return error, "blocked"
        if isinstance(error, HookError):
            return error, "timed-out" if isinstance(error, HookTimeout) else "errored"
        if not (isinstance(error, Exception) or _is_own_cancel(error)):
            return error, "not-run"
        said = message_of(error)
        message = f"{hook} of processor {processor_id!r} raised {type(error).__name__}: {said}"
        return HookError(message, processor_id=processor_id, hook=hook), "errored"

    async def report_violation(self, bound: Bound, hook: str, wire: TripWire, event: int) -> None:
        """Tell ``on_violation`` of an abort, before it takes effect; its errors are swallowed.

        ``event``: the ``seq`` of the call that aborted.
        """
        wire.hook, wire.event = hook, event
        told_to = Source(hook, bound.id)
        self.recorder.emit_of(told_to, ViolationReported, wire.reason, plain(wire.metadata))
        callback = getattr(bound.processor, "on_violation", None)
        if not callable(callback):
            return
        if hook not in _VIOLATIONS_TOLD_BY_RUNTIME:
            self.advisories.tell("D12", hook, bound.id, wire.event)
        await tell(callback, Violation(bound.id, wire.reason, wire.metadata))

    def _record(
        self,
        bound: Bound,
        hook: str,
        time: int,
        duration: int,
        outcome: Outcome,
        error: str | None,
        differs: Sequence[str],
    ) -> int:
        self.note_call(bound, hook, outcome)
        event = self.recorder.emit_of(
            Source(hook, bound.id, time),
            HookCalled,
            duration,
            outcome,
            intervals=bound.probe.intervals,
            held=bound.probe.said_held,
            error=error,
        )
        for row in differs:
            self.advisories.tell(row, hook, bound.id, event)
        return event

    def note_call(self, bound: Bound, hook: str, outcome: Outcome) -> None:
        """A call is over: close its spans, record its state, count it towards the run's status."""
        if bound.tracing.span is not None:
            bound.tracing.close()
        if self.recorder.sink is not None and (changed := bound.state.news()):
            self.recorder.emit_of(Source(hook, bound.id), StateChanged, changed)
        if outcome == "changed":
            self.changed = True
        elif outcome == "flagged":
            self.flagged = True

    # -- state -----------------------------------------------------------------------------------

    def snapshot_states(self) -> None:
        """Record the exact values of every state that is not empty."""
        if not self.recorder.on:
            return
        for id, state in self._states.items():
            if state.values:
                values = tuple((key, None, plain(value)) for key, value in state.values.items())
                source = Source(processor=id)
                self.recorder.emit_of(source, StateChanged, values, snapshot=True)
            state.news()  # what the snapshot told

    def note_measures(self) -> None:
        """Record what objects in states measured since this was last asked, each as a span.

        Such an object has a method ``measured()`` that gives a name, a duration in ns and
        attributes, or None. It costs a hook call nothing, as it is asked once an attempt.
        """
        if not self.recorder.on:
            return
        for id, state in self._states.items():
            for value in list(state.values.values()):
                if (span := _measured(value)) is not None:
                    name, duration, attributes = span
                    self.recorder.emit_of(
                        Source(processor=id),
                        SpanEnded,
                        span=self._spans.next_id(),
                        name=name,
                        duration=duration,
                        attributes=plain(attributes),
                    )


def _measured(value: Any) -> tuple[str, int, JSON] | None:
    try:
        own = getattr(value, "measured", None)
        told = own() if callable(own) else None
        name, duration, attributes = told if isinstance(told, tuple) else ("", 0, None)
    except Exception:  # a foreign object may do anything
        return None
    return (name, duration, attributes) if type(name) is str and name else None
