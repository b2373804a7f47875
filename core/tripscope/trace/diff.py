"""What differs between two runs: findings, delivered text, the first event, the time.

Findings are compared where they stand: same processor, hook, step, attempt and place. Times,
durations and run ids are never a difference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from difflib import SequenceMatcher
from typing import Any, Final, Literal, TypeAlias, get_args

from tripscope.chunks import Chunk
from tripscope.trace.blocks import BlockCollector
from tripscope.trace.events import AnyEvent, FindingMade, RunEnded

Change: TypeAlias = Literal["added", "removed", "moved", "replaced", "same"]
"""``replaced``: same place, another replacement or outcome."""


@dataclass(frozen=True, slots=True)
class FindingChange:
    """One finding of either run, or one of both that belong together."""

    change: Change
    before: FindingMade | None = None
    after: FindingMade | None = None


@dataclass(frozen=True, slots=True)
class RunDiff:
    """What `compare` found.

    ``texts``: (before, after) of all delivered text, joined. ``first``: the first events that differ;
    None on the side that had ended. ``time``: after minus before, in ns.
    """

    findings: tuple[FindingChange, ...]
    texts: tuple[str, str]
    first: tuple[AnyEvent | None, AnyEvent | None] | None
    time: int

    def count(self, change: Change) -> int:
        """How many findings changed so."""
        return sum(finding.change == change for finding in self.findings)

    @property
    def output_changed(self) -> bool:
        """Whether the client got another text."""
        return self.texts[0] != self.texts[1]


def compare(before: Sequence[AnyEvent], after: Sequence[AnyEvent]) -> RunDiff:
    """Compare two runs."""
    return RunDiff(
        findings=tuple(_compare_findings(before, after)),
        texts=(_delivered(before), _delivered(after)),
        first=first_difference(before, after),
        time=_end(after) - _end(before),
    )


def first_difference(
    before: Iterable[AnyEvent], after: Iterable[AnyEvent]
) -> tuple[AnyEvent | None, AnyEvent | None] | None:
    """The first two events at the same place that say different things; None if none do."""
    left, right = iter(before), iter(after)
    while True:
        one, other = next(left, None), next(right, None)
        if one is None and other is None:
            return None
        if one is None or other is None or _said(one) != _said(other):
            return one, other


_INCIDENTAL: Final = frozenset(
    {
        "seq",
        "time",
        "duration",
        "run_id",
        "started_at",
        "mode",
        "parent_run",
        "chain_hash",
        "differs",
    }
)


_TELLING: Final = {
    kind: tuple(f.name for f in fields(kind) if f.name not in _INCIDENTAL)
    for kind in get_args(AnyEvent)
}


def _said(event: AnyEvent) -> tuple[Any, ...]:
    kind = type(event)
    return (kind, *(_timeless(getattr(event, name)) for name in _TELLING[kind]))


def _timeless(value: Any) -> Any:
    """``value`` without the run ids and the wall clock times in its chunks and messages."""
    match value:
        case Chunk():
            return value if value.run_id is None else replace(value, run_id=None)
        case tuple() | list():
            return [_timeless(item) for item in value]
        case {"createdAt": _}:
            return {key: item for key, item in value.items() if key != "createdAt"}
    return value


def _delivered(events: Sequence[AnyEvent]) -> str:
    blocks = BlockCollector(events).blocks.values()
    return "\n".join(block.delivered.text for block in blocks if block.kind == "text")


def _end(events: Sequence[AnyEvent]) -> int:
    ended = next((e for e in reversed(events) if isinstance(e, RunEnded)), None)
    return ended.time if ended is not None else events[-1].time if events else 0


def _place(finding: FindingMade) -> tuple[Any, ...]:
    return (
        finding.processor,
        finding.hook,
        finding.step,
        finding.attempt,
        finding.block,
        finding.message_id,
        finding.part_index,
        finding.rule,
    )


def _compare_findings(
    before: Sequence[AnyEvent], after: Sequence[AnyEvent]
) -> Iterable[FindingChange]:
    places: dict[tuple[Any, ...], tuple[list[FindingMade], list[FindingMade]]]
    places = defaultdict(lambda: ([], []))
    for side, events in enumerate((before, after)):
        for event in events:
            if isinstance(event, FindingMade):
                places[_place(event)][side].append(event)
    for old, new in places.values():
        yield from _pair(old, new)


def _pair(old: list[FindingMade], new: list[FindingMade]) -> Iterable[FindingChange]:
    by_span = {(finding.start, finding.end): finding for finding in new}
    moved_from: list[FindingMade] = []
    for finding in old:
        same = by_span.pop((finding.start, finding.end), None)
        if same is None:
            moved_from.append(finding)
            continue
        equal = (finding.replacement, finding.outcome, finding.winner) == (
            same.replacement,
            same.outcome,
            same.winner,
        )
        yield FindingChange("same" if equal else "replaced", finding, same)
    by_length: dict[int, list[FindingMade]] = defaultdict(list)
    for finding in by_span.values():
        by_length[finding.end - finding.start].append(finding)
    for finding in moved_from:
        candidates = by_length[finding.end - finding.start]
        if candidates:
            yield FindingChange("moved", finding, candidates.pop(0))
        else:
            yield FindingChange("removed", finding)
    for left in by_length.values():
        for finding in left:
            yield FindingChange("added", None, finding)


TextOp: TypeAlias = tuple[Literal["equal", "insert", "delete", "replace"], int, int, int, int]
"""(what, before_start, before_end, after_start, after_end), in code points."""

_WORDS: Final = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_TOKENS: Final = 20_000


def text_diff(before: str, after: str, *, by: Literal["words", "characters"]) -> list[TextOp]:
    """How one text became the other. Above 20,000 words it is told by lines, whatever was asked."""
    split = _WORDS.findall if by == "words" else list
    left, right = split(before), split(after)
    if max(len(left), len(right)) > _MOST_TOKENS:
        left, right = before.splitlines(keepends=True), after.splitlines(keepends=True)
    left_at, right_at = _offsets(left), _offsets(right)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return [
        (what, left_at[a], left_at[b], right_at[c], right_at[d])
        for what, a, b, c, d in matcher.get_opcodes()
    ]


def _offsets(tokens: Sequence[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets
