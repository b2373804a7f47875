"""What differs between two runs: findings, delivered text, the first event, the time.

Findings are compared where they stand: same processor, hook, step, attempt and place. Times,
durations and run ids are never a difference, nor is what the runs were made of, which
`tripscope.trace.chain_diff` tells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from tripscope.chunks import Chunk
from tripscope.trace.blocks import Block, BlockCollector, BlockKey
from tripscope.trace.events import (
    AnyEvent,
    EditedByHand,
    FindingMade,
    HookCalled,
    RunEnded,
    RunStarted,
)
from tripscope.trace.rule_costs import is_rule_searches

Change: TypeAlias = Literal["added", "removed", "moved", "replaced", "same"]
"""``moved``: at another place, or with other ends; ``replaced``: same place, another replacement
or outcome."""


class FindingChange(Struct, frozen=True):
    """One finding of either run, or one of both that belong together."""

    change: Change
    before: FindingMade | None = None
    after: FindingMade | None = None


Pair: TypeAlias = tuple[AnyEvent | None, AnyEvent | None]
_MOST_PAIRS: Final = 5000
_STEP: Final = 256


class RunDiff(Struct, frozen=True):
    """What `compare` found.

    ``texts``: (before, after) of all delivered text, joined. ``first``: the first events that
    differ; None on the side that had ended. ``time``: after minus before, in ns. ``blocks``: the
    text blocks of both. ``differing``: pairs of events that belong together and say different
    things (None: only the other run has such an event), in order, the first thousands of
    ``differ``, which counts them all.
    """

    findings: tuple[FindingChange, ...]
    texts: tuple[str, str]
    first: Pair | None
    time: int
    blocks: tuple[dict[BlockKey, Block], dict[BlockKey, Block]]
    differing: tuple[Pair, ...]
    differ: int

    def count(self, change: Change) -> int:
        """How many findings changed so."""
        return sum(finding.change == change for finding in self.findings)

    @property
    def output_changed(self) -> bool:
        """Whether the client got another text."""
        return self.texts[0] != self.texts[1]


def compare(before: Sequence[AnyEvent], after: Sequence[AnyEvent]) -> RunDiff:
    """Compare two runs."""
    comparing = Comparing(before, after)
    for _ in comparing.steps():
        pass
    return comparing.result()


class Comparing:
    """`compare` in short steps, for a window that must stay alive meanwhile."""

    def __init__(self, before: Sequence[AnyEvent], after: Sequence[AnyEvent]) -> None:
        self._runs = (before, after)
        self._collectors = (BlockCollector(), BlockCollector())
        self._findings: tuple[list[FindingMade], list[FindingMade]] = ([], [])
        self._pairs: list[Pair] = []
        self._differ = 0

    def steps(self) -> Iterator[None]:
        """Do the work, and stop for a moment after each some hundred events."""
        places: dict[Any, list[AnyEvent]] = defaultdict(list)
        for side, events in enumerate(self._runs):
            for number, event in enumerate(events):
                self._collectors[side].add(event)
                if not _is_compared(event):
                    continue
                if isinstance(event, FindingMade):
                    self._findings[side].append(event)
                if side == 0:
                    places[_event_place(event)].append(event)
                else:
                    self._match(places, event)
                if number % _STEP == 0:
                    yield
            if side == 0:
                for queue in places.values():
                    queue.reverse()
        left = [event for queue in places.values() for event in queue]
        self._differ += len(left)
        self._pairs += [(event, None) for event in left]

    def result(self) -> RunDiff:
        """What was found, once all `steps` are done."""
        before, after = self._runs
        blocks = (self._collectors[0].blocks, self._collectors[1].blocks)
        pairs = list(_calls_first(sorted(self._pairs, key=_first_seq)))
        return RunDiff(
            findings=tuple(_compare_findings(self._findings, self._collectors)),
            texts=(_delivered(blocks[0]), _delivered(blocks[1])),
            first=first_difference(before, after) if pairs else None,
            time=_end(after) - _end(before),
            blocks=blocks,
            differing=tuple(pairs[:_MOST_PAIRS]),
            differ=self._differ,
        )

    def _match(self, places: dict[Any, list[AnyEvent]], event: AnyEvent) -> None:
        queue = places.get(_event_place(event))
        other = queue.pop() if queue else None
        if other is not None and _said(other) == _said(event):
            return
        self._differ += 1
        self._pairs.append((other, event))


def _is_compared(event: AnyEvent) -> bool:
    # what was edited is what the other events differ by
    return type(event) not in (RunStarted, EditedByHand) and not is_rule_searches(event)


def _event_place(event: AnyEvent) -> tuple[Any, ...]:
    place = (type(event), event.step, event.attempt, event.hook, event.processor)
    if isinstance(event, FindingMade):
        return (*place, event.rule, event.block, event.message_id)
    return (*place, getattr(event, "index", None))


def _calls_first(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """A call before the state and the findings that it told of: it says what was given and let out.

    In a trace the call comes last, since its outcome is known at its end.
    """
    waiting: list[Pair] = []
    place: tuple[Any, ...] = ()
    for pair in pairs:
        event = pair[1] or pair[0]
        assert event is not None
        here = (event.step, event.attempt, event.hook, event.processor)
        if here != place or event.hook is None:
            yield from waiting
            waiting, place = [], here
        if isinstance(event, HookCalled):
            yield pair
            yield from waiting
            waiting = []
        else:
            waiting.append(pair)
    yield from waiting


def _first_seq(pair: Pair) -> int:
    return min(event.seq for event in pair if event is not None)


def first_difference(before: Iterable[AnyEvent], after: Iterable[AnyEvent]) -> Pair | None:
    """The first two events at the same place that say different things; None if none do."""
    left, right = (filter(_is_compared, run) for run in (before, after))
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
        "about",  # the number of an event, which is that of its run
        "wrote",  # with times; the chunks themselves are delivered
    }
)


_TELLING: Final = {
    kind: tuple(name for name in kind.__struct_fields__ if name not in _INCIDENTAL)
    for kind in get_args(AnyEvent)
}


def _said(event: AnyEvent) -> tuple[Any, ...]:
    kind = type(event)
    return (kind, *(_timeless(getattr(event, name)) for name in _TELLING[kind]))


def _timeless(value: Any) -> Any:
    """``value`` without the run ids and the wall clock times in its chunks and messages."""
    match value:
        case Chunk():
            return value if value.run_id is None else msgspec.structs.replace(value, run_id=None)
        case tuple() | list():
            return [_timeless(item) for item in value]
        case {"createdAt": _}:
            return {key: item for key, item in value.items() if key != "createdAt"}
    return value


def _delivered(blocks: dict[BlockKey, Block]) -> str:
    return "\n".join(b.delivered.text for b in blocks.values() if b.kind == "text")


def _end(events: Sequence[AnyEvent]) -> int:
    ended = next((e for e in reversed(events) if isinstance(e, RunEnded)), None)
    return ended.time if ended is not None else events[-1].time if events else 0


def _place(finding: FindingMade, collector: BlockCollector) -> tuple[Any, ...]:
    block = collector.of_finding(finding)
    return (
        finding.processor,
        finding.hook,
        finding.step,
        finding.attempt,
        block.key[2:] if block is not None else finding.block,
        finding.message_id,
        finding.part_index,
        finding.path,
        finding.rule,
    )


def _compare_findings(
    runs: Iterable[Iterable[FindingMade]], collectors: Sequence[BlockCollector]
) -> Iterable[FindingChange]:
    places: dict[tuple[Any, ...], tuple[list[FindingMade], list[FindingMade]]]
    places = defaultdict(lambda: ([], []))
    for side, findings in enumerate(runs):
        for finding in findings:
            places[_place(finding, collectors[side])][side].append(finding)
    for old, new in places.values():
        yield from _pair(old, new)


def _pair(old: list[FindingMade], new: list[FindingMade]) -> Iterable[FindingChange]:
    by_span: dict[tuple[int, int], list[FindingMade]] = defaultdict(list)
    for finding in reversed(new):
        # strings of one tool result may have the same span each
        by_span[finding.start, finding.end].append(finding)
    moved_from: list[FindingMade] = []
    for finding in old:
        candidates = by_span[finding.start, finding.end]
        if not candidates:
            moved_from.append(finding)
            continue
        same = candidates.pop()
        equal = (finding.replacement, finding.outcome, finding.winner) == (
            same.replacement,
            same.outcome,
            same.winner,
        )
        yield FindingChange("same" if equal else "replaced", finding, same)
    by_length: dict[int, list[FindingMade]] = defaultdict(list)
    left_over = [finding for candidates in by_span.values() for finding in candidates]
    for finding in sorted(left_over, key=lambda finding: finding.seq):
        by_length[finding.end - finding.start].append(finding)
    gone: list[FindingMade] = []
    for finding in moved_from:
        candidates = by_length[finding.end - finding.start]
        if candidates:
            yield FindingChange("moved", finding, candidates.pop(0))
        else:
            gone.append(finding)
    come = [finding for candidates in by_length.values() for finding in candidates]
    yield from _grown(gone, come)


def _grown(gone: list[FindingMade], come: list[FindingMade]) -> Iterable[FindingChange]:
    """Pair those that share text: of a match with other ends. Matches of one rule never overlap."""
    come.sort(key=lambda finding: finding.start)
    place = 0
    for finding in sorted(gone, key=lambda finding: finding.start):
        while place < len(come) and come[place].end <= finding.start:
            yield FindingChange("added", None, come[place])
            place += 1
        if place < len(come) and come[place].start < finding.end:
            yield FindingChange("moved", finding, come[place])
            place += 1
        else:
            yield FindingChange("removed", finding)
    for finding in come[place:]:
        yield FindingChange("added", None, finding)
