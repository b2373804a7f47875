"""One run: its events in order and the indexes that panes read; free of Qt.

Live and loaded events come the same way, `RunStore.append` or `RunStore.extend`, in the order of
their ``seq``. An event costs constant time. Nothing here changes an event.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from tripscope.trace.blocks import Block, BlockCollector, BlockKey
from tripscope.trace.events import (
    AdvisoryRaised,
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    Delivered,
    EditedByHand,
    FindingMade,
    HeldDropped,
    HookCalled,
    MessagesChanged,
    ModelChunk,
    ModelRequested,
    RawFrameReceived,
    ResultDiscarded,
    RunEnded,
    RunStarted,
    SpanEnded,
    StateChanged,
    Status,
    ToolEnded,
    ToolStarted,
    UnknownEvent,
    ViolationReported,
    Warned,
)
from tripscope.trace.kind_tally import KindTally
from tripscope.trace.packed_events import PackedEvents
from tripscope.trace.packing import PAGE_EVENTS
from tripscope.wire import JSON
from tripscope_gui.store.attempts import Attempt, Attempts
from tripscope_gui.store.calls import CallColumns, Calls
from tripscope_gui.store.chain import ChainInfo
from tripscope_gui.store.chunk_rows import ChunkRow, ChunkRows
from tripscope_gui.store.lanes import Lanes
from tripscope_gui.store.row_notes import RowNotes
from tripscope_gui.store.rule_order import RuleOrder
from tripscope_gui.store.stretch import STREAM_HOOK, Stretch, pieces
from tripscope_gui.store.totals import Totals

if TYPE_CHECKING:
    from tripscope_gui.store.run_index import RunIndex


LONG_RUN: Final = 32_768
"""Events up to which a run is kept as it is: to pack it saves little, and it is read again soon."""


class ToolRun(Struct):
    """One tool call; ``ended`` is None while it runs."""

    started: ToolStarted
    ended: ToolEnded | None = None


class RunStore:
    """Events of one run and what was worked out from them."""

    def __init__(self, events: Sequence[AnyEvent] = ()) -> None:
        self.events = PackedEvents()
        """Old ones may be packed, and are other objects each time: told apart by ``seq``."""
        self.first_seq = 0
        """Number of the first event."""
        self.started: RunStarted | None = None
        self.ended: RunEnded | None = None
        self.cut_off = False
        """No more events will come, and none of them ended the run: see `close`."""
        self.chain = ChainInfo()
        self.rows = ChunkRows(self.events)
        self.attempts = Attempts()
        self.calls = Calls()
        self.lanes = Lanes()
        self.totals = Totals()
        self.rules = RuleOrder()
        self.findings: list[FindingMade] = []
        self.violations: list[ViolationReported] = []
        self.warnings: list[Warned] = []
        self.advisories: list[AdvisoryRaised] = []
        self.requests: list[ModelRequested] = []
        self.raw_frames: dict[int, list[RawFrameReceived]] = defaultdict(list)
        """By provider call."""
        self.tools: list[ToolRun] = []
        self.states: dict[str, list[StateChanged]] = defaultdict(list)
        """By processor."""
        self.messages: list[MessagesChanged] = []
        self.message_versions: dict[str, JSON] = {}
        """Wire form by key ``<id>@<version>``."""
        self.spans: list[SpanEnded] = []
        self.held_dropped: list[HeldDropped] = []
        self.discarded: list[ResultDiscarded] = []
        self.edits: list[EditedByHand] = []
        self.unknown: list[UnknownEvent] = []
        self.notes = RowNotes()
        """Marks and comments of a person."""
        self.index: RunIndex | None = None
        """What panes worked out; see `tripscope_gui.store.run_index.index_of`."""
        self.kinds = KindTally()
        """Kinds of parts, as far as `blocks` are put together."""
        self._collector = BlockCollector()
        self._collected = 0
        self._tool_calls: dict[str, ToolRun] = {}
        self._findings_at: dict[int, list[FindingMade]] = defaultdict(list)
        self.extend(events)

    # reading

    @property
    def status(self) -> Status:
        """The run's status; ``running`` until its last event, ``cancelled`` if it has none."""
        return "cancelled" if self.cut_off else self.totals.status

    @property
    def over(self) -> bool:
        """Whether the run ended, or no more of it will come."""
        return self.ended is not None or self.cut_off

    def close(self) -> bool:
        """Say that no more events will come; whether the run is cut off: it has no end.

        So it is with the trace of a program that was killed, and with one of which only a part
        could be read.
        """
        self.cut_off = self.ended is None and bool(self.events)
        return self.cut_off

    @property
    def run_id(self) -> str:
        """The run's id; empty before its first event."""
        return self.started.run_id if self.started is not None else ""

    def event(self, seq: int | None) -> AnyEvent | None:
        """The event of that number, or None."""
        if seq is None:
            return None
        place = seq - self.first_seq
        return self.events[place] if 0 <= place < len(self.events) else None

    @property
    def blocks(self) -> dict[BlockKey, Block]:
        """Text blocks up to the newest event: see `tripscope.trace.blocks` and ``lineage``.

        They are put together when they are asked for; a later call takes only what came since.
        """
        return self.collector.blocks

    @property
    def collector(self) -> BlockCollector:
        """What puts the `blocks` together, up to the newest event."""
        length = len(self.events)
        if self._collected < length:
            self.collect(length)
        return self._collector

    def collect(self, most: int) -> int:
        """Put at most that many more events into the blocks; how many still wait.

        For a long trace, so that a view can take it in slices before it asks for `blocks`.
        """
        end = min(len(self.events), self._collected + most)
        for first in range(self._collected, end, PAGE_EVENTS):
            taken = self.events[first : min(first + PAGE_EVENTS, end)]
            self._collector.extend(taken)
            self.kinds.extend(taken)
        self._collected = end
        return len(self.events) - end

    def pack(self, nanoseconds: int) -> bool:
        """Pack old events of a long run, for about that long; whether some are left.

        It is for moments in which nothing waits; blocks take in all events before.
        """
        if len(self.events) <= LONG_RUN or self._collected < len(self.events) or nanoseconds <= 0:
            return False
        return self.events.pack(nanoseconds)

    def block_of(self, row: ChunkRow) -> Block | None:
        """The text or reasoning block that the part of a row belongs to."""
        part = row.part
        block_id = getattr(part.payload, "id", None) if part is not None else None
        if part is None or not isinstance(block_id, str):
            return None
        kind = part.type.partition("-")[0]
        self.collect(len(self.events))
        return self._collector.at(row.step, row.attempt, kind, block_id, row.index)

    def block_of_finding(self, finding: FindingMade) -> Block | None:
        """The text block that a finding of the stream lies in."""
        self.collect(len(self.events))
        return self._collector.of_finding(finding)

    def findings_of_row(self, row: ChunkRow) -> list[FindingMade]:
        """Findings made while the part of that row was at hand."""
        return self._findings_at.get(row.index, []) if row.index is not None else []

    def message_wires(self, event: MessagesChanged) -> list[tuple[str, str, JSON]]:
        """(key, source, wire form) of each message as the list stood then."""
        return [(key, source, self.message_versions.get(key)) for key, source in event.order]

    def state_at(self, processor: str, seq: int) -> dict[str, JSON]:
        """State of a processor by key as it stood after event ``seq``: digests or exact values."""
        values: dict[str, JSON] = {}
        for event in self.states.get(processor, ()):
            if event.seq > seq:
                break
            if event.snapshot:
                values.clear()
            for key, _, after in event.changes:
                if after is None and not event.snapshot:
                    values.pop(key, None)
                else:
                    values[key] = after
        return values

    # eating

    def append(self, event: AnyEvent) -> None:
        """Take the next event."""
        self.extend((event,))

    def extend(self, events: Sequence[AnyEvent]) -> None:
        """Take events in order."""
        handlers, place = _HANDLERS, len(self.events)
        self.events.extend(events)
        if not place and self.events:
            self.first_seq = self.events[0].seq
        for piece in pieces(events, place):
            if type(piece) is Stretch:
                self._stream(piece)
            else:
                handler = handlers.get(type(piece))
                if handler is not None:
                    handler(self, piece)
        self._settle()

    def _settle(self) -> None:
        """Bring up to date what grows with every event, once a batch."""
        if not self.events:
            return
        last = self.events[-1]
        end = last.time + (last.duration if isinstance(last, HookCalled) else 0)
        self.totals.time = max(self.totals.time, end)
        attempt = self.attempts.current
        if attempt is not None and attempt.outcome is None:
            self._grow_attempt(attempt, last)

    def _grow_attempt(self, attempt: Attempt, last: AnyEvent) -> None:
        attempt.last_seq = max(attempt.last_seq, last.seq)
        attempt.end = max(attempt.end, last.time)
        attempt.end_row = len(self.rows)

    def _run_started(self, event: RunStarted) -> None:
        self.started = event
        self.chain = ChainInfo(event.chain)
        self.rows.begin(self.chain)
        self.lanes.begin(self.chain)
        self.totals.settings(event.settings)
        for rule in self.chain.rule_names():
            self.rules.number(rule)

    def _attempt_started(self, event: AttemptStarted) -> None:
        self.attempts.started(event, len(self.rows))

    def _attempt_ended(self, event: AttemptEnded) -> None:
        attempt = self.attempts.get(event.step, event.attempt)
        if attempt is not None:
            self._grow_attempt(attempt, event)
        self.attempts.ended(event)
        self.lanes.drop_holds(None, event)
        self.lanes.request_over(event)

    def _stream(self, stretch: Stretch) -> None:
        self.rows.add(stretch.indexes, stretch.places)
        self._model_chunks(stretch.chunks)
        for processor, calls in stretch.calls.items():
            self.rows.called(processor, self._called(processor, STREAM_HOOK, calls))
        self._delivered(stretch.deliveries)

    def _model_chunks(self, events: list[ModelChunk]) -> None:
        self.lanes.chunks(events)
        self.totals.chunks(events)
        self.attempts.text_given(events)
        for event in events:
            if event.chunk.type in _LAST:
                self.lanes.request_over(event)

    def _called(self, processor: str, hook: str, calls: list[HookCalled]) -> CallColumns:
        columns = CallColumns.of(calls)
        self.calls.add(processor, hook, columns)
        self.lanes.called(processor, columns)
        return columns

    def _hook(self, event: HookCalled) -> None:
        self._called(event.processor or "", event.hook or "", [event])

    def _delivered(self, events: list[Delivered]) -> None:
        self.totals.delivered += len(events)
        self.lanes.delivered(events)
        self.attempts.text_left(events)

    def _request(self, event: ModelRequested) -> None:
        self.requests.append(event)
        self.totals.model_calls += 1
        self.lanes.request(event)

    def _raw_frame(self, event: RawFrameReceived) -> None:
        self.raw_frames[event.call].append(event)

    def _tool_started(self, event: ToolStarted) -> None:
        run = self._tool_calls[event.tool_call_id] = ToolRun(event)
        self.tools.append(run)
        self.lanes.tool_started(event)

    def _tool_ended(self, event: ToolEnded) -> None:
        run = self._tool_calls.get(event.tool_call_id)
        if run is not None:
            run.ended = event
        self.lanes.tool_ended(event)

    def _finding(self, event: FindingMade) -> None:
        self.findings.append(event)
        self.rules.number(event.rule)
        if event.index is not None:
            self._findings_at[event.index].append(event)

    def _state(self, event: StateChanged) -> None:
        self.states[event.processor or ""].append(event)

    def _messages(self, event: MessagesChanged) -> None:
        self.messages.append(event)
        self.message_versions.update(event.versions)

    def _held_dropped(self, event: HeldDropped) -> None:
        self.held_dropped.append(event)
        self.lanes.drop_holds(event.processor, event)

    def _run_ended(self, event: RunEnded) -> None:
        self.ended = event
        self.totals.ended(event)
        self.lanes.run_over(event)


_LAST: Final = frozenset({"finish", "error"})
"""Model chunks after which a provider call brings nothing more."""
_HANDLERS: Final[dict[type, Callable[[RunStore, Any], None]]] = {
    RunStarted: RunStore._run_started,
    AttemptStarted: RunStore._attempt_started,
    AttemptEnded: RunStore._attempt_ended,
    HookCalled: RunStore._hook,
    ModelRequested: RunStore._request,
    RawFrameReceived: RunStore._raw_frame,
    Delivered: lambda store, event: store._delivered([event]),
    ToolStarted: RunStore._tool_started,
    ToolEnded: RunStore._tool_ended,
    FindingMade: RunStore._finding,
    StateChanged: RunStore._state,
    MessagesChanged: RunStore._messages,
    HeldDropped: RunStore._held_dropped,
    RunEnded: RunStore._run_ended,
    ViolationReported: lambda store, event: store.violations.append(event),
    Warned: lambda store, event: store.warnings.append(event),
    AdvisoryRaised: lambda store, event: store.advisories.append(event),
    ResultDiscarded: lambda store, event: store.discarded.append(event),
    SpanEnded: lambda store, event: store.spans.append(event),
    EditedByHand: lambda store, event: store.edits.append(event),
    UnknownEvent: lambda store, event: store.unknown.append(event),
}
