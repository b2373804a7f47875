"""Text that left in two runs, side by side: sections by attempt, in pieces that differ or not.

Free of Qt. What is long is cut in its middle, and the number of UTF-16 units left out is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.patterns.units import OffsetMap, utf16_len
from tripscope.trace.blocks import Block, BlockKey
from tripscope.trace.lineage import through
from tripscope.trace.text_diff import TextOp, text_diff
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.attempts import attempt_words
from tripscope_gui.store.statuses import ending_words

PieceKind: TypeAlias = Literal["same", "removed", "added", "left out"]
By: TypeAlias = Literal["words", "characters"]
_LONGEST_SAME: Final = 360
_LONGEST_CHANGED: Final = 240
_MOST_SECTIONS: Final = 60
_DOTS: Final = "\N{HORIZONTAL ELLIPSIS}"


class Piece(Struct, frozen=True):
    """A stretch of one side's text; ``rule``: the name of the rule that put it there."""

    kind: PieceKind
    text: str
    rule: str | None = None


class Section(Struct, frozen=True):
    """A text block of one attempt. A side that has no such block has no pieces and no outcome.

    ``words``: what became of the attempt on either side.
    """

    title: str
    outcomes: tuple[str | None, str | None]
    words: tuple[str, str]
    sides: tuple[tuple[Piece, ...], tuple[Piece, ...]]
    same: bool


def sections(
    stores: tuple[RunStore, RunStore],
    blocks: tuple[dict[BlockKey, Block], dict[BlockKey, Block]],
    *,
    by: By,
    different_only: bool,
) -> list[Section]:
    """The text blocks of both runs in order; the client's text of each."""
    keys = sorted(
        {key for side in blocks for key, block in side.items() if key[2] == "text"},
        key=lambda key: (-1 if key[0] is None else key[0], key[1] or 0, key[3]),
    )
    found: list[Section] = []
    for key in keys:
        pair = (blocks[0].get(key), blocks[1].get(key))
        texts = tuple(block.delivered.text if block is not None else "" for block in pair)
        same = texts[0] == texts[1]
        if not any(texts):
            continue
        ops = text_diff(texts[0], texts[1], by=by)
        sides = tuple(
            tuple(_pieces(ops, side, texts[side], pair[side], cut=different_only))
            for side in (0, 1)
        )
        looks = [_outcome(stores[side], key, texts[side]) for side in (0, 1)]
        found.append(
            Section(
                attempt_words(*key[:2]),
                (looks[0][0], looks[1][0]),
                (looks[0][1], looks[1][1]),
                (sides[0], sides[1]),
                same,
            )
        )
    if different_only and any(not section.same for section in found):
        found = [section for section in found if not section.same]
    return found[:_MOST_SECTIONS]


def text_sides(
    before: str, after: str, *, by: By, cut: bool
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Two texts in pieces that differ or not; ``cut``: long ones are cut in their middle."""
    ops = text_diff(before, after, by=by)
    return (
        tuple(_pieces(ops, 0, before, None, cut=cut)),
        tuple(_pieces(ops, 1, after, None, cut=cut)),
    )


def _outcome(store: RunStore, key: BlockKey, text: str) -> tuple[str | None, str]:
    step, number = key[:2]
    if step is None:
        return None, ""
    attempt = next(
        (a for a in store.attempts.all if (a.step, a.attempt) == (step, number or 0)), None
    )
    if attempt is None:
        return None, "no such attempt"
    if attempt.rejected:
        return "blocked", "rejected, but this had left" if text else "rejected, nothing had left"
    if attempt.outcome is None:
        return None, "still running"
    return attempt.outcome, ending_words(attempt.outcome)


def _pieces(
    ops: Sequence[TextOp], side: int, text: str, block: Block | None, *, cut: bool
) -> Iterator[Piece]:
    changed: PieceKind = "added" if side else "removed"
    rules = _placeholders(block, text) if block is not None else []
    for what, *edges in ops:
        start, end = edges[2 * side], edges[2 * side + 1]
        if start == end:
            continue
        kind: PieceKind = "same" if what == "equal" else changed
        pieces = list(_by_rule(kind, text, start, end, rules))
        longest = _LONGEST_SAME if kind == "same" else _LONGEST_CHANGED
        yield from _shortened(pieces, longest) if cut and end - start > longest else pieces


def _placeholders(block: Block, text: str) -> list[tuple[int, int, str]]:
    """Code points of the client's text that a rule put there: (start, end, rule)."""
    offsets = OffsetMap(text)
    return sorted(
        (offsets.to_index(s.out_start), offsets.to_index(s.out_end), s.rule)
        for s in through(block)
        if s.fate == "replaced" and s.rule and s.out_end > s.out_start
    )


def _by_rule(
    kind: PieceKind, text: str, start: int, end: int, rules: Sequence[tuple[int, int, str]]
) -> Iterator[Piece]:
    at = start
    for low, high, rule in rules:
        low, high = max(low, at), min(high, end)
        if low >= high:
            continue
        if low > at:
            yield Piece(kind, text[at:low])
        yield Piece(kind, text[low:high], rule)
        at = high
    if at < end:
        yield Piece(kind, text[at:end])


def _shortened(pieces: Sequence[Piece], longest: int) -> Iterator[Piece]:
    """The beginning and the end, and between them how much is left out."""
    head, tail = longest // 2, longest // 3
    total = sum(len(piece.text) for piece in pieces)
    at = left_out = 0
    shown_gap = False
    for piece in pieces:
        start, end = at, at + len(piece.text)
        at = end
        first = piece.text[: max(0, head - start)]
        last_from = max(len(first), total - tail - start)
        last = piece.text[last_from:] if last_from < len(piece.text) else ""
        if first:
            yield Piece(piece.kind, first, piece.rule)
        left_out += utf16_len(piece.text[len(first) : len(piece.text) - len(last)])
        if last:
            if not shown_gap:
                shown_gap = True
                yield Piece("left out", f" {_DOTS} {left_out:,} UTF-16 units more {_DOTS} ")
            yield Piece(piece.kind, last, piece.rule)
