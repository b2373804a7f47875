"""Checks on a stream, worked out from its trace alone.

Their unit is one text block of one attempt, rejected attempts too; a run's line sums them and
fails if one fails. A check that cannot be made says so, and is never shown as passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.patterns import MatchTimeout
from tripscope.patterns.units import utf16_len
from tripscope.processor import RuleBased
from tripscope.trace.blocks import Block, BlockCollector
from tripscope.trace.described_chain import described_in
from tripscope.trace.events import AnyEvent
from tripscope.trace.flows import Flow
from tripscope.trace.kind_tally import KindTally
from tripscope.trace.leaks import leaks_of
from tripscope.trace.lineage import Segment, through
from tripscope.trace.rebuild import rebuild_processors
from tripscope.trace.text_diff import common_prefix
from tripscope.wording import many

Verdict: TypeAlias = Literal["pass", "fail", "not made", "unscanned"]

JOINED = "joined = whole"
DECIDED = "nothing left before decided"
ACCOUNTED = "all accounted for"
KINDS = "kinds"
_SEEING_TEXT: Final = frozenset({"processOutputStream", "processToolResult"})


class Place(Struct, frozen=True):
    """Where a check fails first.

    ``index`` is the part; ``start``, ``end`` are UTF-16 units of what ``processor`` was given in
    the block.
    """

    step: int | None
    attempt: int | None
    processor: str | None
    index: int | None
    start: int = 0
    end: int = 0
    rule: str | None = None


class Check(Struct, frozen=True):
    """One line of the checks strip. ``detail`` is in words, with its units."""

    name: str
    verdict: Verdict
    detail: str
    place: Place | None = None

    def to_wire(self) -> dict[str, str]:
        """As reports spell it."""
        return {"name": self.name, "verdict": self.verdict, "detail": self.detail}


def run_checks(
    events: Iterable[AnyEvent],
    processors: Mapping[str, Any] | None = None,
    *,
    blocks: Sequence[Block] | None = None,
    tally: KindTally | None = None,
) -> list[Check]:
    """The four checks of a run.

    ``processors``: the run's processors by id, for the rules of those that are rule-based; without
    them, they are rebuilt from what the run's first event says of the chain. ``blocks``, ``tally``:
    what was put together of these events, where it is at hand.
    """
    log = events if isinstance(events, Sequence) else list(events)
    if blocks is None:
        blocks = list(BlockCollector(log).blocks.values())
    try:
        if processors is None:
            processors = rebuild_processors(log)
    except ValueError as error:
        why = f"the chain cannot be made again: {error}"
        with_rules = [Check(name, "not made", why) for name in (JOINED, DECIDED)]
    else:
        rules = {i: p for i, p in processors.items() if isinstance(p, RuleBased)}
        with_rules = [joined(blocks, rules), decided(blocks, rules)]
    return [*with_rules, accounted(blocks), kinds(tally or KindTally(log))]


def joined(blocks: Sequence[Block], rules: Mapping[str, RuleBased]) -> Check:
    """What left each rule-based processor equals its rules applied once to all it was given."""
    units = 0
    made = False
    for block, flow in _flows(blocks, rules):
        try:
            whole = rules[flow.processor].whole(flow.given.text)
        except MatchTimeout:
            return _too_slow(JOINED, block, flow)
        out = flow.out.text
        made = True
        units += flow.out.length
        if out == whole.text or (_cut(block, flow) and whole.text.startswith(out)):
            continue
        at = utf16_len(out[: common_prefix(out, whole.text)])
        index = flow.out.index_at(min(at, flow.out.length - 1)) if flow.out.length else None
        place = Place(*block.key[:2], flow.processor, index)
        return Check(
            JOINED, "fail", f"{flow.processor}: differs from unit {at} of what left", place
        )
    if not made:
        return _not_made(JOINED, blocks, rules)
    return Check(JOINED, "pass", f"{units:,} = {many(units, 'unit')}")


def decided(blocks: Sequence[Block], rules: Mapping[str, RuleBased]) -> Check:
    """No character inside a match of the whole block was let out unchanged."""
    made = False
    for block, flow in _flows(blocks, rules):
        rule_based = rules[flow.processor]
        if rule_based.passes_matches:
            continue
        made = True
        try:
            leaks = leaks_of(block, flow, rule_based)
        except MatchTimeout:
            return _too_slow(DECIDED, block, flow)
        if leaks:
            leak = leaks[0]
            units = sum(end - start for start, end in leak.out)
            place = Place(
                *block.key[:2], flow.processor, leak.index, leak.start, leak.end, leak.rule
            )
            return Check(DECIDED, "fail", f"{leak.rule}, {many(units, 'unit')}", place)
    if not made:
        return _not_made(DECIDED, blocks, rules)
    return Check(DECIDED, "pass", "no unit of a match was let out unchanged")


def accounted(blocks: Sequence[Block]) -> Check:
    """Given = passed + replaced + dropped + cut off + held, and nothing is held at the end."""
    sums = dict.fromkeys(("passed", "replaced", "dropped", "cut", "held"), 0)
    given = added = 0
    silent = sorted({f.processor for b in blocks for f in b.flows if f.held is None})
    if silent:
        return Check(ACCOUNTED, "not made", f"{silent[0]} does not say what it holds")
    for block in blocks:
        given += block.model.length
        end = 0
        segments = through(block)
        added += block.delivered.length - _covered(segments)
        for segment in segments:
            fate = segment.fate
            if fate == "held" and block.cut:
                fate = "cut"
            if fate == "passed" and (problem := _not_so(block, segment)):
                if not block.rejected:
                    return problem
                fate = "cut"
            sums[fate] += max(segment.end - max(segment.start, end), 0)
            end = max(end, segment.end)
            if fate == "held":
                index = block.model.index_at(segment.start)
                place = Place(*block.key[:2], segment.processor, index, segment.start, segment.end)
                units = many(segment.end - segment.start, "unit")
                detail = f"{units} never left {segment.processor}"
                return Check(ACCOUNTED, "fail", detail, place)
    if not given:
        return _not_made(ACCOUNTED, blocks)
    total = sum(sums.values())
    terms = " + ".join(
        f"{units:,} {'cut off' if fate == 'cut' else fate}" for fate, units in sums.items() if units
    )
    verdict: Verdict = "pass" if total == given else "fail"
    own = f"; {added:,} more {'is' if added == 1 else 'are'} of processors" if added > 0 else ""
    return Check(ACCOUNTED, verdict, f"{many(given, 'unit')} = {terms}{own}")


def _covered(segments: Sequence[Segment]) -> int:
    """How many units of what was delivered came from the model's text."""
    units = end = 0
    for segment in sorted(segments, key=lambda segment: segment.out_start):
        units += max(segment.out_end - max(segment.out_start, end), 0)
        end = max(end, segment.out_end)
    return units


def _not_so(block: Block, segment: Segment) -> Check | None:
    """What is wrong with a stretch that every processor is said to have passed unchanged."""
    units = many(segment.end - segment.start, "unit")
    place = Place(
        *block.key[:2], None, block.model.index_at(segment.start), segment.start, segment.end
    )
    if segment.out_end > block.delivered.length:
        detail = f"not delivered as {block.kind}: {units} that passed the chain"
        return Check(ACCOUNTED, "fail", detail, place)
    if block.model.units(segment.start, segment.end) != block.delivered.units(
        segment.out_start, segment.out_end
    ):
        detail = f"{units} should have passed unchanged, and the client got others"
        return Check(ACCOUNTED, "fail", detail, place)
    return None


def kinds(tally: KindTally) -> Check:
    """Every kind that carries text and that no processor of the chain scans, by name."""
    started, seen = tally.started, tally.counts
    if started is None or not seen:
        return Check(KINDS, "not made", "no chunks")
    # no other array sees the stream
    chain = [described for array, described in described_in(started.chain) if array == "output"]
    scanned = {kind for p in chain for kind in p.get("scans") or ()}
    silent = [
        p["id"]
        for p in chain
        if p.get("scans") is None and not _SEEING_TEXT.isdisjoint(p.get("hooks", ()))
    ]
    unscanned = [kind for kind in seen if kind not in scanned]
    if not unscanned:
        return Check(KINDS, "pass", "every kind that carries text is scanned")
    if silent:
        return Check(KINDS, "not made", f"{silent[0]} does not say what it scans")
    detail = ", ".join(f"{_short(kind)} {seen[kind]}" for kind in unscanned)
    step, attempt, index = tally.first[unscanned[0]]
    return Check(KINDS, "unscanned", detail, Place(step, attempt, None, index))


def _short(kind: str) -> str:
    return {"reasoning-delta": "reasoning", "text-delta": "text", "tool-call": "tool-args"}.get(
        kind, kind
    )


def _flows(blocks: Sequence[Block], rules: Mapping[str, RuleBased]) -> Iterable[tuple[Block, Flow]]:
    for block in blocks:
        for flow in block.flows:
            if flow.processor in rules and block.kind in rules[flow.processor].block_kinds:
                yield block, flow


def _cut(block: Block, flow: Flow) -> bool:
    return block.cut or bool(flow.dropped or flow.refused)


def _too_slow(name: str, block: Block, flow: Flow) -> Check:
    why = f"{flow.processor}: a rule takes too long on the whole text"
    return Check(name, "not made", why, Place(*block.key[:2], flow.processor, None))


def _not_made(
    name: str, blocks: Sequence[Block], rules: Mapping[str, RuleBased] | None = None
) -> Check:
    looked_at = {kind for rule_based in (rules or {}).values() for kind in rule_based.block_kinds}
    if not blocks:
        why = "no stream"
    elif looked_at and all(block.kind not in looked_at for block in blocks):
        why = "no text that rules look at"
    else:
        why = "no processor with rules on the stream"
    return Check(name, "not made", why)
