"""The text of a block at each place of the chain, put together from the chunk rows when asked for.

A block is ``text-start`` to ``text-end`` (or reasoning) of one attempt. Offsets are UTF-16 code
units.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from tripscope.chunks import BlockEdge, Chunk, Delta
from tripscope.patterns.units import join_surrogates, utf16_len
from tripscope.trace.events import ModelChunk
from tripscope_gui.store.chunk_rows import CLIENT, MODEL, ChunkRow, ChunkRows


@dataclass(slots=True)
class BlockText:
    """Text of one block at one column. Piece k came out for row ``rows[k]`` at ``starts[k]``."""

    column: str
    pieces: list[str] = field(default_factory=list)
    rows: array[int] = field(default_factory=lambda: array("q"))
    starts: array[int] = field(default_factory=lambda: array("q"))
    length: int = 0
    next_row: int = 0

    @property
    def text(self) -> str:
        """All pieces, halves of a character joined."""
        return join_surrogates("".join(self.pieces))

    def row_at(self, offset: int) -> int | None:
        """Row whose piece holds the unit at ``offset``."""
        place = bisect_right(self.starts, offset) - 1
        return self.rows[place] if place >= 0 else None

    def span_of(self, number: int) -> tuple[int, int] | None:
        """(start, end) of what came out for a row; None if nothing did."""
        first = last = None
        for place, row in enumerate(self.rows):
            if row == number:
                first = place if first is None else first
                last = place
            elif row > number:
                break
        if first is None or last is None:
            return None
        end = self.starts[last + 1] if last + 1 < len(self.starts) else self.length
        return self.starts[first], end


@dataclass(slots=True)
class Block:
    """One text block of one attempt; ``kind`` is ``text`` or ``reasoning``."""

    step: int | None
    attempt: int | None
    id: str
    kind: str
    first_row: int
    last_row: int | None = None
    texts: dict[str, BlockText] = field(default_factory=dict)


class Blocks:
    """All blocks in the order in which the model opened them."""

    def __init__(self, rows: ChunkRows) -> None:
        self._rows = rows
        self.all: list[Block] = []
        self._by_key: dict[tuple[int | None, int | None, str], Block] = {}

    def add(self, event: ModelChunk, row: ChunkRow) -> None:
        """Note where blocks begin and end."""
        payload = event.chunk.payload
        if type(payload) is not Delta and type(payload) is not BlockEdge:
            return
        key = (event.step, event.attempt, payload.id)
        block = self._by_key.get(key)
        kind = event.chunk.type
        if block is None or (kind.endswith("-start") and block.last_row is not None):
            block = Block(*key, kind=kind.partition("-")[0], first_row=row.number)
            self.all.append(block)
            self._by_key[key] = block
        elif kind.endswith("-end"):
            block.last_row = row.number

    def get(self, step: int | None, attempt: int | None, block: str) -> Block | None:
        """The block, the newest if its id was used twice."""
        return self._by_key.get((step, attempt, block))

    def of_attempt(self, step: int | None, attempt: int | None) -> list[Block]:
        """Blocks of one attempt in order."""
        return [b for b in self.all if b.step == step and b.attempt == attempt]

    def at_row(self, number: int) -> Block | None:
        """The block that the part of a row belongs to."""
        row = self._rows[number]
        part = row.part
        payload = part.payload if part is not None else None
        if type(payload) is not Delta and type(payload) is not BlockEdge:
            return None
        return self.get(row.step, row.attempt, payload.id)

    def text(self, block: Block, column: str) -> BlockText:
        """The block's text as it left ``column``, up to the newest row; kept and grown."""
        found = block.texts.get(column)
        if found is None:
            found = block.texts[column] = BlockText(column, next_row=block.first_row)
        self._grow(block, found)
        return found

    def _grow(self, block: Block, text: BlockText) -> None:
        # The newest row may still get more; the pieces that it gave are taken anew.
        end = len(self._rows)
        while text.pieces and text.rows[-1] >= text.next_row:
            text.length = text.starts.pop()
            text.rows.pop()
            text.pieces.pop()
        for number in range(text.next_row, end):
            row = self._rows[number]
            if (row.step, row.attempt) != (block.step, block.attempt):
                end = number
                break
            for piece in _pieces(row, text.column, block.id):
                text.pieces.append(piece)
                text.rows.append(number)
                text.starts.append(text.length)
                text.length += utf16_len(piece)
        text.next_row = max(text.next_row, end - 1)


def _pieces(row: ChunkRow, column: str, block: str) -> Iterable[str]:
    for chunk in _chunks(row, column):
        payload = chunk.payload
        if type(payload) is Delta and payload.id == block:
            yield payload.text


def _chunks(row: ChunkRow, column: str) -> Iterable[Chunk]:
    if column == MODEL:
        return (row.model.chunk,) if row.model is not None else ()
    if column == CLIENT:
        return (event.chunk for event in row.delivered)
    return (c for call in row.calls if call.processor == column for c in call.out or ())
