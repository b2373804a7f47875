"""Text blocks: what each processor of the output chain was given, and what it let out.

A block is the text between ``text-start`` and ``text-end`` (or the reasoning between its marks) in
one attempt, rejected attempts too. All positions are UTF-16 code units counted over the block.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from tripscope.chunks import Chunk, Delta
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
from tripscope.trace.flows import Flow
from tripscope.trace.text_run import TextRun

KINDS: Final = ("text", "reasoning")

BlockKey: TypeAlias = tuple[int | None, int | None, str, str]
"""(step, attempt, kind, block id); the second block of one id has `` #2`` behind it, and so on."""


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
        self._of_id: dict[BlockKey, list[Block]] = {}
        """Those of one id in one attempt, in the order of their beginnings."""
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
        found = self._of_id.get((step, attempt, kind, block_id))
        if found is None:
            return None
        if index is None:
            return found[0]
        return found[max(bisect_right(found, index, key=_begins) - 1, 0)]

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
        same = self._of_id.setdefault(key, [])
        numbers = count(max(len(same) + 1, 2))
        while key in self.blocks:
            key = (*place, f"{block_id} #{next(numbers)}")
        here = getattr(event, "index", None)
        begins = self._starts.pop((kind, block_id), -1 if here is None else here)
        block = Block(key, id=block_id, begins=begins)
        self.blocks[key] = self._open[kind, block_id] = block
        same.append(block)
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


def _begins(block: Block) -> int:
    return block.begins


_KINDS: Final = {"text-delta": "text", "reasoning-delta": "reasoning"}
_HANDLERS: Final[dict[type, Callable[[BlockCollector, Any], None]]] = {
    HookCalled: BlockCollector._hook,
    ModelChunk: BlockCollector._model_chunk,
    Delivered: BlockCollector._delivered,
    HeldDropped: BlockCollector._held_dropped,
    AttemptEnded: BlockCollector._attempt_ended,
    RunEnded: BlockCollector._run_ended,
}
