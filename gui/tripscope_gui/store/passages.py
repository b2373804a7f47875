"""A text at one point of the chain, with what rules found and did in it.

Spans count UTF-16 code units of that text. ``depth`` of a point: -1 for what was there first, else
the place of the processor, among the flows of the block, that let the text out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Literal, TypeAlias

from msgspec import Struct

from tripscope.processor import Interval
from tripscope.trace.blocks import Block
from tripscope.trace.events import FindingMade, HookCalled
from tripscope.trace.text_run import TextRun
from tripscope_gui.store.chunk_rows import CLIENT, MODEL
from tripscope_gui.store.flow_map import Range, backward, depth_of, forward, passed
from tripscope_gui.store.followed import Followed, MessageSource, StreamSource
from tripscope_gui.store.run_index import RunIndex

SpanKind: TypeAlias = Literal["match", "box", "leak"]


class TextSpan(Struct, frozen=True):
    """``rules`` are rule numbers, the winner first; -1: a change that names no rule.

    ``seq`` is that of the finding behind it, None for a match that only the whole text shows.
    """

    start: int
    end: int
    kind: SpanKind
    rule: str
    number: int
    seq: int | None = None
    winner: str | None = None


class Cut(Struct, frozen=True):
    """A processor let nothing (more) through: ``given`` is what it was given."""

    processor: str
    call: HookCalled
    given: Passage


class Passage(Struct, frozen=True):
    """The text at a point, spans sorted by start."""

    column: str
    title: str
    text: str
    units: int
    spans: tuple[TextSpan, ...] = ()
    cut: Cut | None = None

    @property
    def words(self) -> str:
        """``model · 228 UTF-16 units, 5 matches``."""
        matches = sum(span.kind == "match" for span in self.spans)
        boxes = sum(span.kind == "box" for span in self.spans)
        leaks = sum(span.kind == "leak" for span in self.spans)
        words = [f"{self.title} \u00b7 {self.units:,} UTF-16 units"]
        if matches:
            words.append(f"{matches} match" + ("es" if matches > 1 else ""))
        if boxes:
            words.append(f"{boxes} replaced")
        if leaks:
            words.append("some left too early")
        return ", ".join(words)


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
    if to >= depth:
        for flow in block.flows[depth + 1 : to + 1]:
            ranges = [out for low, high in ranges for out in forward(flow, low, high)]
    else:
        for flow in reversed(block.flows[to + 1 : depth + 1]):
            ranges = [back for low, high in ranges for back in backward(flow, low, high)]
    return ranges


def map_offset(block: Block, offset: int, depth: int, to: int) -> int:
    """Where an offset stands at another depth; the nearest place before it if it isn't there."""
    while depth < to:
        depth += 1
        intervals = block.flows[depth].intervals
        best = 0
        for found in _around(intervals, offset, 0):
            if found[0] > offset:
                break
            inside = min(offset, found[1]) - found[0]
            best = found[2] + (inside if passed(found) else 0)
        offset = best
    while depth > to:
        intervals = block.flows[depth].intervals
        best = 0
        for found in _around(intervals, offset, 2):
            if found[2] > offset:
                break
            inside = min(offset, found[3]) - found[2]
            best = found[0] + (inside if passed(found) else 0)
        offset = best
        depth -= 1
    return offset


def _around(intervals: Sequence[Interval], offset: int, side: Literal[0, 2]) -> Iterator[Interval]:
    """The last interval that begins at or before an offset, on the given or the let-out side."""
    place = bisect_right(intervals, offset, key=itemgetter(side))
    yield from intervals[max(0, place - 1) : place]


def passage_at(index: RunIndex, followed: Followed, column: str) -> Passage:
    """The text at a point of what is followed."""
    block = followed.block
    depth = depth_of_column(block, column)
    title = next((words for key, words in followed.points if key == column), column)
    cut = _cut(index, followed, depth)
    source = followed.source
    if isinstance(source, MessageSource) and column == MODEL:
        title = f"{followed.role} message {source.message}".strip()
    if column not in (MODEL, CLIENT):
        title = f"after {title}"
    return _passage(index, followed, run_at(block, column), depth, column, title, cut)


def _passage(
    index: RunIndex,
    followed: Followed,
    run: TextRun,
    depth: int,
    column: str,
    title: str,
    cut: Cut | None,
) -> Passage:
    spans = [
        *_matches(index, followed, depth),
        *_boxes(index, followed, depth, run.length),
        *_leaks(index, followed, column),
    ]
    spans.sort(key=lambda span: (span.start, -span.end, span.winner is not None))
    return Passage(column, title, run.text, run.length, tuple(spans), cut)


def findings_in(index: RunIndex, followed: Followed) -> Sequence[FindingMade]:
    """Findings in the text that is followed, each match once."""
    if isinstance(followed.source, StreamSource):
        return index.marks.findings.get(followed.source.key, ())
    return followed.findings


def _matches(index: RunIndex, followed: Followed, depth: int) -> Iterator[TextSpan]:
    """What later processors found, where it stands now; also what was only flagged."""
    block = followed.block
    number = index.store.rules.number
    for finding in findings_in(index, followed):
        at = depth_of(block, finding.processor)
        if at is None or (at <= depth and finding.outcome != "flagged"):
            continue
        # a finding counts what its processor was given: the text one depth before it
        for low, high in _joined(carry(block, finding.start, finding.end, at - 1, depth)):
            rule = finding.rule
            yield TextSpan(low, high, "match", rule, number(rule), finding.seq, finding.winner)
    for leak in index.leaks.by_block.get(block.key, ()):
        at = depth_of(block, leak.processor)
        if at is not None and at > depth:
            for low, high in _joined(carry(block, leak.start, leak.end, at - 1, depth)):
                yield TextSpan(low, high, "match", leak.rule, number(leak.rule))


def _joined(ranges: Sequence[Range]) -> list[Range]:
    """Stretches that touch as one."""
    found: list[Range] = []
    for low, high in ranges:
        if found and found[-1][1] == low:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return found


def _boxes(index: RunIndex, followed: Followed, depth: int, length: int) -> Iterator[TextSpan]:
    if depth < 0:
        return
    block = followed.block
    for run in index.runs(block).within(block.flows[depth].processor, 0, length):
        number = index.store.rules.number(run.rule) if run.rule else -1
        yield TextSpan(run.start, min(run.end, length), "box", run.rule, number)


def _leaks(index: RunIndex, followed: Followed, column: str) -> Iterator[TextSpan]:
    for low, high in _joined(index.leaks.in_column(followed.block, column)):
        yield TextSpan(low, high, "leak", "", -1)


def _cut(index: RunIndex, followed: Followed, depth: int) -> Cut | None:
    for at, flow in enumerate(followed.block.flows[: depth + 1]):
        call = followed.cuts.get(flow.processor)
        if call is not None:
            given = _passage(
                index, followed, flow.given, at - 1, MODEL if at == 0 else "", flow.processor, None
            )
            return Cut(flow.processor, call, given)
    return None


def cause_of(index: RunIndex, followed: Followed, column: str, offset: int) -> FindingMade | None:
    """The finding behind the text at an offset of a point; the winner where several overlap."""
    block = followed.block
    depth = depth_of_column(block, column)
    found: list[FindingMade] = []
    for finding in findings_in(index, followed):
        at = depth_of(block, finding.processor)
        if at is None:
            continue
        ranges = carry(block, finding.start, finding.end, at - 1, depth)
        if any(low <= offset < high for low, high in ranges):
            found.append(finding)
    return min(found, key=lambda f: (f.winner is not None, f.start - f.end), default=None)
