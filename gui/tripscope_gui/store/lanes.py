"""Spans for the timeline: one lane for the model, each processor, the tools and the client.

Kept in arrays sorted by start, so that a view finds what is visible by bisection. Each span stands
on two axes: times in ns since the run began, and ``seq`` of the events at its ends.
"""

from __future__ import annotations

from array import array
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from tripscope.processor import Outcome
from tripscope.trace.events import (
    AnyEvent,
    Delivered,
    HookCalled,
    ModelChunk,
    ModelRequested,
    ToolEnded,
    ToolStarted,
)
from tripscope_gui.store.calls import SEVERITY
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


class Lane(Struct):
    """Spans of one lane; a tick is a span of no length.

    ``codes`` index `SEVERITY`, or are `UNSCANNED`; ``end_seqs`` is the event that ended a span.
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

    def __len__(self) -> int:
        return len(self.starts)

    def outcome(self, place: int) -> Outcome:
        """Outcome of the span at ``place``; pass where the lane has none."""
        code = self.codes[place]
        return SEVERITY[code] if code < UNSCANNED else "pass"

    def add(self, start: int, end: int, seq: int, code: int = _PASS) -> None:
        """Append a span; ``end`` may be `OPEN`."""
        self.starts.append(start)
        self.ends.append(end)
        self.seqs.append(seq)
        self.end_seqs.append(0 if end == OPEN else seq)
        self.codes.append(code)
        if end > start:
            self.total += end - start

    def close(self, place: int, end: int, seq: int) -> None:
        """End an open span."""
        if self.ends[place] == OPEN:
            self.ends[place] = end
            self.end_seqs[place] = seq
            self.total += max(0, end - self.starts[place])


class Lanes:
    """All lanes of a run, in the order in which they are drawn."""

    def __init__(self) -> None:
        self.model = Lane(MODEL, "model")
        self.requests = Lane("requests", "model")
        """Provider calls, drawn in the model's lane: from the request to the last chunk."""
        self.tools = Lane(TOOLS, "tools")
        self.client = Lane(CLIENT, "client")
        self._processors: dict[str, Lane] = {}
        self._open_tools: dict[str, int] = {}
        self._scanned: frozenset[str] | None = None

    def begin(self, chain: ChainInfo) -> None:
        """Make the lanes of the chain's processors."""
        for processor in chain:
            self._processors[processor.id] = Lane(processor.id, "processor")
        self._scanned = _scanned_kinds(chain)

    @property
    def all(self) -> list[Lane]:
        """Model, processors in chain order, tools, client."""
        return [self.model, *self._processors.values(), self.tools, self.client]

    def get(self, lane: str) -> Lane | None:
        """A lane by its id."""
        return next((found for found in self.all if found.id == lane), None)

    def hook(self, event: HookCalled) -> None:
        """A call; in a stream also what it holds from now on."""
        name = event.processor or ""
        lane = self._processors.get(name)
        if lane is None:
            lane = self._processors[name] = Lane(name, "processor")
        start, seq, held = event.time, event.seq, event.held
        end = start + event.duration
        lane.add(start, end, seq, _CODE[event.outcome])
        if held is not None:
            holds = lane.holds
            if held and not holds.open:
                holds.begin(end, seq)
            elif not held and holds.open:
                holds.end(end, seq)

    def drop_holds(self, processor: str | None, event: AnyEvent) -> None:
        """End open holds of a processor, or of all."""
        for lane in self._processors.values():
            if processor in (None, lane.id) and lane.holds.open:
                lane.holds.end(event.time, event.seq)

    def request(self, event: ModelRequested) -> None:
        """A provider call begins."""
        self.requests.add(event.time, OPEN, event.seq)

    def chunk(self, event: ModelChunk) -> None:
        """A part of the newest provider call."""
        chunk, time, scanned = event.chunk, event.time, self._scanned
        unscanned = scanned is not None and chunk.type not in scanned and carries_text(chunk)
        self.model.add(time, time, event.seq, UNSCANNED if unscanned else _PASS)

    def request_over(self, event: AnyEvent) -> None:
        """The newest provider call brings nothing more."""
        if self.requests.ends:
            self.requests.close(len(self.requests) - 1, event.time, event.seq)

    def delivered(self, event: Delivered) -> None:
        """A chunk reached the client."""
        time = event.time
        self.client.add(time, time, event.seq)

    def tool_started(self, event: ToolStarted) -> None:
        """A tool begins; several may run at once."""
        self._open_tools[event.tool_call_id] = len(self.tools)
        self.tools.add(event.time, OPEN, event.seq)

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
