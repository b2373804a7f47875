"""Findings whose spans overlap in one text: who wins, who is covered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from tripscope_gui.store.passages import TextSpan


class Overlap(Struct, frozen=True):
    """Matches that touch one another, the winner first."""

    spans: tuple[TextSpan, ...]
    lines: tuple[tuple[int, str, str, str, str, bool], ...]
    """(rule number, rule, span, length, verdict, whether it wins) of each."""

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

    @property
    def spoken(self) -> str:
        """All lines, to be read aloud."""
        return "; ".join(f"{line[1]} {line[2]} {line[4]}" for line in self.lines)


def overlaps(spans: Sequence[TextSpan], shown: Callable[[int], int]) -> list[Overlap]:
    """Overlaps among the matches, in order; ``shown`` turns an offset into the unit on screen."""
    matches = sorted((s for s in spans if s.kind == "match"), key=lambda s: s.start)
    found: list[Overlap] = []
    group: list[TextSpan] = []
    end = -1
    for span in matches:
        if span.start >= end and group:
            found += _overlap(group, shown)
            group = []
        group.append(span)
        end = max(end, span.end) if len(group) > 1 else span.end
    if group:
        found += _overlap(group, shown)
    return found


def _overlap(group: Sequence[TextSpan], shown: Callable[[int], int]) -> list[Overlap]:
    if len({span.rule for span in group}) < 2:
        return []
    ordered = sorted(group, key=lambda s: (s.winner is not None, s.start - s.end))
    return [Overlap(tuple(ordered), tuple(_line(span, ordered, shown) for span in ordered))]


def _line(
    span: TextSpan, group: Sequence[TextSpan], shown: Callable[[int], int]
) -> tuple[int, str, str, str, str, bool]:
    start, end = shown(span.start), shown(span.end)
    wins = span.winner is None and span is group[0]
    longest = all(span.end - span.start > s.end - s.start for s in group if s is not span)
    if wins:
        verdict = "wins, longest match" if longest else "wins"
    else:
        verdict = "covered, no replacement of its own"
    return span.number, span.rule, f"{start}\u2013{end}", f"{end - start} long", verdict, wins
