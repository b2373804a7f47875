"""Which stretch of a text that is followed a selection speaks of."""

from __future__ import annotations

from typing import NamedTuple

from tripscope.trace.events import FindingMade
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.chunk_rows import CLIENT
from tripscope_gui.store.flow_map import depth_of, range_of
from tripscope_gui.store.followed import Followed, StreamSource


class DeepRange(NamedTuple):
    """A stretch of the text at a depth, in UTF-16 code units.

    Depths are those of `tripscope_gui.store.points`.
    """

    start: int
    end: int
    depth: int


def selected_range(store: RunStore, followed: Followed, selection: Selection) -> DeepRange | None:
    """The finding, else the span, else the chunk that is selected; None: not in this text."""
    block = followed.block
    finding = store.event(selection.finding)
    if isinstance(finding, FindingMade):
        depth = depth_of(block, finding.processor)
        if depth is None and _is_of_answer(store, finding, followed):
            depth = len(block.flows)
        return DeepRange(finding.start, finding.end, depth - 1) if depth is not None else None
    span = selection.span
    if span is not None and span.block in (None, block.key[3]):
        if span.column == CLIENT:
            return DeepRange(span.start, span.end, len(block.flows) - 1)
        depth = depth_of(block, span.column)
        return DeepRange(span.start, span.end, depth - 1 if depth is not None else -1)
    if not isinstance(followed.source, StreamSource):
        return None
    return _range_of_row(store, followed, selection.row)


def _is_of_answer(store: RunStore, finding: FindingMade, followed: Followed) -> bool:
    """Whether a finding was made in the text that a step had delivered, and this is all of it."""
    if finding.hook != "processOutputStep" or not isinstance(followed.source, StreamSource):
        return False
    place = (finding.step, finding.attempt, "text")
    texts = [key for key in store.blocks if key[:3] == place]
    return finding.message_id is None and texts == [followed.source.key]


def _range_of_row(store: RunStore, followed: Followed, number: int | None) -> DeepRange | None:
    """What the model wrote with a chunk, else what the first processor let out with it."""
    if number is None or number >= len(store.rows):
        return None
    block, index = followed.block, store.rows[number].index
    for depth, run in enumerate((block.model, *(flow.out for flow in block.flows)), -1):
        stretch = range_of(run, index)
        if stretch is not None:
            return DeepRange(*stretch, depth)
    return None
