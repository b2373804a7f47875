"""What the timeline draws of a run: lanes with their tracks, attempts, where the run ended."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import Final

from msgspec import Struct

from tripscope.processor import HOOKS
from tripscope.trace.events import HookCalled
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.attempts import Attempt
from tripscope_gui.store.calls import SEVERITY, STOPPING
from tripscope_gui.store.chunk_rows import CLIENT
from tripscope_gui.store.lanes import UNSCANNED, Lane
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.widgets.timeline.scale import AxisKind
from tripscope_gui.widgets.timeline.track import Track

_PASS: Final = SEVERITY.index("pass")
ORDER: Final = (*range(len(SEVERITY) - 1, _PASS - 1, -1), UNSCANNED, *range(_PASS - 1, -1, -1))
"""Codes of spans, the one that is most worth seeing last; unscanned is more so than a pass."""
_LEAST_WAIT: Final = 10_000_000
LOUD: Final = frozenset(map(SEVERITY.index, STOPPING))
"""Codes that get a badge even where they are only ticks."""


class Marks:
    """Findings of one processor."""

    def __init__(self) -> None:
        self.times = array("q")
        self.seqs = array("I")
        self.rules = array("I")

    def on(self, kind: AxisKind) -> array[int]:
        """Their axis values."""
        return self.times if kind == "time" else self.seqs


class LaneData:
    """One lane with its tracks on both axes."""

    def __init__(self, lane: Lane, title: str, note: str = "", requests: Lane | None = None):
        self.id, self.kind, self.title, self.note = lane.id, lane.kind, title, note
        self.lane, self.requests = lane, requests
        self.marks = Marks()
        holds = lane.holds
        self.spans: dict[AxisKind, Track] = {
            "time": Track(lane.starts, lane.ends, lane.codes, ORDER),
            "sequence": Track(lane.seqs, lane.end_seqs, lane.codes, ORDER),
        }
        self.holds: dict[AxisKind, Track] = {
            "time": Track(holds.starts, holds.ends, holds.codes, (0,)),
            "sequence": Track(holds.seqs, holds.end_seqs, holds.codes, (0,)),
        }


class Early(Marks):
    """Deliveries of text that left a processor before it was decided; ``units`` of UTF-16."""

    units: int = 0


class Wait(Struct, frozen=True):
    """The first text that a client got in an attempt, ``length`` ns after the model gave some."""

    seq: int
    time: int
    length: int

    def on(self, kind: AxisKind) -> int:
        """Its axis value."""
        return self.time if kind == "time" else self.seq


class Ending(Struct, frozen=True):
    """The call that ended the run: a tripwire, or an error."""

    seq: int
    time: int
    call: HookCalled
    retry: bool

    def at(self, kind: AxisKind) -> int:
        """Its axis value."""
        return self.time if kind == "time" else self.seq


class TimelineData:
    """Everything of one run that the timeline draws; follows it as it grows."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        self.lanes: list[LaneData] = []
        self._by_id: dict[str, LaneData] = {}
        self._findings = 0
        self._waited = 0
        self._input_ends: list[tuple[int, int]] = []
        self._input_calls: list[HookCalled] = []
        self.early = Early()
        self.waits: list[Wait] = []
        self.catch_up()

    def catch_up(self) -> None:
        """Take what came since; constant time per event."""
        store = self.store
        lanes = store.lanes.all
        if len(lanes) != len(self.lanes) or lanes[0] is not self.lanes[0].lane:
            self._make_lanes(lanes)
        for finding in store.findings[self._findings :]:
            data = self._by_id.get(finding.processor or "")
            if data is not None:
                data.marks.times.append(finding.time)
                data.marks.seqs.append(finding.seq)
                data.marks.rules.append(store.rules.number(finding.rule))
        self._findings = len(store.findings)
        attempts = store.attempts.all
        while self._waited < len(attempts) and attempts[self._waited].outcome is not None:
            self._note_wait(attempts[self._waited])
            self._waited += 1

    def set_early(self, leaks: Leaks) -> None:
        """Mark what reached the client too early."""
        early = self.early = Early()
        seen: set[int] = set()
        for key in leaks.by_block:
            block = self.store.blocks[key]
            for low, high in leaks.in_column(block, CLIENT).items:
                early.units += high - low
                for index in block.delivered.indexes_of(low, high):
                    row = self.store.rows.of_index(index)
                    for event in row.delivered if row is not None else ():
                        if event.seq not in seen:
                            seen.add(event.seq)
                            early.times.append(event.time)
                            early.seqs.append(event.seq)

    def lane(self, lane_id: str | None) -> LaneData | None:
        """The lane of that id."""
        return self._by_id.get(lane_id or "")

    def end(self, kind: AxisKind) -> int:
        """The newest axis value."""
        if kind != "time":
            return max(1, len(self.store.events))
        newest = self.store.totals.time
        if not self.store.attempts.all:
            # on a virtual clock calls take no time, and still their length is told
            before = self.before_steps(kind)
            newest = max(newest, before[1] if before is not None else 0)
        return max(1, newest)

    def fit(self, kind: AxisKind) -> tuple[float, float]:
        """The axis values that show the whole run, and beside a tripwire what did not run.

        While it grows there is room for more, so that what is drawn need not move each time.
        """
        end = self.end(kind)
        if not self.store.over:
            end = _with_room(end)
        share = 1.02
        if self.ending() is not None:
            share = 1.3 if self.store.requests else 2.1
        first = self.before_steps(kind)
        if first is not None and not self.store.attempts.all and self.store.over:
            edge = max(1.0, 0.06 * (end - first[0]))
            return first[0] - edge, first[0] + (end - first[0]) * share
        return -0.008 * end * share, end * share

    def span_of(self, attempt: Attempt, kind: AxisKind) -> tuple[int, int]:
        """From where to where an attempt goes on the axis."""
        if kind == "time":
            return attempt.start, attempt.end
        return attempt.first_seq, attempt.last_seq

    def rejected_at(self, attempt: Attempt, kind: AxisKind) -> int:
        """Where the call was that rejected an attempt."""
        tally = self.store.calls.get(attempt.processor or "", attempt.hook or "")
        for lane_tally in (tally, *self.store.calls.tallies.values()):
            if lane_tally is None or lane_tally.processor != attempt.processor:
                continue
            place = bisect_right(lane_tally.seqs, attempt.last_seq) - 1
            call = self.store.event(lane_tally.seqs[place]) if place >= 0 else None
            if isinstance(call, HookCalled) and call.outcome == "blocked":
                return call.time + call.duration if kind == "time" else call.seq
        return self.span_of(attempt, kind)[1]

    def before_steps(self, kind: AxisKind) -> tuple[int, int] | None:
        """Where processInput went before the first step."""
        tallies = (self.store.calls.get(one.id, "processInput") for one in self.store.chain)
        ends = [(t.seqs[0], t.seqs[-1]) for t in tallies if t is not None]
        if ends != self._input_ends:
            # read once: the events may be packed by now
            self._input_ends = ends
            events = (self.store.event(seq) for seqs in ends for seq in seqs)
            self._input_calls = [event for event in events if isinstance(event, HookCalled)]
        calls = self._input_calls
        if not calls:
            return None
        if kind == "sequence":
            return min(call.seq for call in calls), max(call.seq for call in calls) + 1
        return min(call.time for call in calls), max(call.time + call.duration for call in calls)

    def ending(self) -> Ending | None:
        """The hook call that ended the run, if one did."""
        store = self.store
        if store.status not in ("blocked", "error") or not store.over:
            return None
        newest: HookCalled | None = None
        for tally in store.calls.tallies.values():
            call = store.event(tally.seqs[-1])
            if (
                isinstance(call, HookCalled)
                and call.outcome in STOPPING
                and (newest is None or call.seq > newest.seq)
            ):
                newest = call
        if newest is None:
            return None
        tripwire = store.ended.tripwire if store.ended is not None else None
        retry = isinstance(tripwire, dict) and bool(tripwire.get("retry"))
        return Ending(newest.seq, newest.time + newest.duration, newest, retry)

    def not_run_words(self, lane: LaneData) -> str | None:
        """Why a lane stays empty after the run's end; None if it did run."""
        store = self.store
        if lane.kind == "model":
            return None if store.requests else "not called, no request was sent"
        if lane.kind == "tools":
            return None if store.tools else "no calls"
        if lane.kind == "client":
            return None
        if len(lane.lane):
            return None
        processor = store.chain.get(lane.id)
        hooks = [hook for hook in HOOKS if processor is not None and processor.runs_in(hook)]
        return f"would have waited for {hooks[0]}" if hooks else "no hook of its own"

    def time_spent(self, lane: LaneData) -> int | None:
        """Time in ns that the lane was busy; None for one that never ran or takes no time."""
        if lane.kind == "model":
            return lane.requests.total if lane.requests is not None and lane.requests else None
        if lane.kind == "client":
            return None
        return lane.lane.total if len(lane.lane) else None

    def _note_wait(self, attempt: Attempt) -> None:
        """Take the first text of an attempt on both sides, once the attempt is over."""
        if attempt.given is None or attempt.left is None:
            return
        seq, time = attempt.left
        if time - attempt.given >= _LEAST_WAIT:
            self.waits.append(Wait(seq, time, time - attempt.given))

    def _make_lanes(self, lanes: list[Lane]) -> None:
        self.lanes = []
        for lane in lanes:
            info = self.store.chain.get(lane.id) if lane.kind == "processor" else None
            requests = self.store.lanes.requests if lane.kind == "model" else None
            note = info.note if info is not None else ""
            if info is not None and not info.options.get("strategy"):
                note = ", ".join(info.sides)
            self.lanes.append(LaneData(lane, lane.id, note, requests))
        self._by_id = {lane.id: lane for lane in self.lanes}
        self._findings = 0


def _with_room(end: int) -> int:
    """The next of the four steps that lie between a power of two and the one after it."""
    step = 1 << max(0, end.bit_length() - 3)
    return (end // step + 1) * step
