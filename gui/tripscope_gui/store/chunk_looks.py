"""How a cell of the chunks table looks: edge, runs of text, what is held; free of Qt.

Looks are made when a cell is painted. Spans of runs are code points of `Look.text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.chunks import delta_text
from tripscope.patterns.units import from_utf16_offset, join_surrogates, utf16_len
from tripscope.trace.blocks import Block
from tripscope_gui.store.block_runs import replaced_in
from tripscope_gui.store.calls import STOPPING
from tripscope_gui.store.chunk_rows import CLIENT, MODEL, Cell, ChunkRow
from tripscope_gui.store.chunk_words import words_of
from tripscope_gui.store.flow_map import Range, backward, depth_of, forward, range_of
from tripscope_gui.store.run_index import RunIndex

Edge: TypeAlias = Literal[
    "", "changed", "released", "flush", "leak", "blocked", "unscanned", "dropped", "flagged",
    "errored", "timed-out", "not-run",
]  # fmt: skip
RunKind: TypeAlias = Literal["match", "box", "leak"]
_KEPT: Final = 1200
"""No cell shows more code points than this of a chunk's text."""
NOTHING_YET: Final = "\u2013"


class LookRun(Struct, frozen=True):
    """``[start, end)`` in code points: a match, a replacement in its box, or leaked text.

    ``rules`` are rule numbers, the one that stands first is the winner; -1: a change by no rule.
    """

    start: int
    end: int
    kind: RunKind
    rules: tuple[int, ...] = ()


@dataclass(slots=True)
class Look:
    """One cell. ``hold`` words the hatch, which fills the cell if ``full``."""

    text: str = ""
    edge: Edge = ""
    runs: tuple[LookRun, ...] = ()
    mono: bool = True
    quiet: bool = False
    hold: str = ""
    full: bool = False
    tip: str = ""
    fitted: tuple[int, object] | None = field(default=None, compare=False)
    """Kept by whoever paints: (width, what fits it)."""

    @property
    def focus(self) -> Range | None:
        """The stretch that should stay in view when the text is cut."""
        if not self.runs:
            return None
        worst = [run for run in self.runs if run.kind == "leak"] or self.runs
        return worst[0].start, worst[0].end


def look_of(index: RunIndex, row: ChunkRow, column: str) -> Look:
    """The look of ``column`` (one of ``store.rows.columns``) for ``row``."""
    if column == MODEL:
        return _model_look(index, row)
    if column == CLIENT:
        return _client_look(index, row)
    return _processor_look(index, row, column)


def _model_look(index: RunIndex, row: ChunkRow) -> Look:
    part = row.part
    if part is None:
        return Look(NOTHING_YET, quiet=True, mono=False)
    text, written = words_of(part)
    own = row.model is None
    edge: Edge = "unscanned" if index.facts.unscanned(row) else ""
    tip = "No processor of the chain looks at this kind of text." if edge else ""
    if own and written:
        tip = tip or "Not from the model: the loop or a tool made this part."
    look = Look(text, edge, mono=written, quiet=not written or own, tip=tip)
    marks = index.marks.by_index.get(row.index, ()) if row.index is not None else ()
    block = index.store.block_of(row) if marks and index.ready else None
    stretch = range_of(block.model, row.index) if block is not None else None
    if stretch is None:
        return _cut(look)
    number = index.store.rules.number
    matches = [
        (max(m.start, stretch[0]) - stretch[0], min(m.end, stretch[1]) - stretch[0], number(m.rule))
        for m in sorted(marks, key=lambda m: (m.winner is not None, m.start - m.end))
    ]
    look.runs = _in_points(text, stacked(matches))
    return _cut(look)


def stacked(matches: Sequence[tuple[int, int, int]]) -> list[LookRun]:
    """Matches (start, end, rule number) cut where they overlap; those named first are in front."""
    edges = sorted({edge for start, end, _ in matches for edge in (start, end)})
    runs: list[LookRun] = []
    for start, end in pairwise(edges):
        rules = tuple(
            dict.fromkeys(rule for low, high, rule in matches if low <= start and end <= high)
        )
        if rules:
            runs.append(LookRun(start, end, "match", rules))
    return runs


def _client_look(index: RunIndex, row: ChunkRow) -> Look:
    cell = index.store.rows.cell(row, CLIENT)
    if cell.state == "nothing":
        if row.index is None:
            return Look(tip="The loop keeps this part; it does not go through the chain.")
        return Look(NOTHING_YET, quiet=True, mono=False)
    if cell.state == "blocked":
        payload = cell.chunks[-1].payload
        return _cut(Look(str(getattr(payload, "reason", "")), "blocked"))
    look = _text_look(index, row, CLIENT, cell)
    if look is None:
        return Look("delivered", mono=False, quiet=True)
    return look


def _processor_look(index: RunIndex, row: ChunkRow, column: str) -> Look:
    cell = index.store.rows.cell(row, column)
    hold = _hold(cell)
    match cell.state:
        case "nothing":
            return _not_called(row)
        case "held":
            return Look(hold=hold or "taken in, held unknown", full=True)
        case "dropped":
            return Look(f"\u2014 {cell.reason or 'dropped'}", "dropped", mono=False)
        case "blocked" | "errored" | "timed-out":
            return _cut(Look(cell.reason or _BAD_WORDS[cell.state], cell.state))
        case "unscanned":
            tip = f"{column} does not look at this kind of text."
            return Look("not scanned", "unscanned", mono=False, quiet=True, tip=tip)
    look = _text_look(index, row, column, cell)
    if look is None:
        words = "passed" if cell.state in ("pass", "released") else cell.state
        look = Look(words, mono=False, quiet=True)
    look.hold = hold
    return look


_BAD_WORDS: Final = {"blocked": "tripwire", "errored": "raised", "timed-out": "time used up"}


def _hold(cell: Cell) -> str:
    if cell.held is None:
        return ""
    return f"held {cell.held}" if cell.held else ""


def _not_called(row: ChunkRow) -> Look:
    cut = any(call.outcome in STOPPING for call in row.calls)
    if cut:
        tip = "A processor before this one ended the step."
        return Look("not run", "not-run", mono=False, quiet=True, tip=tip)
    if row.index is None:
        return Look(tip="The loop keeps this part; it does not go through the chain.")
    return Look(NOTHING_YET, quiet=True, mono=False)


def _text_look(index: RunIndex, row: ChunkRow, column: str, cell: Cell) -> Look | None:
    """The look of text that came out; None for a part that is no text."""
    if not any(delta_text(chunk) is not None for chunk in cell.chunks):
        return None
    text = cell.text
    block = _block_of(index, row, cell)
    if block is None:
        number = index.store.rules.number
        own = [LookRun(m.start, m.end, "box", (number(m.rule),)) for m in cell.marks]
        return _cut(Look(text, _edge(cell), _in_points(text, own)))
    depth = depth_of(block, column)
    run = (
        block.delivered
        if column == CLIENT
        else block.flows[depth].out
        if depth is not None
        else None
    )
    stretch = range_of(run, row.index) if run is not None else None
    if stretch is None:
        return _cut(Look(text, _edge(cell)))
    number = index.store.rules.number
    low, high = stretch
    runs = [
        LookRun(
            max(r.start, low) - low,
            min(r.end, high) - low,
            "box",
            (number(r.rule),) if r.rule else (-1,),
        )
        for r in replaced_in(block, column, low, high)
    ]
    leaked = [
        LookRun(max(a, low) - low, min(b, high) - low, "leak")
        for a, b in index.leaks.in_column(block, column).touching(low, high)
    ]
    edge = _edge(cell)
    if edge in ("", "released") and depth is not None:
        edge = "released" if _was_held(block, depth, row, low, high) else ""
    if edge == "flagged":
        runs = stacked(_flagged(index, row, block, column, low, high)) or runs
    elif column == CLIENT and leaked:
        edge = "leak"
    elif runs and edge in ("", "released"):
        edge = "changed"
    return _cut(Look(text, edge, _in_points(text, _apart(leaked, runs))))


def _was_held(block: Block, depth: int, row: ChunkRow, low: int, high: int) -> bool:
    """Whether text came out that the processor was given before this row."""
    flow = block.flows[depth]
    given = range_of(flow.given, row.index)
    first = next(backward(flow, low, high), None)
    return first is not None and (given is None or first[0] < given[0])


def _flagged(
    index: RunIndex, row: ChunkRow, block: Block, column: str, low: int, high: int
) -> list[tuple[int, int, int]]:
    depth = depth_of(block, column)
    if depth is None:
        return []
    return [
        (max(a, low) - low, min(b, high) - low, index.store.rules.number(finding.rule))
        for finding in index.store.findings_of_row(row)
        if finding.processor == column
        for a, b in forward(block.flows[depth], finding.start, finding.end)
        if a < high and b > low
    ]


def _apart(first: Sequence[LookRun], then: Iterable[LookRun]) -> list[LookRun]:
    """Runs that do not overlap, sorted; the first ones win."""
    taken = list(first)
    taken += [r for r in then if not any(r.start < t.end and t.start < r.end for t in first)]
    return sorted(taken, key=lambda run: run.start)


def _block_of(index: RunIndex, row: ChunkRow, cell: Cell) -> Block | None:
    """The block of the text that came out, which may be another than that of the part."""
    if not index.ready:
        return None
    for chunk in cell.chunks:
        if delta_text(chunk) is not None:
            kind = chunk.type.partition("-")[0]
            return index.store.blocks.get((row.step, row.attempt, kind, chunk.payload.id))
    return None


def _edge(cell: Cell) -> Edge:
    if cell.state == "flagged":
        return "flagged"
    if cell.flush:
        return "flush"
    if cell.state == "changed":
        return "changed"
    return "released" if cell.state == "released" else ""


def _in_points(text: str, runs: Sequence[LookRun]) -> tuple[LookRun, ...]:
    """Runs given in UTF-16 units of ``text`` as code points."""
    if text.isascii() or not runs:
        return tuple(runs)
    return tuple(
        LookRun(from_utf16_offset(text, r.start), _end_point(text, r.end), r.kind, r.rules)
        for r in runs
    )


def _end_point(text: str, end: int) -> int:
    point = from_utf16_offset(text, end)
    # an end inside a pair takes the whole character in
    return point + 1 if utf16_len(text[:point]) < end else point


def _cut(look: Look) -> Look:
    """Keep only what a cell could show, around the stretch that matters."""
    text = look.text
    if len(text) <= _KEPT:
        look.text = join_surrogates(text)
        return look
    focus = look.focus
    first = max(0, (focus[0] if focus else 0) - _KEPT // 2)
    last = first + _KEPT
    look.text = (
        ("\u2026" if first else "") + text[first:last] + ("\u2026" if last < len(text) else "")
    )
    shift = first - (1 if first else 0)
    look.runs = tuple(
        LookRun(max(r.start, first) - shift, min(r.end, last) - shift, r.kind, r.rules)
        for r in look.runs
        if r.start < last and r.end > first
    )
    return look
