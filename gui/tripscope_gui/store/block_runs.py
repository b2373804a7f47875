"""What rules made of a block's text, seen from each column of the chunks table.

`BlockRuns` follows replacements on their way to the client, `ModelMarks` carries findings back to
the model's chunks. Both take each interval and each finding once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from operator import itemgetter

from msgspec import Struct

from tripscope.processor import Interval
from tripscope.trace.blocks import Block, BlockKey
from tripscope.trace.events import FindingMade
from tripscope.trace.flows import Flow
from tripscope.trace.leaks import Leak
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.block_matches import BlockMatches, Match
from tripscope_gui.store.flow_map import depth_of, passed, pieces_of, to_model


class Replaced(Struct, frozen=True):
    """``[start, end)`` of what left a processor is the work of ``rule`` of ``processor``."""

    start: int
    end: int
    rule: str
    processor: str


class _Column:
    """Replacements in what left one processor, sorted, without overlaps."""

    def __init__(self, flow: Flow, before: _Column | None) -> None:
        self._flow = flow
        self._before = before
        self._seen = 0
        self._taken = 0
        """End of what was taken of the newest interval that was seen: it may have grown."""
        self._ends: list[int] = []
        self._items: list[Replaced] = []

    @property
    def behind(self) -> int:
        """Intervals that were not taken yet, or not to their end."""
        return len(self._flow.intervals) - self._seen + self._grown

    @property
    def _grown(self) -> bool:
        return self._seen > 0 and self._flow.intervals[self._seen - 1][1] > self._taken

    def update(self, most: int | None = None) -> None:
        """Take new intervals, at most that many."""
        if self._before is not None:
            self._before.update()
        intervals = self._flow.intervals
        if self._grown:
            start, end, out_start, out_end, rule = intervals[self._seen - 1]
            done = self._taken
            self._take((done, end, out_start + done - start, out_end, rule))
        last = len(intervals) if most is None else min(len(intervals), self._seen + most)
        while self._seen < last:
            self._seen += 1
            self._take(intervals[self._seen - 1])

    def _take(self, interval: Interval) -> None:
        in_start, in_end, out_start, out_end, rule = interval
        self._taken = in_end
        if not passed(interval):
            if out_end > out_start:
                self._add(Replaced(out_start, out_end, rule or "", self._flow.processor))
            return
        shift = out_start - in_start
        for run in self._before.within(in_start, in_end) if self._before else ():
            low, high = max(run.start, in_start) + shift, min(run.end, in_end) + shift
            self._add(Replaced(low, high, run.rule, run.processor), more=run.start < in_start)

    def _add(self, run: Replaced, *, more: bool = False) -> None:
        """``more``: the run goes on what the newest one began, let out in two parts."""
        if more and self._items and self._items[-1].end == run.start:
            run = Replaced(self._items.pop().start, run.end, run.rule, run.processor)
            self._ends.pop()
        self._items.append(run)
        self._ends.append(run.end)

    def within(self, start: int, end: int) -> Iterator[Replaced]:
        for place in range(bisect_right(self._ends, start), len(self._items)):
            if self._items[place].start >= end:
                return
            yield self._items[place]

    def count(self, length: int) -> int:
        """How many begin in the first ``length`` units."""
        place = bisect_left(self._ends, length)
        return place + (place < len(self._items) and self._items[place].start < length)


def replaced_in(block: Block, processor: str, start: int, end: int) -> list[Replaced]:
    """Replacements in ``[start, end)`` of what left ``processor``; CLIENT: of what arrived.

    Costs what the stretch costs; for a whole block use `BlockRuns`.
    """
    depth = depth_of(block, processor)
    depth = len(block.flows) - 1 if depth is None else depth
    return list(_replaced(block, depth, start, end))


def _replaced(block: Block, depth: int, start: int, end: int) -> Iterator[Replaced]:
    if depth < 0:
        return
    flow = block.flows[depth]
    intervals = flow.intervals
    for place in range(bisect_right(intervals, start, key=itemgetter(3)), len(intervals)):
        interval = intervals[place]
        in_start, in_end, out_start, out_end, rule = interval
        if out_start >= end:
            return
        if not passed(interval):
            if out_end > out_start:
                yield Replaced(out_start, out_end, rule or "", flow.processor)
            continue
        shift = out_start - in_start
        low, high = max(out_start, start) - shift, min(out_end, end) - shift
        for run in _replaced(block, depth - 1, low, high):
            yield Replaced(
                max(run.start, in_start) + shift,
                min(run.end, in_end) + shift,
                run.rule,
                run.processor,
            )


class BlockRuns:
    """Replacements of one whole block by column, kept up to date as it grows."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._columns: list[_Column] = []

    def advance(self, most: int) -> bool:
        """Take at most so many new intervals, of the first column that has some; whether it did.

        For a long text that somebody looks at, so that it is not all taken when it is shown again.
        """
        for column in self._columns:
            if column.behind:
                column.update(most)
                return True
        return False

    def within(self, processor: str, start: int, end: int) -> list[Replaced]:
        """Replacements in ``[start, end)`` of what left ``processor``; CLIENT: of what arrived."""
        column = self._column(processor)
        return list(column.within(start, end)) if column is not None else []

    def count(self, processor: str, length: int) -> int:
        """How many replacements begin in the first ``length`` units of what left ``processor``."""
        column = self._column(processor)
        return column.count(length) if column is not None else 0

    def _column(self, processor: str) -> _Column | None:
        flows = self._block.flows
        while len(self._columns) < len(flows):
            before = self._columns[-1] if self._columns else None
            self._columns.append(_Column(flows[len(self._columns)], before))
        depth = depth_of(self._block, processor)
        if depth is None:
            depth = len(flows) - 1
        if depth < 0:
            return None
        self._columns[depth].update()
        return self._columns[depth]


class ModelMark(Struct, frozen=True):
    """A match as it stands in the model's text of its block.

    ``seq`` is that of the finding; None for a match that only the whole block shows. ``winner``:
    the overlapping rule whose replacement was used.
    """

    start: int
    end: int
    rule: str
    seq: int | None
    winner: str | None = None


class ModelMarks:
    """Matches by the part index of the model's chunks that they touch."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._seen = 0
        self._known: set[tuple[object, ...]] = set()
        self.by_index: dict[int, list[ModelMark]] = defaultdict(list)
        self.matches: dict[BlockKey, BlockMatches] = defaultdict(BlockMatches)
        """By block, each match once."""

    @property
    def behind(self) -> int:
        """Findings that were not taken yet."""
        return len(self._store.findings) - self._seen

    def update(self, most: int | None = None) -> list[int]:
        """Take new findings, at most that many; the part indexes that look different now."""
        findings = self._store.findings
        touched: list[int] = []
        if self._seen < len(findings):
            end = len(findings) if most is None else min(len(findings), self._seen + most)
            for finding in findings[self._seen : end]:
                block = self._store.block_of_finding(finding)
                if block is not None:
                    touched += self._take(block, finding)
            self._seen = end
        return touched

    def add_leak(self, leak: Leak) -> list[int]:
        """Mark a match of the whole block; the part indexes that look different now."""
        block = self._store.blocks.get(leak.block)
        return self._take(block, leak) if block is not None else []

    def _take(self, block: Block, match: Match) -> list[int]:
        known = (block.key, match.processor, match.start, match.end, match.rule)
        if known in self._known:
            return []
        self._known.add(known)
        self.matches[block.key].add(match)
        depth = depth_of(block, match.processor)
        place = to_model(block, depth, match.start, match.end) if depth is not None else None
        if place is None:
            return []
        seq = winner = None
        if isinstance(match, FindingMade):
            seq, winner = match.seq, match.winner
        mark = ModelMark(*place, match.rule, seq, winner)
        touched = [index for index, _, _ in pieces_of(block.model, *place)]
        for index in touched:
            self.by_index[index].append(mark)
        return touched
