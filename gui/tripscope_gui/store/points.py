"""Points of the chain at which a text can be looked at, and ways from one to another.

``depth`` of a point: -1 for what was there first, else the place of the processor, among the flows
of the block, that let the text out. Offsets are UTF-16 code units of the text at a point.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TypeAlias

from tripscope.processor import Interval
from tripscope.trace.blocks import Block
from tripscope.trace.flows import Flow
from tripscope.trace.text_run import TextRun
from tripscope_gui.store.chunk_rows import CLIENT, MODEL
from tripscope_gui.store.flow_map import Range, backward, depth_of, forward, passed

_Step: TypeAlias = tuple[Flow, Callable[[Flow, int, int], Iterator[Range]]]


def depth_of_column(block: Block, column: str) -> int:
    """Depth of a point; that of the client is the last one."""
    if column == MODEL:
        return -1
    if column == CLIENT:
        return len(block.flows) - 1
    depth = depth_of(block, column)
    return -1 if depth is None else depth


def run_at(block: Block, column: str) -> TextRun:
    """The text at a point."""
    if column == CLIENT:
        return block.delivered
    depth = depth_of_column(block, column)
    return block.model if depth < 0 else block.flows[depth].out


def carry(block: Block, start: int, end: int, depth: int, to: int) -> list[Range]:
    """``[start, end)`` at one depth as stretches of the text at another."""
    ranges = [(start, end)]
    for flow, through in _steps(block, depth, to):
        ranges = [found for low, high in ranges for found in through(flow, low, high)]
    return ranges


def around(block: Block, start: int, end: int, depth: int, to: int) -> Range | None:
    """One stretch at another depth round all that gets to, or comes from, ``[start, end)``.

    None: there is nothing of it.
    """
    for flow, through in _steps(block, depth, to):
        ranges = list(through(flow, start, end))
        if not ranges:
            return None
        start, end = ranges[0][0], ranges[-1][1]
    return start, end


def _steps(block: Block, depth: int, to: int) -> Iterator[_Step]:
    """The processors between two depths, in the order that one comes to them."""
    if to >= depth:
        return ((flow, forward) for flow in block.flows[depth + 1 : to + 1])
    return ((flow, backward) for flow in reversed(block.flows[to + 1 : depth + 1]))


def map_offset(block: Block, offset: int, depth: int, to: int) -> int:
    """Where an offset stands at another depth; the nearest place before it if it isn't there."""
    for flow, _ in _steps(block, depth, to):
        offset = _across(flow.intervals, offset, ahead=to >= depth)
    return offset


def _across(intervals: Sequence[Interval], offset: int, *, ahead: bool) -> int:
    """An offset of what a processor was given in what it let out, or back if not ``ahead``."""
    place = bisect_right(intervals, offset, key=itemgetter(0 if ahead else 2))
    if not place:
        return 0
    found = intervals[place - 1]
    given, out = found[:2], found[2:4]
    (start, end), (there, _) = (given, out) if ahead else (out, given)
    return there + (min(offset, end) - start if passed(found) else 0)
