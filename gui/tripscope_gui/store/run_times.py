"""Times of one run that are compared with another's: first text, longest hold, each part; in ns."""

from __future__ import annotations

from tripscope.chunks import delta_text
from tripscope.trace.events import Delivered
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chunk_rows import ChunkRow

FIRST_TEXT = "first text"
LONGEST_HOLD = "hold, longest"
END = "end"


def run_times(store: RunStore) -> dict[str, int | None]:
    """By name; None where there is nothing to measure."""
    first = first_text_row(store)
    times: dict[str, int | None] = {
        FIRST_TEXT: first.time if first is not None else None,
        LONGEST_HOLD: _longest_hold(store),
        END: store.totals.time,
    }
    for processor in store.chain:
        spent = store.calls.time.get(processor.id)
        times[f"in {processor.id}"] = spent
    return times


def first_text_row(store: RunStore) -> ChunkRow | None:
    """The row with which the client received its first text."""
    for seq in store.lanes.client.seqs:
        event = store.event(seq)
        if isinstance(event, Delivered) and delta_text(event.chunk):
            return store.rows.of_index(event.index)
    return None


def _longest_hold(store: RunStore) -> int | None:
    longest: int | None = None
    for lane in store.lanes.all:
        for start, end in zip(lane.holds.starts, lane.holds.ends, strict=False):
            if end >= start:  # one that is still open has no end yet
                longest = max(longest or 0, end - start)
    return longest
