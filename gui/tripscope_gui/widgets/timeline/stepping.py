"""Arrow keys of the timeline: from chunk to chunk, from processor to processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tripscope_gui.selection import Selection
from tripscope_gui.widgets.timeline.data import TimelineData

Step: TypeAlias = Callable[[TimelineData, Selection, int], Selection | None]


def step_chunk(data: TimelineData, chosen: Selection, by: int) -> Selection | None:
    """The chunk ``by`` rows after the chosen one, the first if none is; None for no chunks."""
    rows = data.store.rows
    if not len(rows):
        return None
    number = min(max(chosen.row + by, 0), len(rows) - 1) if chosen.row is not None else 0
    row = rows[number]
    return Selection(step=row.step, attempt=row.attempt, processor=chosen.processor, row=number)


def step_lane(data: TimelineData, chosen: Selection, by: int) -> Selection | None:
    """The processor ``by`` lanes below the chosen one; None for no processors."""
    names = [lane.id for lane in data.lanes if lane.kind == "processor"]
    if not names:
        return None
    if chosen.processor in names:
        number = min(max(names.index(chosen.processor) + by, 0), len(names) - 1)
    else:
        number = 0 if by > 0 else len(names) - 1
    return Selection(
        step=chosen.step, attempt=chosen.attempt, row=chosen.row, processor=names[number]
    )
