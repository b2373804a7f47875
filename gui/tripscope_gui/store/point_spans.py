"""What rules found and did in a text at one point of the chain.

Nothing is worked out but what is asked for: the cost is that of the stretch that is looked at,
however long the text is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.trace.blocks import Block
from tripscope.trace.events import FindingMade
from tripscope_gui.store.block_matches import BlockMatches, Match
from tripscope_gui.store.flow_map import Range, depth_of
from tripscope_gui.store.points import around, carry, map_offset
from tripscope_gui.store.run_index import RunIndex

SpanKind: TypeAlias = Literal["match", "box", "leak"]


class TextSpan(Struct, frozen=True):
    """``number`` is that of the rule; -1: a change that names no rule.

    ``seq`` is that of the finding behind it, None for a match that only the whole text shows.
    """

    start: int
    end: int
    kind: SpanKind
    rule: str
    number: int
    seq: int | None = None
    winner: str | None = None


class PointSpans:
    """The stretches at a point, in UTF-16 code units of the text there."""

    def __init__(
        self, index: RunIndex, block: Block, matches: BlockMatches, column: str, depth: int
    ) -> None:
        """``depth``: see `tripscope_gui.store.points`."""
        self._index = index
        self._block = block
        self._column = column
        self._depth = depth
        self.matches = matches
        self._point = column, depth, len(block.flows)

    def between(self, low: int, high: int) -> Sequence[TextSpan]:
        """Those that have a unit in ``[low, high)``, by start, the longer ones first."""
        found = [*self.matched(low, high), *self._boxes(low, high), *self._leaks(low, high)]
        return sorted(found, key=order)

    @property
    def length(self) -> int:
        """Units that got to this depth."""
        block, depth = self._block, self._depth
        return (block.model if depth < 0 else block.flows[depth].out).length

    # what later processors found, where it stands now; also what was only flagged

    def matched(self, low: int, high: int) -> Iterator[TextSpan]:
        """The matches among them, in no order."""
        number = self._index.store.rules.number
        for match, start, end in self.found(low, high):
            seq = winner = None
            if isinstance(match, FindingMade):
                seq, winner = match.seq, match.winner
            yield TextSpan(start, end, "match", match.rule, number(match.rule), seq, winner)

    def found(self, low: int, high: int, *, gone: bool = False) -> Iterator[tuple[Match, int, int]]:
        """Matches and where they stand here, for each of their stretches in ``[low, high)``.

        ``gone``: also those at whose place something else stands by now.
        """
        for at, flow in enumerate(self._block.flows):
            # a match counts what its processor was given: the text one depth before it
            stretch = around(self._block, low, high, self._depth, at - 1)
            if stretch is None:
                continue
            flagged = at <= self._depth and not gone
            for match in self.matches.of(flow.processor, flagged=flagged).touching(*stretch):
                for start, end in self.stretches(match):
                    if start < high and end > low:
                        yield match, start, end

    def stretches(self, match: Match) -> list[Range]:
        """Where what was matched stands here, whatever it is by now."""
        at = depth_of(self._block, match.processor)
        if at is None:
            return []
        return _joined(carry(self._block, match.start, match.end, at - 1, self._depth))

    def same(self, other: PointSpans) -> bool:
        """Whether both are those of one point of one text, with as many processors."""
        return self.matches is other.matches and self._point == other._point

    def matches_before(self, length: int) -> int:
        """How many have something in a text that got this far: ``length`` units of it."""
        block, depth, count = self._block, self._depth, 0
        for at, flow in enumerate(block.flows):
            if at > depth:
                count += len(self.matches.of(flow.processor).items)
            elif length:
                ranges = carry(block, length - 1, length, depth, at - 1)
                end = ranges[-1][1] if ranges else map_offset(block, length, depth, at - 1)
                count += self.matches.of(flow.processor, flagged=True).before(end)
        return count

    # what stands in the place of something, and what should not have got here

    def boxes_before(self, length: int) -> int:
        """How many replacements there are in ``length`` units of the text."""
        if self._depth < 0:
            return 0
        flow = self._block.flows[self._depth]
        return self._index.runs(self._block).count(flow.processor, length)

    def _boxes(self, low: int, high: int) -> Iterator[TextSpan]:
        if self._depth < 0:
            return
        flow = self._block.flows[self._depth]
        for run in self._index.runs(self._block).within(flow.processor, low, high):
            number = self._index.store.rules.number(run.rule) if run.rule else -1
            yield TextSpan(run.start, run.end, "box", run.rule, number)

    @property
    def leaked(self) -> bool:
        """Whether something should not have got here."""
        return bool(self._index.leaks.in_column(self._block, self._column).items)

    def _leaks(self, low: int, high: int) -> Iterator[TextSpan]:
        for start, end in self._index.leaks.in_column(self._block, self._column).touching(
            low, high
        ):
            yield TextSpan(start, end, "leak", "", -1)


_KINDS: Final[dict[SpanKind, int]] = {"match": 0, "box": 1, "leak": 2}


def order(span: TextSpan) -> tuple[int, int, bool, int, float]:
    """A key to sort by: place, then kind, then the order in which rules matched."""
    seq = inf if span.seq is None else span.seq
    return span.start, -span.end, span.winner is not None, _KINDS[span.kind], seq


def _joined(ranges: Iterable[Range]) -> list[Range]:
    """Stretches that touch, or share something that stands in the place of both, as one."""
    found: list[Range] = []
    for low, high in ranges:
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found
