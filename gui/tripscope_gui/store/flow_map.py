"""Where text of a block goes to and comes from, one processor at a time, by bisection.

All positions are UTF-16 code units counted over the block: of the text that a processor was given
on one side, of the text that it let out on the other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from tripscope.processor import Interval
from tripscope.trace.blocks import Block
from tripscope.trace.flows import Flow
from tripscope.trace.leaks import passed as passed
from tripscope.trace.text_run import TextRun

Range: TypeAlias = tuple[int, int]


def _in_end(interval: Interval) -> int:
    return interval[1]


def _out_end(interval: Interval) -> int:
    return interval[3]


def forward(flow: Flow, start: int, end: int) -> Iterator[Range]:
    """Stretches of what left ``flow`` that ``[start, end)`` of what it was given became."""
    intervals = flow.intervals
    for place in range(bisect_right(intervals, start, key=_in_end), len(intervals)):
        interval = intervals[place]
        in_start, in_end, out_start, out_end, _ = interval
        if in_start >= end:
            return
        if passed(interval):
            shift = out_start - in_start
            yield max(in_start, start) + shift, min(in_end, end) + shift
        elif out_end > out_start:
            yield out_start, out_end


def backward(flow: Flow, start: int, end: int) -> Iterator[Range]:
    """Stretches of what ``flow`` was given that ``[start, end)`` of what left it came from."""
    intervals = flow.intervals
    for place in range(bisect_right(intervals, start, key=_out_end), len(intervals)):
        interval = intervals[place]
        in_start, in_end, out_start, out_end, _ = interval
        if out_start >= end:
            return
        if passed(interval):
            shift = in_start - out_start
            yield max(out_start, start) + shift, min(out_end, end) + shift
        elif out_end > out_start:
            yield in_start, in_end


def to_model(block: Block, depth: int, start: int, end: int) -> Range | None:
    """The stretch of the model's text behind ``[start, end)`` of what flow ``depth`` was given.

    ``depth`` counts the flows of the block from 0; None if nothing is behind it.
    """
    low, high = start, end
    for flow in reversed(block.flows[:depth]):
        stretches = list(backward(flow, low, high))
        if not stretches:
            return None
        low, high = stretches[0][0], stretches[-1][1]
    return low, high


def depth_of(block: Block, processor: str | None) -> int | None:
    """Place of a processor among the flows of the block, or None."""
    for depth, flow in enumerate(block.flows):
        if flow.processor == processor:
            return depth
    return None


def range_of(run: TextRun, index: int | None) -> Range | None:
    """The stretch of ``run`` that came with part ``index``, or None."""
    if index is None:
        return None
    first = bisect_left(run.indexes, index)
    last = bisect_right(run.indexes, index)
    if first == last:
        return None
    return run.starts[first], run.starts[last] if last < len(run.starts) else run.length


def pieces_of(run: TextRun, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """(part index, start, end) of each piece of ``run`` that lies in ``[start, end)``."""
    place = max(bisect_right(run.starts, start) - 1, 0)
    while place < len(run.starts) and run.starts[place] < end:
        stop = run.starts[place + 1] if place + 1 < len(run.starts) else run.length
        low, high = max(start, run.starts[place]), min(end, stop)
        if high > low:
            yield run.indexes[place], low, high
        place += 1
