"""Spans for the timeline: one lane for the model, each processor, the tools and the client.

Kept in arrays sorted by start, so that a view finds what is visible by bisection. Each span stands
on two axes: times in ns since the run began, and ``seq`` of the events at its ends. What comes with
every chunk is taken in by the stretch, a column at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import add
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from tripscope.processor import Outcome
from tripscope.trace.events import (
    AnyEvent,
    Delivered,
    ModelChunk,
    ModelRequested,
    ToolEnded,
    ToolStarted,
)
from tripscope_gui.store.calls import SEVERITY, CallColumns
from tripscope_gui.store.chain import ChainInfo
from tripscope_gui.store.chunk_rows import CLIENT, MODEL, carries_text

TOOLS: Final = "tools"
LaneKind: TypeAlias = Literal["model", "processor", "tools", "client"]
_CODE: Final = {outcome: code for code, outcome in enumerate(SEVERITY)}
_PASS: Final = _CODE["pass"]
UNSCANNED: Final = len(SEVERITY)
"""Code of a model chunk with text of a kind that no processor of the chain looks at."""
OPEN: Final = -1
"""End of a span that is still open, in time; in ``seq`` it is 0."""


class Holds(Struct):
    """When a processor held text back: ``ends`` is `OPEN` for the last one while it lasts."""

    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    seqs: array[int] = field(default_factory=lambda: array("I"))
    end_seqs: array[int] = field(default_factory=lambda: array("I"))
    codes: bytearray = field(default_factory=bytearray)
    """All 0: a hold has no outcome. Kept in step with ``starts``, for views draw at any time."""

    @property
    def open(self) -> bool:
        """Whether something is held now."""
        return bool(self.ends) and self.ends[-1] == OPEN

    def begin(self, time: int, seq: int) -> None:
        """Text is taken in and not let out."""
        self.starts.append(time)
        self.ends.append(OPEN)
        self.seqs.append(seq)
        self.end_seqs.append(0)
        self.codes.append(0)

    def end(self, time: int, seq: int) -> None:
        """Nothing is held any more."""
        self.ends[-1] = time
        self.end_seqs[-1] = seq

    def follow(self, held: Sequence[int | None], ends: Sequence[int], seqs: Sequence[int]) -> None:
        """Begin and end holds by what was held at the end of each call; None: it did not say."""
        for units, end, seq in zip(held, ends, seqs, strict=True):
            if units is not None and (units > 0) != self.open:
                (self.begin if units > 0 else self.end)(end, seq)


class Lane(Struct):
    """Spans of one lane; a tick is a span of no length.

    ``codes`` index `SEVERITY`, or are `UNSCANNED`; ``end_seqs`` is the event that ended a span. In
    a lane of `ticks` both ends of all spans are one array, as are in one of `calls` both ``seqs``.
    """

    id: str
    kind: LaneKind
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    seqs: array[int] = field(default_factory=lambda: array("I"))
    end_seqs: array[int] = field(default_factory=lambda: array("I"))
    codes: bytearray = field(default_factory=bytearray)
    holds: Holds = field(default_factory=Holds)
    total: int = 0
    """ns in which this lane was busy."""

    @classmethod
    def ticks(cls, id: str, kind: LaneKind) -> Lane:
        """A lane in which every span is a tick."""
        starts, seqs = array("q"), array("I")
        return cls(id, kind, starts, starts, seqs, seqs)

    @classmethod
    def calls(cls, id: str) -> Lane:
        """The lane of a processor: one event tells of a whole span."""
        seqs = array("I")
        return cls(id, "processor", seqs=seqs, end_seqs=seqs)

    def __len__(self) -> int:
        return len(self.starts)

    def outcome(self, place: int) -> Outcome:
        """Outcome of the span at ``place``; pass where the lane has none."""
        code = self.codes[place]
        return SEVERITY[code] if code < UNSCANNED else "pass"

    def begin(self, start: int, seq: int) -> None:
        """Append a span that is still open."""
        self.starts.append(start)
        self.ends.append(OPEN)
        self.seqs.append(seq)
        self.end_seqs.append(0)
        self.codes.append(_PASS)

    def close(self, place: int, end: int, seq: int) -> None:
        """End an open span."""
        if self.ends[place] == OPEN:
            self.ends[place] = end
            self.end_seqs[place] = seq
            self.total += max(0, end - self.starts[place])


class Lanes:
    """All lanes of a run, in the order in which they are drawn."""

    def __init__(self) -> None:
        self.model = Lane.ticks(MODEL, "model")
        self.requests = Lane("requests", "model")
        """Provider calls, drawn in the model's lane: from the request to the last chunk."""
        self.tools = Lane(TOOLS, "tools")
        self.client = Lane.ticks(CLIENT, "client")
        self._processors: dict[str, Lane] = {}
        self._open_tools: dict[str, int] = {}
        self._scanned: frozenset[str] | None = None

    def begin(self, chain: ChainInfo) -> None:
        """Make the lanes of the chain's processors."""
        for processor in chain:
            self._processors[processor.id] = Lane.calls(processor.id)
        self._scanned = _scanned_kinds(chain)

    @property
    def all(self) -> list[Lane]:
        """Model, processors in chain order, tools, client."""
        return [self.model, *self._processors.values(), self.tools, self.client]

    def get(self, lane: str) -> Lane | None:
        """A lane by its id."""
        return next((found for found in self.all if found.id == lane), None)

    def called(self, processor: str, calls: CallColumns) -> None:
        """Calls of a processor; in a stream also what it holds from then on."""
        lane = self._processors.get(processor)
        if lane is None:
            lane = self._processors[processor] = Lane.calls(processor)
        ends = list(map(add, calls.times, calls.durations))
        lane.starts.fromlist(calls.times)
        lane.ends.fromlist(ends)
        lane.seqs.fromlist(calls.seqs)
        lane.codes.extend(bytes(map(_CODE.__getitem__, calls.outcomes)))
        lane.total += sum(calls.durations)
        holds = lane.holds
        if (0 in calls.held) if holds.open else any(calls.held):
            holds.follow(calls.held, ends, calls.seqs)

    def drop_holds(self, processor: str | None, event: AnyEvent) -> None:
        """End open holds of a processor, or of all."""
        for lane in self._processors.values():
            if processor in (None, lane.id) and lane.holds.open:
                lane.holds.end(event.time, event.seq)

    def request(self, event: ModelRequested) -> None:
        """A provider call begins."""
        self.requests.begin(event.time, event.seq)

    def chunks(self, events: Sequence[ModelChunk]) -> None:
        """Parts of the newest provider call."""
        lane, scanned = self.model, self._scanned
        lane.starts.fromlist([event.time for event in events])
        lane.seqs.fromlist([event.seq for event in events])
        lane.codes.extend(
            [
                _PASS
                if scanned is None or event.chunk.type in scanned or not carries_text(event.chunk)
                else UNSCANNED
                for event in events
            ]
        )

    def request_over(self, event: AnyEvent) -> None:
        """The newest provider call brings nothing more."""
        if self.requests.ends:
            self.requests.close(len(self.requests) - 1, event.time, event.seq)

    def delivered(self, events: Sequence[Delivered]) -> None:
        """Chunks reached the client."""
        lane = self.client
        lane.starts.fromlist([event.time for event in events])
        lane.seqs.fromlist([event.seq for event in events])
        lane.codes.extend(bytes((_PASS,)) * len(events))

    def tool_started(self, event: ToolStarted) -> None:
        """A tool begins; several may run at once."""
        self._open_tools[event.tool_call_id] = len(self.tools)
        self.tools.begin(event.time, event.seq)

    def tool_ended(self, event: ToolEnded) -> None:
        """The tool of that call is done."""
        place = self._open_tools.pop(event.tool_call_id, None)
        if place is not None:
            self.tools.close(place, event.time, event.seq)

    def run_over(self, event: AnyEvent) -> None:
        """Close whatever is open."""
        self.drop_holds(None, event)
        self.request_over(event)
        for place in self._open_tools.values():
            self.tools.close(place, event.time, event.seq)
        self._open_tools.clear()


def _scanned_kinds(chain: ChainInfo) -> frozenset[str] | None:
    """Kinds of chunks that some processor looks at; None if one doesn't say what it scans."""
    kinds: set[str] = set()
    for processor in chain:
        scans = processor.options.get("scans")
        if isinstance(scans, list | tuple):
            kinds.update(kind for kind in scans if isinstance(kind, str))
        elif processor.runs_in("processOutputStream"):
            return None
    return frozenset(kinds)
