"""From a place in a text to its cause: the finding, the model's chunks, the raw frame."""

from __future__ import annotations

from collections.abc import Iterator

from tripscope.trace.events import FindingMade
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.selection import Selection, Span
from tripscope_gui.store.chunk_rows import ChunkRow
from tripscope_gui.store.flow_map import depth_of, pieces_of, range_of
from tripscope_gui.store.followed import Followed, StreamSource
from tripscope_gui.store.points import carry
from tripscope_gui.store.run_index import RunIndex


def walk_to_cause(
    index: RunIndex, followed: Followed, finding: FindingMade, run: int | None
) -> list[Selection]:
    """Selections, one per step: the finding at its first chunk, its other chunks, raw frames."""
    start = selection_of(run, index.store, finding)
    rows = list(_model_rows(index, followed, finding))
    if not rows:
        return [start]
    steps = [start.with_(row=rows[0].number)]
    steps += [
        start.with_(row=row.number, seq=row.model.seq if row.model is not None else None)
        for row in rows
    ]
    for row in rows:
        frame = raw_frame_of(index, row)
        if frame is not None:
            steps.append(start.with_(row=row.number, seq=frame))
    return steps


def _model_rows(index: RunIndex, followed: Followed, finding: FindingMade) -> Iterator[ChunkRow]:
    if not isinstance(followed.source, StreamSource):
        return
    block = followed.block
    depth = depth_of(block, finding.processor)
    if depth is None:
        return
    seen: set[int] = set()
    for low, high in carry(block, finding.start, finding.end, depth - 1, -1):
        for part, _, _ in pieces_of(block.model, low, high):
            row = index.store.rows.of_index(part)
            if row is not None and part not in seen:
                seen.add(part)
                yield row


def raw_frame_of(index: RunIndex, row: ChunkRow) -> int | None:
    """``seq`` of the frame that a model's chunk was read from: the newest one before it."""
    if row.model is None:
        return None
    frames = index.store.raw_frames.get(row.model.call, ())
    found = None
    for frame in frames:
        if frame.seq > row.model.seq:
            break
        found = frame.seq
    return found


def chunk_selection(index: RunIndex, followed: Followed, offset: int) -> Selection | None:
    """The model's chunk at an offset of its text; None for a text that did not come in chunks."""
    block = followed.block
    if not isinstance(followed.source, StreamSource):
        return None
    for part, _, _ in pieces_of(block.model, offset, offset + 1):
        row = index.store.rows.of_index(part)
        whole = range_of(block.model, part)
        if row is not None and whole is not None:
            return Selection(
                step=row.step,
                attempt=row.attempt,
                row=row.number,
                seq=row.model.seq if row.model is not None else None,
                span=Span(*whole, block=block.key[3]),
            )
    return None
