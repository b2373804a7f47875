"""Text that left a rule-based processor before its rules could decide on it.

Such a stretch lies inside a match of the whole block and was let out unchanged. It is listed among
a run's findings, as "left at chunk n", since no rule told of it while the run went on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from tripscope.patterns import MatchTimeout
from tripscope.processor import Interval, RuleBased
from tripscope.trace.blocks import Block, BlockCollector, BlockKey
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, ModelChunk
from tripscope.trace.flows import Flow
from tripscope.trace.rebuild import rebuild_processors
from tripscope.trace.stretches import Stretches

Range: TypeAlias = tuple[int, int]


class Leak(Struct, frozen=True):
    """One match of which something got out.

    ``start``, ``end``: UTF-16 units of what ``processor`` was given in the block; ``out``: the
    stretches of what it let out; ``index``: of the part with which the first of them left.
    """

    block: BlockKey
    processor: str
    rule: str
    start: int
    end: int
    out: tuple[Range, ...]
    index: int


def leaks_of(block: Block, flow: Flow, rules: RuleBased) -> list[Leak]:
    """All matches that ``flow`` let out in part or whole, in order.

    Raises:
        MatchTimeout: a rule's time budget was used up.
    """
    if rules.passes_matches or block.kind not in rules.block_kinds:
        return []
    return leaks_among(rules.whole(flow.given.text).matches, block, flow)


def leaks_among(matches: Iterable[tuple[str, int, int]], block: Block, flow: Flow) -> list[Leak]:
    """Those matches (see `tripscope.processor.Whole`) that ``flow`` let out in part or whole."""
    stretches = Stretches(filter(passed, flow.intervals))
    return [
        Leak(block.key, flow.processor, rule, start, end, out, flow.out.index_at(out[0][0]))
        for rule, start, end in matches
        if (out := tuple(_let_out(stretches, start, end)))
    ]


def run_leaks(events: Sequence[AnyEvent]) -> list[Leak]:
    """All leaks of a finished run, in order of its blocks.

    None are told of a block on which a rule takes too long, or where the chain cannot be made
    again: the check "nothing left before decided" says that it is not made then.
    """
    try:
        processors = rebuild_processors(events)
    except ValueError:
        return []
    found: list[Leak] = []
    for block in BlockCollector(events).blocks.values():
        for flow in block.flows:
            rules = processors.get(flow.processor)
            if isinstance(rules, RuleBased):
                try:
                    found += leaks_of(block, flow, rules)
                except MatchTimeout:
                    continue
    return found


def passed(interval: Interval) -> bool:
    """Whether the interval let its text out as it was."""
    in_start, in_end, out_start, out_end, rule = interval
    return rule is None and out_end - out_start == in_end - in_start


def _let_out(passed_on: Stretches, start: int, end: int) -> list[Range]:
    return [
        (max(i[0], start) + i[2] - i[0], min(i[1], end) + i[2] - i[0])
        for i in passed_on.touching(start, end)
    ]


class ChunkNumbers:
    """What a person calls each part of a run: "chunk 13", counted from 1 in order of arrival.

    Parts that do not enter the chain count too, so that the number is not the part's index.
    """

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._numbers: dict[int, int] = {}
        count = 0
        for event in events:
            if isinstance(event, HookCalled):
                if event.hook != "processOutputStream":
                    continue
            elif not isinstance(event, ModelChunk) and not (
                isinstance(event, Delivered) and event.index is not None
            ):
                continue
            if event.index is None or event.index not in self._numbers:
                count += 1
                if event.index is not None:
                    self._numbers[event.index] = count

    def of(self, index: int | None) -> int | None:
        """The number of a part, by its index."""
        return self._numbers.get(index) if index is not None else None

    def words(self, index: int | None) -> str:
        """``chunk 13``; empty if no part has that index."""
        number = self.of(index)
        return f"chunk {number}" if number is not None else ""
