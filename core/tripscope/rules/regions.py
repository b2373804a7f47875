"""Overlapping matches become regions: each is replaced once, by the rule of its longest match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from tripscope.rules.rule import RegexRule


class Found(NamedTuple):
    """One match of one rule, in UTF-16 units of the text searched."""

    rule: RegexRule
    start: int
    end: int


class Region(Struct):
    """Matches that overlap, joined. ``owner`` is the longest, of equal ones the first.

    ``members`` are in the order of their start, longer ones first, then in the order of the rules.
    """

    start: int
    end: int
    owner: Found
    members: list[Found]


def merge(matches: Iterable[Found]) -> list[Region]:
    """Disjoint regions in the order of the text; matches of nothing are left out.

    Matches that only touch stay apart. ``matches`` come rule by rule.
    """
    regions: list[Region] = []
    some = [match for match in matches if match.end > match.start]
    if len(some) > 1:
        some.sort(key=lambda match: (match.start, -match.end))
    for match in some:
        if regions and match.start < (last := regions[-1]).end:
            last.members.append(match)
            last.end = max(last.end, match.end)
            if match.end - match.start > last.owner.end - last.owner.start:
                last.owner = match
        else:
            regions.append(Region(match.start, match.end, match, [match]))
    return regions
