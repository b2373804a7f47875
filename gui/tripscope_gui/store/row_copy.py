"""Chunk rows as text or JSON for the clipboard; matches are masked unless raw is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from tripscope.chunks import Chunk
from tripscope.patterns.units import join_surrogates
from tripscope.wire import JSON
from tripscope_gui.store.chunk_looks import look_of
from tripscope_gui.store.chunk_rows import ChunkRow
from tripscope_gui.store.run_index import RunIndex

MASK = "\u2022"


def row_text(index: RunIndex, row: ChunkRow, *, raw: bool) -> str:
    """A row on one line, its cells parted by tabs."""
    cells = [row.label, f"{row.time / 1e9:.3f} s", row.type]
    for column in index.store.rows.columns:
        look = look_of(index, row, column)
        text = look.text
        if not raw:
            for run in look.runs:
                if run.kind != "box":
                    text = text[: run.start] + MASK * (run.end - run.start) + text[run.end :]
        words = " ".join(part for part in (look.edge, text, look.hold) if part)
        cells.append(f"{column}: {words}".replace("\t", " ").replace("\n", "\u240a"))
    comment = index.notes.comment(row.number)
    return "\t".join([*cells, f"comment: {comment}"] if comment else cells)


def rows_text(index: RunIndex, rows: Iterable[ChunkRow], *, raw: bool) -> str:
    """Rows as lines."""
    return "\n".join(row_text(index, row, raw=raw) for row in rows)


def rows_json(index: RunIndex, rows: Sequence[ChunkRow], *, raw: bool) -> str:
    """Rows as a JSON array of what entered, each processor's outcome, and what was delivered."""
    values = [_row_json(index, row, raw=raw) for row in rows]
    return json.dumps(values, indent=2, ensure_ascii=True)


def _row_json(index: RunIndex, row: ChunkRow, *, raw: bool) -> JSON:
    def wire(chunk: Chunk, column: str) -> JSON:
        if raw:
            return chunk.to_wire()
        look = look_of(index, row, column)
        text = look.text
        for run in look.runs:
            if run.kind != "box":
                text = text[: run.start] + MASK * (run.end - run.start) + text[run.end :]
        return {"type": chunk.type, "text": join_surrogates(text)}

    part = row.part
    return {
        "chunk": row.number + 1,
        "timeNs": row.time,
        "step": row.step,
        "attempt": row.attempt,
        "part": wire(part, "model") if part is not None else None,
        "calls": [
            {"processor": call.processor, "outcome": call.outcome, "heldUtf16": call.held}
            for call in row.calls
        ],
        "delivered": [wire(event.chunk, "client") for event in row.delivered],
    }
