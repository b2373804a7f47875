"""Matches of several rules that overlap in one text: who wins, who is covered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from tripscope_gui.store.block_matches import Match
from tripscope_gui.store.point_spans import PointSpans, TextSpan, order


class Line(NamedTuple):
    """One match of an overlap, in words."""

    number: int
    rule: str
    span: str
    length: str
    verdict: str
    wins: bool


def spoken(lines: Iterable[Line]) -> str:
    """All lines, to be read aloud."""
    return "; ".join(f"{line.rule} {line.span} {line.verdict}" for line in lines)


class Overlap(Struct, frozen=True):
    """Matches that touch one another, the winner first."""

    spans: tuple[TextSpan, ...]

    @property
    def start(self) -> int:
        """UTF-16 offset at which it begins."""
        return min(span.start for span in self.spans)

    @property
    def end(self) -> int:
        """UTF-16 offset at which it ends."""
        return max(span.end for span in self.spans)

    @property
    def sentence(self) -> str:
        """What happens to them."""
        rules = len({span.rule for span in self.spans})
        what = {2: "two rules", 3: "three rules"}.get(rules, f"{rules} rules")
        return f"{what} on one stretch: one region, replaced once"

    def lines(self, shown: Callable[[int], int]) -> list[Line]:
        """What is told of each; ``shown`` turns an offset into the unit on screen."""
        return [_line(span, self.spans, shown) for span in self.spans]


class Overlaps:
    """The overlaps in a text that grows, in order; each is looked for once."""

    def __init__(self, spans: PointSpans) -> None:
        self.spans = spans
        self.all: list[Overlap] = []
        self._seen = 0
        self._length = 0

    def update(self) -> None:
        """Take what was found, and what the text got, since."""
        arrived, length = self.spans.matches.arrived, self.spans.length
        if (self._seen, self._length) == (len(arrived), length):
            return
        place = self._changed_from(arrived[self._seen :]) if self._length else 0
        self._seen, self._length = len(arrived), length
        while self.all and self.all[-1].start >= place:
            self.all.pop()
        self.all += overlaps(sorted(self.spans.matched(place, length), key=order))

    def _changed_from(self, new: Sequence[Match]) -> int:
        """The first offset from which on overlaps may be others than before, and none reaches."""
        spans = self.spans
        starts = (low for match in new for low, _ in spans.stretches(match))
        # behind what was let out before anything may stand that was found long ago
        place = min((self._length, *starts))
        while first := [s.start for s in spans.matched(place, place + 1) if s.start < place]:
            place = min(first)
        return place


def overlaps(matches: Iterable[TextSpan]) -> Iterator[Overlap]:
    """Overlaps among matches that are sorted by start."""
    group: list[TextSpan] = []
    end = -1
    for span in matches:
        if span.start >= end:
            yield from _overlap(group)
            group = []
        end = max(end, span.end) if group else span.end
        group.append(span)
    yield from _overlap(group)


def _overlap(group: Sequence[TextSpan]) -> Iterator[Overlap]:
    if len({span.rule for span in group}) > 1:
        yield Overlap(tuple(sorted(group, key=lambda s: (s.winner is not None, s.start - s.end))))


def _line(span: TextSpan, group: Sequence[TextSpan], shown: Callable[[int], int]) -> Line:
    start, end = shown(span.start), shown(span.end)
    wins = span.winner is None and span is group[0]
    longest = all(span.end - span.start > s.end - s.start for s in group if s is not span)
    if wins:
        verdict = "wins, longest match" if longest else "wins"
    else:
        verdict = "covered, no replacement of its own"
    return Line(span.number, span.rule, f"{start}\u2013{end}", f"{end - start} long", verdict, wins)
