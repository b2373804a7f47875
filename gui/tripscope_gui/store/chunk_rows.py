"""The chunks table: a row per part of the stream, a column per place it passes.

A row is made when somebody asks for it, from where its events are; what a cell shows is worked out
by `ChunkRows.cell`. All lengths and offsets are UTF-16 code units.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias, cast, overload

from msgspec import Struct

from tripscope.chunks import Chunk, delta_text
from tripscope.patterns.units import join_surrogates
from tripscope.processor import Outcome
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, ModelChunk
from tripscope_gui.store.calls import CallColumns, worst
from tripscope_gui.store.chain import ChainInfo
from tripscope_gui.store.row_places import RowPlaces

MODEL: Final = "model"
CLIENT: Final = "client"

RowEvent: TypeAlias = ModelChunk | HookCalled | Delivered
CellState: TypeAlias = Literal[
    "nothing", "pass", "changed", "held", "released", "flushed", "dropped", "flagged", "blocked",
    "errored", "timed-out", "unscanned",
]  # fmt: skip
_BAD: Final[dict[Outcome, CellState]] = {
    "errored": "errored", "timed-out": "timed-out", "blocked": "blocked",
}  # fmt: skip
_UNREPORTED: Final = -1
_NEVER: Final = -2


class Mark(Struct, frozen=True):
    """A stretch of a cell's text, in UTF-16 units, that ``rule`` made."""

    start: int
    end: int
    rule: str


class Cell(Struct, frozen=True):
    """What one place of the chain let out for one row.

    ``held``: units the processor keeps after it; None: it did not say. ``flush``: held text came
    out before a part that is no delta. ``chunks``: what came out. ``seqs``: the events behind it.
    """

    state: CellState
    text: str = ""
    held: int | None = 0
    flush: bool = False
    marks: tuple[Mark, ...] = ()
    outcome: Outcome | None = None
    reason: str | None = None
    chunks: tuple[Chunk, ...] = ()
    seqs: tuple[int, ...] = ()


NOTHING: Final = Cell("nothing")


class ChunkRow:
    """One part of the stream, as far as it is known when the row is asked for."""

    __slots__ = ("attempt", "calls", "delivered", "index", "model", "number", "step", "time")

    def __init__(self, number: int, events: Iterable[AnyEvent]) -> None:
        self.number = number
        """Its place in `ChunkRows`, from 0."""
        self.model: ModelChunk | None = None
        """None where the loop or a tool made the part."""
        self.calls: list[HookCalled] = []
        self.delivered: list[Delivered] = []
        first: RowEvent | None = None
        for event in events:
            kind = type(event)
            if kind is HookCalled:
                self.calls.append(cast("HookCalled", event))
            elif kind is ModelChunk:
                self.model = cast("ModelChunk", event)
            else:
                self.delivered.append(cast("Delivered", event))
            first = first or cast("RowEvent", event)
        assert first is not None
        self.index = first.index
        """As in events: counts the parts that entered the chain; None if it did not."""
        self.step = first.step
        self.attempt = first.attempt
        self.time = first.time
        """ns since the run began."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChunkRow) and (
            (self.number, self.model, self.calls, self.delivered)
            == (other.number, other.model, other.calls, other.delivered)
        )

    __hash__ = None  # type: ignore[assignment]  # it grows

    @property
    def label(self) -> str:
        """What a person calls it: chunks are counted from 1 on screen."""
        return str(self.number + 1)

    @property
    def part(self) -> Chunk | None:
        """The part as it entered."""
        if self.model is not None:
            return self.model.chunk
        if self.calls:
            return self.calls[0].part
        return self.delivered[0].chunk if self.delivered else None

    @property
    def type(self) -> str:
        """The part's type on the wire."""
        part = self.part
        return part.type if part is not None else ""

    @property
    def seqs(self) -> list[int]:
        """Numbers of its events: the model's chunk, the calls, what was delivered."""
        events: list[RowEvent] = [*self.calls, *self.delivered]
        if self.model is not None:
            events.insert(0, self.model)
        return [event.seq for event in events]

    @property
    def outcome(self) -> Outcome | None:
        """The worst outcome of the calls that the part went through."""
        return worst(call.outcome for call in self.calls)


def joined_text(chunks: Iterable[Chunk]) -> str:
    """Text and reasoning deltas put together, halves of a character joined."""
    return join_surrogates("".join(text for c in chunks if (text := delta_text(c)) is not None))


class ChunkRows(Sequence[ChunkRow]):
    """All rows of a run, in order of arrival.

    Args:
        events: the events of the run, in order; the list may grow.
    """

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._events = events
        self._places = RowPlaces()
        self._chain = ChainInfo()
        self._held_at: dict[str, array[int]] = {}
        self._held: dict[str, array[int]] = {}
        self._last_held: dict[str, int | None] = {}

    def begin(self, chain: ChainInfo) -> None:
        """Take the chain of the run: its columns."""
        self._chain = chain

    @property
    def columns(self) -> tuple[str, ...]:
        """``model``, the ids of the stream's processors in order, ``client``."""
        return (MODEL, *self._chain.stream, CLIENT)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> ChunkRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ChunkRow]: ...
    def __getitem__(self, index: int | slice) -> ChunkRow | Sequence[ChunkRow]:
        if isinstance(index, slice):
            return [self._row(number) for number in range(len(self))[index]]
        return self._row(range(len(self))[index])

    def __iter__(self) -> Iterator[ChunkRow]:
        return map(self._row, range(len(self)))

    def _row(self, number: int) -> ChunkRow:
        return ChunkRow(number, map(self._events.__getitem__, self._places.of(number)))

    def number_of(self, index: int | None) -> int | None:
        """The number of the row of an event's ``index``, or None."""
        return self._places.row_of(index)

    def of_index(self, index: int | None) -> ChunkRow | None:
        """The row of an event's ``index``, or None."""
        number = self._places.row_of(index)
        return self._row(number) if number is not None else None

    def add(self, indexes: Iterable[int | None], places: Iterable[int]) -> None:
        """Take events of these part indexes, that stand at these places of the run."""
        self._places.add(indexes, places)

    def called(self, processor: str, calls: CallColumns) -> None:
        """Note what ``processor`` held after these calls of processOutputStream."""
        last = self._last_held.get(processor, _NEVER)
        if calls.held.count(last) == len(calls.held):
            return
        at = self._held_at.setdefault(processor, array("q"))
        held = self._held.setdefault(processor, array("q"))
        for units, seq in zip(calls.held, calls.seqs, strict=True):
            if units != last:
                last = units
                held.append(_UNREPORTED if units is None else units)
                at.append(seq)
        self._last_held[processor] = last

    def held_before(self, processor: str, seq: int) -> int | None:
        """Units that ``processor`` held before event ``seq``; None: it did not say."""
        at = self._held_at.get(processor)
        place = bisect_right(at, seq - 1) if at else 0
        if not place:
            return 0
        held = self._held[processor][place - 1]
        return None if held == _UNREPORTED else held

    def cell(self, row: ChunkRow, column: str) -> Cell:
        """What ``column`` (one of `columns`) shows for ``row``."""
        if column == MODEL:
            return _model_cell(row)
        if column == CLIENT:
            return _client_cell(row)
        calls = [call for call in row.calls if call.processor == column]
        if not calls:
            return NOTHING
        return self._processor_cell(column, calls)

    def _processor_cell(self, column: str, calls: list[HookCalled]) -> Cell:
        out = tuple(chunk for call in calls for chunk in call.out or ())
        outcome = worst(call.outcome for call in calls) or "pass"
        last = calls[-1]
        text = joined_text(out)
        flush = bool(text) and any(
            call.part is not None and delta_text(call.part) is None for call in calls
        )
        state = self._state(column, calls, out, outcome, flush)
        return Cell(
            state=state,
            text=text if text or not out else f"{out[-1].type}",
            held=last.held,
            flush=flush,
            marks=_marks(calls),
            outcome=outcome,
            reason=last.error,
            chunks=out,
            seqs=tuple(call.seq for call in calls),
        )

    def _state(
        self,
        column: str,
        calls: list[HookCalled],
        out: tuple[Chunk, ...],
        outcome: Outcome,
        flush: bool,
    ) -> CellState:
        if (bad := _BAD.get(outcome)) is not None:
            return bad
        if not out:
            return "dropped" if outcome == "changed" else "held"
        if outcome in ("changed", "flagged"):
            return "changed" if outcome == "changed" else "flagged"
        if flush:
            return "flushed"
        if all(call.out == (call.part,) for call in calls):
            return "unscanned" if self._unscanned(column, calls) else "pass"
        before = self.held_before(column, calls[0].seq)
        return "pass" if before == 0 else "released"

    def _unscanned(self, column: str, calls: list[HookCalled]) -> bool:
        """Text of a kind that this processor says it does not look at passed it unseen."""
        processor = self._chain.get(column)
        scans = processor.options.get("scans") if processor is not None else None
        if not isinstance(scans, list | tuple):
            return False
        return all(
            call.part is not None and call.part.type not in scans and carries_text(call.part)
            for call in calls
        )


def carries_text(chunk: Chunk) -> bool:
    """Whether a person could read something that the model or a tool wrote in this part."""
    return chunk.is_data or chunk.type in (
        "text-delta",
        "reasoning-delta",
        "tool-call",
        "tool-call-delta",
        "tool-call-input-streaming-delta",
        "tool-result",
        "tool-error",
        "object",
        "object-result",
        "file",
        "source",
    )


def _marks(calls: list[HookCalled]) -> tuple[Mark, ...]:
    """Stretches of what these calls let out that rules made; intervals count over the block."""
    marks: list[Mark] = []
    shift = 0
    for call in calls:
        if not call.intervals:
            continue
        base = min(interval[2] for interval in call.intervals)
        for _, _, start, end, rule in call.intervals:
            if rule is not None and end > start:
                marks.append(Mark(start - base + shift, end - base + shift, rule))
        shift += max(interval[3] for interval in call.intervals) - base
    return tuple(marks)


def _model_cell(row: ChunkRow) -> Cell:
    if row.model is None:
        return NOTHING
    chunk = row.model.chunk
    text = delta_text(chunk)
    return Cell(
        "pass",
        chunk.type if text is None else text,
        outcome="pass",
        chunks=(chunk,),
        seqs=(row.model.seq,),
    )


def _client_cell(row: ChunkRow) -> Cell:
    if not row.delivered:
        return NOTHING
    chunks = tuple(event.chunk for event in row.delivered)
    text = joined_text(chunks)
    return Cell(
        "blocked" if chunks[-1].type == "tripwire" else "pass",
        text if text else chunks[-1].type,
        outcome="pass",
        chunks=chunks,
        seqs=tuple(event.seq for event in row.delivered),
    )
