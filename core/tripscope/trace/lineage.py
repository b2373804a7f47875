"""Lineage: which model characters became which client characters, and what happened on the way.

Interval lists of the processors are composed along the chain. All positions are UTF-16 code units
counted over one text block; see `tripscope.trace.blocks`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from tripscope.trace.blocks import Block
from tripscope.trace.flows import Flow

Fate: TypeAlias = Literal["passed", "replaced", "dropped", "held", "cut"]


class Segment(Struct, frozen=True):
    """A stretch of the model's text and the stretch of a later point's text that it became.

    ``passed``: both have the same length and text. ``replaced``: by ``rule`` of ``processor``, as a
    whole. ``dropped``, ``held``, ``cut``: out is empty, and ``processor`` is where it ended.
    """

    start: int
    end: int
    out_start: int
    out_end: int
    fate: Fate
    processor: str | None = None
    rule: str | None = None


def through(block: Block, depth: int | None = None) -> list[Segment]:
    """Segments from the model's text to the text after the first ``depth`` processors (None: all).

    They cover the model's text without gaps or overlaps, in order of the model's text.
    """
    length = block.model.length
    segments = [Segment(0, length, 0, length, "passed")] if length else []
    for flow in block.flows[:depth]:
        segments = _compose(segments, flow)
    return segments


def _compose(segments: Sequence[Segment], flow: Flow) -> list[Segment]:
    """``segments`` carried on through one processor."""
    done = [s for s in segments if s.out_end == s.out_start]
    alive = [s for s in segments if s.out_end > s.out_start]
    result: list[Segment] = []
    for interval in flow.intervals:
        in_start, in_end, out_start, out_end, rule = interval
        pieces = list(_within(alive, in_start, in_end))
        if not pieces:
            continue
        if rule is None and out_end - out_start == in_end - in_start:
            shift = out_start - in_start
            result += [_moved(piece, shift) for piece in pieces]
            continue
        fate: Fate = "replaced" if out_end > out_start or rule else "dropped"
        first, last = pieces[0].start, pieces[-1].end
        result.append(Segment(first, last, out_start, out_end, fate, flow.processor, rule))
    result += _kept(alive, flow)
    return sorted(_merged([*done, *result]), key=lambda s: (s.start, s.end))


def _kept(alive: Sequence[Segment], flow: Flow) -> Iterator[Segment]:
    """What the processor took in and never let out."""
    start = max((interval[1] for interval in flow.intervals), default=0)
    out_end = max((interval[3] for interval in flow.intervals), default=0)
    fate: Fate = "cut" if flow.dropped or flow.refused else "held"
    for piece in _within(alive, start, flow.given.length):
        yield Segment(piece.start, piece.end, out_end, out_end, fate, flow.processor, piece.rule)


def _within(segments: Sequence[Segment], start: int, end: int) -> Iterator[Segment]:
    """The parts of ``segments`` whose out range lies in ``[start, end)``."""
    first = bisect_right(segments, start, key=lambda s: s.out_end)
    for at in range(first, len(segments)):
        segment = segments[at]
        if segment.out_start >= end:
            return
        low, high = max(segment.out_start, start), min(segment.out_end, end)
        if segment.fate == "passed":
            shift = segment.start - segment.out_start
            yield Segment(low + shift, high + shift, low, high, "passed")
        else:
            yield Segment(
                segment.start, segment.end, low, high, segment.fate, segment.processor, segment.rule
            )


def _moved(piece: Segment, shift: int) -> Segment:
    return Segment(
        piece.start,
        piece.end,
        piece.out_start + shift,
        piece.out_end + shift,
        piece.fate,
        piece.processor,
        piece.rule,
    )


def _merged(segments: list[Segment]) -> list[Segment]:
    """Neighbours that passed as one stretch become one segment."""
    merged: list[Segment] = []
    for segment in segments:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.fate == segment.fate
            and (last.processor, last.rule) == (segment.processor, segment.rule)
            and (
                (
                    last.fate == "passed"
                    and last.end == segment.start
                    and last.out_end == segment.out_start
                )
                or (last.start, last.end, last.out_end)
                == (segment.start, segment.end, segment.out_start)
            )
        ):
            merged[-1] = Segment(
                last.start,
                segment.end,
                last.out_start,
                segment.out_end,
                last.fate,
                last.processor,
                last.rule,
            )
        else:
            merged.append(segment)
    return merged


def source_of(segments: Sequence[Segment], offset: int) -> Segment | None:
    """The segment that position ``offset`` of the later point's text came from."""
    for segment in segments:
        if segment.out_start <= offset < segment.out_end:
            return segment
    return None


def fate_of(segments: Sequence[Segment], offset: int) -> Segment | None:
    """What became of position ``offset`` of the model's text."""
    found = bisect_right(segments, offset, key=lambda s: s.start) - 1
    if found >= 0 and offset < segments[found].end:
        return segments[found]
    return None
