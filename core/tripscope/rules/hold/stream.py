"""The stream half of a filter under ``streamHold: complete``.

Text and the parts between it wait in one queue, so that their order is kept. What a block of text
has let go of leaves from the front of the queue.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, TypeAlias

from msgspec import Struct, field

from tripscope.chunks import Chunk
from tripscope.errors import HookError
from tripscope.patterns.units import spread, utf16_len
from tripscope.processor import ProcessOutputStreamArgs
from tripscope.rules import findings
from tripscope.rules.budget import Ledger
from tripscope.rules.carryover import is_rejection, text_of, with_text
from tripscope.rules.hold.block import Block
from tripscope.rules.redaction import Redaction, redact
from tripscope.rules.regions import Found, Region
from tripscope.rules.reporting import Reporter
from tripscope.wire import JSON

HOOK: Final = "processOutputStream"
STATE_KEY: Final = "regexFilterHold"
MAX_WAITING: Final = 256
_CLOSING: Final = frozenset({"step-finish", "finish", "error", "step-start"})
_LONG_DELTA: Final = 20_000


class _Piece(Struct):
    """Text of a block in the queue, up to ``end`` of the block, as it came in ``part``."""

    block: Block
    end: int
    part: Chunk


_Entry: TypeAlias = _Piece | Chunk


class HoldState(Struct):
    """What such a filter remembers in one run."""

    blocks: dict[str, Block] = field(default_factory=dict)
    queue: deque[_Entry] = field(default_factory=deque)
    waiting: int = 0
    attempt: int = 0
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def held(self) -> int:
        """UTF-16 units that have come in and not left."""
        blocks = {id(e.block): e.block for e in self.queue if isinstance(e, _Piece)}
        return sum(block.taken - block.left for block in blocks.values())

    def measured(self) -> tuple[str, int, JSON] | None:
        """What the rules searched since this was last asked."""
        return self.ledger.measured()

    def to_wire(self) -> dict[str, JSON]:
        """What a trace shows of it."""
        return {"held": self.held, "waiting": self.waiting}


class HoldStream:
    """Blocks, redacts or flags text deltas, none of which leaves while a rule is uncertain."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._options = reporter.options

    async def run(self, args: ProcessOutputStreamArgs) -> Chunk | list[Chunk] | None:
        """Take a part in; give what may leave now.

        Raises:
            TripWire: something matched under ``block``.
            HookTimeout: a rule could not be checked under ``block`` or ``redact``.
            HookError: more than 256 parts wait behind held text.
        """
        own = args.state.get(STATE_KEY)
        if not isinstance(own, HoldState):
            own = args.state[STATE_KEY] = HoldState()
        part = args.part
        if own.attempt != args.retry_count or is_rejection(part):
            own.blocks, own.queue, own.waiting = {}, deque(), 0
            own.attempt = args.retry_count
        if text := text_of(part):
            await self._take(args, own, spread(text))
        else:
            await self._pass_by(args, own)
        out = await self._leave(args, own)
        args.probe.held(own.held)
        return out[0] if len(out) == 1 else (out or None)

    async def _take(self, args: ProcessOutputStreamArgs, own: HoldState, units: str) -> None:
        block = own.blocks.get(_block_id(args.part))
        if block is None:
            block = Block(self._reporter.searcher, self._options.budget, own.ledger)
            own.blocks[_block_id(args.part)] = block
        if len(units) > _LONG_DELTA:
            await asyncio.to_thread(block.take, units)
        else:
            block.take(units)
        last = own.queue[-1] if own.queue else None
        if isinstance(last, _Piece) and last.block is block:
            last.end = block.taken
        else:
            own.queue.append(_Piece(block, block.taken, args.part))
        await self._decide(args, block)

    async def _pass_by(self, args: ProcessOutputStreamArgs, own: HoldState) -> None:
        part = args.part
        if part.type in _CLOSING:
            closed = list(own.blocks.values())
            own.blocks = {}
        elif part.type in ("text-start", "text-end"):
            one = own.blocks.pop(_block_id(part), None)
            closed = [] if one is None else [one]
        else:
            closed = []
        for block in closed:
            if block.reads_all:
                await asyncio.to_thread(block.close)
            else:
                block.close()
            await self._decide(args, block)
        own.queue.append(part)
        own.waiting += 1

    async def _decide(self, args: ProcessOutputStreamArgs, block: Block) -> None:
        """Act on what has become certain in a block."""
        for over in block.unchecked:
            self._reporter.timed_out(args, HOOK, over)
        block.unchecked.clear()
        if self._options.strategy == "redact":
            return
        hold = block.hold
        if hold <= block.told:
            return
        new = [match for match in block.final_matches() if block.told <= match.start < hold]
        block.told = max(block.told, min(hold, block.taken))
        if not new:
            return
        units = block.text.cut(min(match.start for match in new))
        base = block.taken - len(units)
        shown = [Found(m.rule, m.start - base, m.end - base) for m in new]
        blocks = self._options.strategy == "block"
        findings.matched(
            args.probe,
            "blocked" if blocks else "flagged",
            shown,
            units,
            offset=base,
            with_values=self._options.include_redacted_values,
        )
        if blocks:
            self._reporter.block(args, new, "streaming content")
        await self._reporter.warn(args, "Matched streaming patterns", [(units, shown)])

    async def _leave(self, args: ProcessOutputStreamArgs, own: HoldState) -> list[Chunk]:
        out: list[Chunk] = []
        while own.queue:
            entry = own.queue[0]
            if isinstance(entry, Chunk):
                own.queue.popleft()
                own.waiting -= 1
                out.append(entry)
                continue
            if (delta := await self._let_out(args, entry)) is not None:
                out.append(delta)
            if entry.end > entry.block.left:
                break
            own.queue.popleft()
        if own.waiting > MAX_WAITING:
            raise HookError(
                f"more than {MAX_WAITING} parts wait behind text that no rule has decided on; "
                "give the rules a bound, or use streamHold 'window'",
                processor_id=self._reporter.owner.id,
                hook=HOOK,
            )
        return out

    async def _let_out(self, args: ProcessOutputStreamArgs, piece: _Piece) -> Chunk | None:
        """One delta of what may leave of this piece.

        A region that goes on behind a part that waits leaves as a whole, in front of it.
        """
        block = piece.block
        start = block.left
        end = min(block.sure, piece.end)
        if end <= start:
            return None
        regions: list[Region] = []
        if self._options.strategy == "redact":
            regions = [region for region in block.regions() if region.start < end]
        if regions:
            end = max(end, regions[-1].end)
        units = block.text.cut(start, end)
        text, redactions = redact(units, [_moved(region, start) for region in regions])
        self._tell(args, block, units, start, redactions)
        block.leave(end)
        block.let_out += utf16_len(text)
        await self._reporter.redacted(HOOK, redactions)
        return with_text(piece.part, text) if text else None

    def _tell(
        self,
        args: ProcessOutputStreamArgs,
        block: Block,
        units: str,
        start: int,
        redactions: list[Redaction],
    ) -> None:
        findings.redacted(
            args.probe,
            redactions,
            units,
            offset=start,
            with_values=self._options.include_redacted_values,
        )
        args.probe.emit(
            list(findings.intervals(redactions, len(units), given=start, let_out=block.let_out))
        )


def _block_id(part: Chunk) -> str:
    payload = part.payload
    id = payload.get("id") if isinstance(payload, dict) else getattr(payload, "id", None)
    return id if isinstance(id, str) else ""


def _moved(region: Region, by: int) -> Region:
    """The region counted from another place."""
    members = [Found(m.rule, m.start - by, m.end - by) for m in region.members]
    owner = members[region.members.index(region.owner)]
    return Region(region.start - by, region.end - by, owner, members)
