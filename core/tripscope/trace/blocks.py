"""Text blocks: what each processor of the output chain was given, and what it let out.

A block is the text between ``text-start`` and ``text-end`` (or the reasoning between its marks) in
one attempt, rejected attempts too. All positions are UTF-16 code units counted over the block.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, count
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from tripscope.chunks import Chunk, Delta
from tripscope.patterns.units import join_surrogates, spread, utf16_len
from tripscope.processor import Interval
from tripscope.trace.events import (
    AnyEvent,
    AttemptEnded,
    Delivered,
    FindingMade,
    HeldDropped,
    HookCalled,
    ModelChunk,
    RunEnded,
)

CHANGED: Final = ""
"""Rule of an inferred interval: the call changed its text, and named no rule."""

KINDS: Final = ("text", "reasoning")

BlockKey: TypeAlias = tuple[int | None, int | None, str, str]
"""(step, attempt, kind, block id); the second block of one id has `` #2`` behind it, and so on."""


class TextRun(Struct):
    """Pieces of text in order of arrival, each with the index of the part that it came with."""

    indexes: array[int] = field(default_factory=lambda: array("q"))
    starts: array[int] = field(default_factory=lambda: array("Q"))
    texts: list[str] = field(default_factory=list)
    length: int = 0
    _joined: tuple[int, str] = (0, "")
    """How many pieces `text` has put together, and what they make: a long text is asked for often
    while it grows."""

    def add(self, index: int, text: str) -> None:
        """Append a piece."""
        self.indexes.append(index)
        self.starts.append(self.length)
        self.texts.append(text)
        self.length += len(text) if text.isascii() else utf16_len(text)

    def copy(self) -> TextRun:
        """The same pieces, to go on otherwise."""
        return TextRun(self.indexes[:], self.starts[:], self.texts[:], self.length, self._joined)

    @property
    def text(self) -> str:
        """All pieces; halves of a surrogate pair that meet are one character."""
        done, text = self._joined
        count = len(self.texts)
        if done < count:
            more = "".join(self.texts[done:count])
            if "\ud800" <= text[-1:] <= "\udbff":
                text, more = text[:-1], text[-1] + more
            text += join_surrogates(more)
            self._joined = (count, text)
        return text

    def units(self, start: int, end: int) -> str:
        """The stretch ``[start, end)``, one character per UTF-16 unit."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        last = bisect_right(self.starts, max(end - 1, start))
        low = self.starts[first] if self.starts else 0
        return spread("".join(self.texts[first:last]))[start - low : end - low]

    def index_at(self, offset: int) -> int:
        """The part index of the piece that holds position ``offset``."""
        return self.indexes[bisect_right(self.starts, offset) - 1]

    def has(self, index: int | None) -> bool:
        """Whether a piece came with the part of that index."""
        at = bisect_right(self.indexes, -1 if index is None else index) - 1
        return at >= 0 and self.indexes[at] == index

    def indexes_of(self, start: int, end: int) -> list[int]:
        """The part indexes of all pieces that touch ``[start, end)``."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        last = bisect_right(self.starts, max(end - 1, start))
        return self.indexes[first:last].tolist()


class Stretches:
    """Intervals to look up by where they stand in what a processor was given."""

    def __init__(self, intervals: Iterable[Interval]) -> None:
        self._sorted = sorted(intervals, key=lambda interval: interval[:2])
        self._ends = list(accumulate((interval[1] for interval in self._sorted), max))

    def touching(self, start: int, end: int) -> Iterator[Interval]:
        """Those that share a unit with ``[start, end)``, in order."""
        for at in range(bisect_right(self._ends, start), len(self._sorted)):
            interval = self._sorted[at]
            if interval[0] >= end:
                return
            if interval[1] > start:
                yield interval


class Flow(Struct):
    """One processor's part of a block.

    ``intervals`` are as told to the probe, or inferred per call (``probed`` false); the newest one
    grows while text is let through. ``held`` None: it took text in, and did not say how much it
    keeps. ``dropped``: units it still held when the
    attempt was cut. ``refused``: units of the part at which it aborted or raised. ``out`` is
    ``given`` itself as long as every call let out what it was given, and told nothing.
    """

    processor: str
    given: TextRun = field(default_factory=TextRun)
    out: TextRun = field(default_factory=TextRun)
    intervals: list[Interval] = field(default_factory=list)
    probed: bool = False
    held: int | None = 0
    dropped: int = 0
    refused: int = 0
    _pending: int = 0

    def relay(self, index: int, text: str) -> bool:
        """Take text that it let through as it came and told nothing of, as all before.

        Nothing is to be worked out then. False if it did otherwise before: see `take`.
        """
        given = self.given
        if self.out is not given:
            if self.probed or given.texts or self.out.texts:
                return False
            self.out = given
        given.add(index, text)
        end = given.length
        if end:
            self.intervals = [(0, end, 0, end, None)]
        return True

    def take(self, event: HookCalled, index: int, given_here: Delta | None, block_id: str) -> None:
        """Account for one hook call of this block's processor.

        ``given_here``: what the part brought to this block, if anything.
        """
        part, out, given = event.part, event.out, self.given
        if self.out is given:
            self.out = given.copy()
            self._pending = given.length
        start, out_start = given.length, self.out.length
        if given_here is not None:
            given.add(index, given_here.text)
        if out is None:
            self.refused += given.length - start
            return
        passed_on: list[Delta] = []
        for chunk in out:
            delta = given_here if chunk is part else _delta_of(chunk, block_id)
            if delta is not None:
                self.out.add(index, delta.text)
                passed_on.append(delta)
        held, intervals = event.held, event.intervals
        if held is not None or intervals is not None:
            self.probed = True
            for interval in intervals or ():
                self._add(interval)
            if held is not None:
                self.held = held
        elif not self.probed:
            same = passed_on == ([given_here] if given_here is not None else [])
            self._infer(start, out_start, same=same)

    def _infer(self, start: int, out_start: int, *, same: bool) -> None:
        end, out_end = self.given.length, self.out.length
        if same and self._pending == start:
            if end > start:
                self._add((start, end, out_start, out_end, None))
            self._pending = end
        elif out_end > out_start:
            self.intervals.append((self._pending, end, out_start, out_end, CHANGED))
            self._pending = end
        self.held = 0 if self._pending == end else None

    def _add(self, interval: Interval) -> None:
        """What is let through call after call is one interval: a long text has few of them."""
        start, end, out_start, out_end, rule = interval
        if rule is None and self.intervals and end - start == out_end - out_start > 0:
            first, middle, out_first, out_middle, before = self.intervals[-1]
            joins = middle == start and out_middle == out_start and before is None
            if joins and middle - first == out_middle - out_first:
                self.intervals[-1] = (first, end, out_first, out_end, None)
                return
        self.intervals.append(interval)


class Block(Struct):
    """One text block of one attempt through the whole chain.

    ``id`` is what its chunks have, ``begins`` the index of the part that opened it. ``closed``: its
    end came from the model. ``cut``: the attempt ended otherwise than accepted before that;
    ``rejected``: before or after.
    """

    key: BlockKey
    model: TextRun = field(default_factory=TextRun)
    flows: list[Flow] = field(default_factory=list)
    delivered: TextRun = field(default_factory=TextRun)
    closed: bool = False
    cut: bool = False
    rejected: bool = False
    id: str = ""
    begins: int = -1

    @property
    def kind(self) -> str:
        """``text`` or ``reasoning``."""
        return self.key[2]

    def flow(self, processor: str) -> Flow:
        """The flow of ``processor``; made, in order of first call, when it is new."""
        for flow in self.flows:
            if flow.processor == processor:
                return flow
        self.flows.append(Flow(processor))
        return self.flows[-1]


class BlockCollector:
    """Builds the blocks of a run from its events, one at a time, in O(1) each."""

    def __init__(self, events: Iterable[AnyEvent] = ()) -> None:
        self.blocks: dict[BlockKey, Block] = {}
        self._open: dict[tuple[str, str], Block] = {}
        self._of_attempt: list[Block] = []
        self._chunk: Chunk | None = None
        """The piece of text that was at hand last: most events have that of the one before."""
        self._block: Block | None = None
        """Its block."""
        self._starts: dict[tuple[str, str], int] = {}
        self.extend(events)

    def add(self, event: AnyEvent) -> None:
        """Take in the next event of the run."""
        self.extend((event,))

    def extend(self, events: Iterable[AnyEvent]) -> None:
        """Take in the next events of the run."""
        handlers = _HANDLERS
        for event in events:
            handler = handlers.get(type(event))
            if handler is not None:
                handler(self, event)

    def at(
        self, step: int | None, attempt: int | None, kind: str, block_id: str, index: int | None
    ) -> Block | None:
        """The block that chunks of ``block_id`` belong to at the part of that index.

        A model may use an id again in one attempt, once the block that had it is over.
        """
        found = self.blocks.get((step, attempt, kind, block_id))
        if found is None or index is None:
            return found
        for nth in count(2):
            later = self.blocks.get((step, attempt, kind, f"{block_id} #{nth}"))
            if later is None or later.begins > index:
                break
            found = later
        return found

    def of_finding(self, finding: FindingMade) -> Block | None:
        """The block that a finding of the stream lies in; None for one in a message."""
        if finding.block is None:
            return None
        where = (finding.step, finding.attempt)
        found = [self.at(*where, kind, finding.block, finding.index) for kind in KINDS]
        # text and reasoning have ids of their own, that may be the same
        exact = (block for block in found if block is not None and block.model.has(finding.index))
        return next(exact, next((block for block in found if block is not None), None))

    def _block_of(self, event: AnyEvent, chunk: Chunk) -> Block | None:
        """The block that a piece of text belongs to; None for what is no text."""
        if chunk is self._chunk:
            return self._block
        payload = chunk.payload
        kind = _KINDS.get(chunk.type) if type(payload) is Delta else None
        if kind is None:
            return None
        block = self._open.get((kind, payload.id))
        if block is None or block.key[0] != event.step or block.key[1] != event.attempt:
            block = self._begin(event, kind, payload.id)
        self._chunk, self._block = chunk, block
        return block

    def _begin(self, event: AnyEvent, kind: str, block_id: str) -> Block:
        place = (event.step, event.attempt, kind)
        key: BlockKey = (*place, block_id)
        for nth in count(2):
            if key not in self.blocks:
                break
            key = (*place, f"{block_id} #{nth}")
        here = getattr(event, "index", None)
        begins = self._starts.pop((kind, block_id), -1 if here is None else here)
        block = Block(key, id=block_id, begins=begins)
        self.blocks[key] = self._open[kind, block_id] = block
        self._of_attempt.append(block)
        return block

    def _model_chunk(self, event: ModelChunk) -> None:
        chunk = event.chunk
        block = self._block_of(event, chunk)
        if block is not None:
            index = event.index
            block.model.add(-1 if index is None else index, chunk.payload.text)
            return
        kind, _, what = chunk.type.partition("-")
        if kind not in KINDS:
            return
        open_block = self._open.get((kind, getattr(chunk.payload, "id", "")))
        if open_block is None:
            return
        if what == "end":
            open_block.closed = True
        elif what == "start" and open_block.closed:
            del self._open[kind, open_block.id]  # the next one has the same id
            self._chunk = None
            if event.index is not None:
                self._starts[kind, open_block.id] = event.index

    def _hook(self, event: HookCalled) -> None:
        part, processor, index, out = event.part, event.processor, event.index, event.out
        if part is None or processor is None or index is None:
            return
        if event.hook != "processOutputStream":
            return
        block = self._block_of(event, part)
        if block is not None:
            flow = block.flow(processor)
            if out is not None and len(out) == 1 and out[0] is part:
                told = event.held is not None or event.intervals is not None
                if not told and flow.relay(index, part.payload.text):
                    return
            flow.take(event, index, part.payload, block.id)
        # it belongs to its part, and to any other block whose text it lets out
        others: dict[BlockKey, Block] = {}
        for chunk in out or ():
            if chunk is not part:
                other = self._block_of(event, chunk)
                if other is not None and other is not block:
                    others[other.key] = other
        for other in others.values():
            other.flow(processor).take(event, index, None, other.id)

    def _delivered(self, event: Delivered) -> None:
        chunk = event.chunk
        block = self._block_of(event, chunk)
        if block is not None:
            block.delivered.add(event.index if event.index is not None else -1, chunk.payload.text)

    def _held_dropped(self, event: HeldDropped) -> None:
        if event.processor is None:
            return
        for block in self._of_attempt:
            for flow in block.flows:
                if flow.processor == event.processor and flow.held:
                    flow.dropped += event.units
                    flow.held = 0
                    return

    def _attempt_ended(self, event: AttemptEnded) -> None:
        self._over(cut=event.outcome != "pass")

    def _run_ended(self, _event: RunEnded) -> None:
        self._over(cut=True)

    def _over(self, *, cut: bool) -> None:
        for block in self._of_attempt:
            block.rejected = block.rejected or cut
            block.cut = block.cut or (cut and not block.closed)
        self._open.clear()
        self._starts.clear()
        self._of_attempt.clear()
        self._chunk = None


def _delta_of(chunk: Chunk, block_id: str) -> Delta | None:
    payload = chunk.payload
    return payload if type(payload) is Delta and payload.id == block_id else None


_KINDS: Final = {"text-delta": "text", "reasoning-delta": "reasoning"}
_HANDLERS: Final[dict[type, Callable[[BlockCollector, Any], None]]] = {
    HookCalled: BlockCollector._hook,
    ModelChunk: BlockCollector._model_chunk,
    Delivered: BlockCollector._delivered,
    HeldDropped: BlockCollector._held_dropped,
    AttemptEnded: BlockCollector._attempt_ended,
    RunEnded: BlockCollector._run_ended,
}
