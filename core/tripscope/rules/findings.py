"""What a filter tells the trace: a finding for each match, and what became of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tripscope.patterns.units import join_surrogates, utf16_len
from tripscope.processor import Interval, Outcome, Probe
from tripscope.rules.redaction import Redaction
from tripscope.rules.regions import Found, Region, merge


def is_silent(probe: Probe) -> bool:
    """Whether nobody listens to a probe, so that nothing need be made up for it."""
    return bool(getattr(probe, "silent", False))


def redacted(
    probe: Probe,
    redactions: Iterable[Redaction],
    units: str,
    *,
    offset: int = 0,
    with_values: bool,
    message_id: str | None = None,
    part_index: int | None = None,
    tool_call_id: str | None = None,
    path: str | None = None,
) -> None:
    """A finding for each match of each region; ``offset``: place of ``units`` in the block."""
    if is_silent(probe):
        return
    for one in redactions:
        region = one.region
        for found in region.members:
            probe.finding(
                found.rule.name,
                offset + found.start,
                offset + found.end,
                "changed",
                reported=(region.start, region.end),
                replacement=one.replacement,
                value=_value(units, found) if with_values else None,
                winner=_winner(region, found),
                message_id=message_id,
                part_index=part_index,
                tool_call_id=tool_call_id,
                path=path,
            )


def matched(
    probe: Probe,
    outcome: Outcome,
    matches: Sequence[Found],
    units: str,
    *,
    offset: int = 0,
    with_values: bool,
    message_id: str | None = None,
    part_index: int | None = None,
) -> None:
    """A finding for each match of a rule that blocks or warns; one of nothing stands alone."""
    regions = merge(matches)
    empty = [Region(m.start, m.end, m, [m]) for m in matches if m.start == m.end]
    for region in sorted(regions + empty, key=lambda region: region.start):
        for found in region.members:
            probe.finding(
                found.rule.name,
                offset + found.start,
                offset + found.end,
                outcome,
                reported=(region.start, region.end),
                value=_value(units, found) if with_values else None,
                winner=_winner(region, found),
                message_id=message_id,
                part_index=part_index,
            )


def intervals(
    redactions: Sequence[Redaction], units: int, *, given: int, let_out: int
) -> Iterator[Interval]:
    """``units`` of text from ``given`` on became text from ``let_out`` on, regions replaced."""
    at, out = 0, 0
    for one in redactions:
        region = one.region
        if region.start > at:
            yield (given + at, given + region.start, let_out + out, let_out + one.out_start, None)
        end = one.out_start + utf16_len(one.replacement)
        rule = region.owner.rule.name
        yield (
            given + region.start,
            given + region.end,
            let_out + one.out_start,
            let_out + end,
            rule,
        )
        at, out = region.end, end
    if units > at:
        yield (given + at, given + units, let_out + out, let_out + out + units - at, None)


def _winner(region: Region, found: Found) -> str | None:
    return None if region.owner is found else region.owner.rule.name


def _value(units: str, found: Found) -> str:
    return join_surrogates(units[found.start : found.end])
