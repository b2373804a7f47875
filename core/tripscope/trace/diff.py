"""What differs between two runs: findings, delivered text, the first event, the time.

Findings are compared where they stand: same processor, hook, step, attempt and place. Times,
durations and run ids are never a difference, nor is what the runs were made of, which
`tripscope.trace.chain_diff` tells.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import chain, islice, repeat, zip_longest
from typing import Any, Final, Literal, Protocol, TypeAlias

from msgspec import Struct

from tripscope.trace.alike import alike
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
_Waiting: TypeAlias = defaultdict[tuple[Any, ...], deque[AnyEvent]]
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


class Collected(Protocol):
    """The text blocks of a run: `tripscope.trace.blocks.BlockCollector` has them."""

    @property
    def blocks(self) -> dict[BlockKey, Block]:
        """By key, in the order of their beginnings."""
        ...

    def of_finding(self, finding: FindingMade) -> Block | None:
        """The block that a finding of the stream lies in."""
        ...


class Comparing:
    """`compare` in short steps, for a window that must stay alive meanwhile.

    Args:
        before: events of one run.
        after: events of the other one.
        collected: what was put together of both, where it is at hand.
    """

    def __init__(
        self,
        before: Sequence[AnyEvent],
        after: Sequence[AnyEvent],
        collected: tuple[Collected, Collected] | None = None,
    ) -> None:
        self._runs = (before, after)
        self._collected = collected
        self._findings: tuple[list[FindingMade], list[FindingMade]] = ([], [])
        self._changes: list[FindingChange] = []
        self._waiting: tuple[_Waiting, _Waiting] = (defaultdict(deque), defaultdict(deque))
        """Events of each side, by place, that the other side has not come to yet."""
        self._first: Pair | None = None
        self._pairs: list[Pair] = []

    @property
    def expected_steps(self) -> int:
        """About as many steps as there will be, at least 1: runs that differ much have more."""
        lengths = [len(run) for run in self._runs]
        collecting = sum(lengths) if self._collected is None else 0
        return 1 + (collecting + max(lengths)) // _STEP

    def steps(self) -> Iterator[None]:
        """Do the work, and stop for a moment after each some hundred events."""
        if self._collected is None:
            before, after = self._runs
            self._collected = ((yield from _collect(before)), (yield from _collect(after)))
        # two runs are alike for long stretches, or one is some events ahead of the other
        both = zip_longest(*(filter(_is_compared, run) for run in self._runs))
        for number, (one, other) in enumerate(both):
            self._set_beside(one, other)
            if number % _STEP == 0:
                yield
        gone, come = (chain.from_iterable(queues.values()) for queues in self._waiting)
        left = chain(zip(gone, repeat(None)), zip(repeat(None), come))
        for number, pair in enumerate(left):
            self._pairs.append(pair)
            if number % _STEP == 0:
                yield
        self._pairs.sort(key=_order)
        yield
        for number, change in enumerate(_compare_findings(self._findings, self._collected)):
            self._changes.append(change)
            if number % _STEP == 0:
                yield

    def result(self) -> RunDiff:
        """What was found, once all `steps` are done."""
        assert self._collected is not None
        before, after = self._runs
        blocks = (self._collected[0].blocks, self._collected[1].blocks)
        return RunDiff(
            findings=tuple(self._changes),
            texts=(_delivered(blocks[0]), _delivered(blocks[1])),
            first=self._first if self._pairs else None,
            time=_end(after) - _end(before),
            blocks=blocks,
            differing=tuple(islice(_calls_first(self._pairs), _MOST_PAIRS)),
            differ=len(self._pairs),
        )

    def _set_beside(self, one: AnyEvent | None, other: AnyEvent | None) -> None:
        """Take the next event of each side; None where it had ended."""
        if type(one) is FindingMade:
            self._findings[0].append(one)
        if type(other) is FindingMade:
            self._findings[1].append(other)
        if not self._waiting[0] and not self._waiting[1]:
            if one is not None and other is not None and alike(one, other):
                return
            if self._first is None:
                self._first = one, other
        if one is not None:
            self._look_for_other(one, 0)
        if other is not None:
            self._look_for_other(other, 1)

    def _look_for_other(self, event: AnyEvent, side: int) -> None:
        """Find the event of the other side that belongs to one of this side, or let it wait."""
        place = _event_place(event)
        others = self._waiting[1 - side]
        queue = others.get(place)
        if queue is None:
            self._waiting[side][place].append(event)
            return
        other = queue.popleft()
        if not queue:
            del others[place]
        one, other = (event, other) if side == 0 else (other, event)
        if not alike(one, other):
            self._pairs.append((one, other))


def _collect(events: Sequence[AnyEvent]) -> Generator[None, None, Collected]:
    """Put the blocks of a run together, in steps."""
    collector = BlockCollector()
    for first in range(0, len(events), _STEP):
        collector.extend(events[first : first + _STEP])
        yield
    return collector


def _is_compared(event: AnyEvent) -> bool:
    # what was edited is what the other events differ by
    return type(event) not in (RunStarted, EditedByHand) and not is_rule_searches(event)


def _event_place(event: AnyEvent) -> tuple[Any, ...]:
    place = (type(event), event.step, event.attempt, event.hook, event.processor)
    if isinstance(event, FindingMade):
        return (*place, event.rule, event.block, event.message_id)
    return (*place, getattr(event, "index", None))


def _order(pair: Pair) -> tuple[float, float]:
    """By the event that comes first; then those of the other run in their order, none last."""
    one, other = (math.inf if event is None else event.seq for event in pair)
    return min(one, other), other


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


def _delivered(blocks: dict[BlockKey, Block]) -> str:
    return "\n".join(b.delivered.text for b in blocks.values() if b.kind == "text")


def _end(events: Sequence[AnyEvent]) -> int:
    ended = next((e for e in reversed(events) if isinstance(e, RunEnded)), None)
    return ended.time if ended is not None else events[-1].time if events else 0


def _place(finding: FindingMade, collector: Collected) -> tuple[Any, ...]:
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
    runs: Iterable[Iterable[FindingMade]], collectors: Sequence[Collected]
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
