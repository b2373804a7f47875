"""Numbers the events of one run and hands them to its sink, in the one order that there is."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import perf_counter_ns
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeAlias, TypeVar

from msgspec import Struct

from tripscope.chunks import Chunk
from tripscope.clock import Clock, SystemClock
from tripscope.processor import Outcome
from tripscope.trace.events import (
    AnyEvent,
    Delivered,
    HookCalled,
    Mode,
    ModelChunk,
    RunEnded,
    RunStarted,
)

Sink: TypeAlias = Callable[[AnyEvent], None]
"""Takes each event, synchronously, the moment it happens."""

_E = TypeVar("_E")
P = ParamSpec("P")

Kind: TypeAlias = Callable[
    Concatenate[int, int, int | None, int | None, str | None, str | None, P], AnyEvent
]
"""A class of events, by what its own fields take."""

Moment: TypeAlias = tuple[int, int]
"""(time on the run's clock, real time for what a hook costs), in ns."""


class Source(NamedTuple):
    """Whose event it is; ``time`` in ns where it did not begin just now."""

    hook: str | None = None
    processor: str | None = None
    time: int | None = None


NOWHERE: Final = Source()


class RunInfo(Struct, frozen=True):
    """How a run presents itself in its trace; without a ``run_id`` it gets a new one.

    ``recorded``: the first event of the run that this one replays; what a person changed since is
    told then.
    """

    run_id: str | None = None
    mode: Mode | None = None
    parent_run: str | None = None
    recorded: RunStarted | None = None


class EventLog:
    """A sink that keeps the events: the trace in memory.

    Events live as long as their log, and the collector would walk all of them again and again while
    a run adds more. So what is on record is frozen from time to time, and thawed when the run ends;
    where the host has frozen something itself, the log leaves the collector alone.
    """

    FREEZE_EVERY = 1024
    """Events between two freezes."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []
        self._append = self.events.append
        self._freeze = gc.get_freeze_count() == 0
        self._next_freeze = self.FREEZE_EVERY

    def __call__(self, event: AnyEvent) -> None:
        """See `Sink`."""
        self._append(event)
        if type(event) is RunEnded:
            if self._freeze:
                gc.unfreeze()
        elif event.seq >= self._next_freeze:
            self._next_freeze = event.seq + self.FREEZE_EVERY
            if self._freeze:
                gc.freeze()

    def __iter__(self) -> Iterator[AnyEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def of(self, kind: type[_E]) -> list[_E]:
        """The events of one class, in order."""
        return [event for event in self.events if isinstance(event, kind)]


class Recorder:
    """Where the engine says what happens. Without a sink every method returns at once.

    ``step`` and ``attempt`` are where the run is; the loop keeps them up to date. ``seq`` is the
    number of the last event, -1 before the first.
    """

    def __init__(self, sink: Sink | None, clock: Clock) -> None:
        self.sink = sink
        self.clock = clock
        self.now = clock.now
        self._origin = clock.origin if type(clock) is SystemClock else None
        self.seq = -1
        self.step: int | None = None
        self.attempt: int | None = None

    @property
    def on(self) -> bool:
        """Whether anybody listens."""
        return self.sink is not None

    def emit(self, kind: Kind[P], *body: P.args, **fields: P.kwargs) -> int:
        """Record one event of class ``kind``; ``body`` and ``fields`` are its own fields.

        Returns:
            Its ``seq``; without a sink -1.
        """
        return self._record(NOWHERE, kind, *body, **fields)

    def emit_of(self, source: Source, kind: Kind[P], *body: P.args, **fields: P.kwargs) -> int:
        """As `emit`, for an event of a hook or a processor."""
        return self._record(source, kind, *body, **fields)

    def _record(self, source: Source, kind: Kind[P], *body: P.args, **fields: P.kwargs) -> int:
        if (sink := self.sink) is None:
            return -1
        self.seq = seq = self.seq + 1
        hook, processor, time = source
        when = self.now() if time is None else time
        event = kind(seq, when, self.step, self.attempt, hook, processor, *body, **fields)
        try:
            sink(event)
        except BaseException:
            # The run ends with this error (a full disk, say); its ending has nobody left to tell.
            self.sink = None
            raise
        return seq

    def moment(self) -> Moment:
        """The beginning of a hook call."""
        cost = perf_counter_ns()
        return self.now() if self._origin is None else cost - self._origin, cost

    # The three below are `emit`, spelled out for what happens once a chunk or more.

    def model_chunk(self, call: int, index: int | None, chunk: Chunk) -> None:
        """A part as the model gave it."""
        if (sink := self.sink) is None:
            return
        self.seq = seq = self.seq + 1
        time = self.now() if self._origin is None else perf_counter_ns() - self._origin
        step, attempt = self.step, self.attempt
        try:
            sink(ModelChunk(seq, time, step, attempt, None, None, call, index, chunk))
        except BaseException:
            self.sink = None  # see `emit`
            raise

    def delivered(self, chunk: Chunk, index: int | None) -> None:
        """A chunk that the client gets next."""
        if (sink := self.sink) is None:
            return
        self.seq = seq = self.seq + 1
        time = self.now() if self._origin is None else perf_counter_ns() - self._origin
        try:
            sink(Delivered(seq, time, self.step, self.attempt, None, None, chunk, index))
        except BaseException:
            self.sink = None  # see `emit`
            raise

    def stream_hook(
        self,
        processor: str,
        time: int,
        duration: int,
        outcome: Outcome,
        index: int | None,
        part: Chunk,
        out: tuple[Chunk, ...] | None,
        intervals: Any,
        held: int | None,
        error: str | None,
    ) -> None:
        """One call of processOutputStream, which began at ``time``."""
        if (sink := self.sink) is None:
            return
        self.seq = seq = self.seq + 1
        event = HookCalled(
            seq, time, self.step, self.attempt, "processOutputStream", processor,
            duration, outcome, index, part, out, intervals, held, error,
        )  # fmt: skip
        try:
            sink(event)
        except BaseException:
            self.sink = None  # see `emit`
            raise
