"""Where a pattern that does not match a text stops: its longest beginning that still does.

A pattern that is a sequence at its outermost level is cut behind each of its parts. Whatever the
whole matches, each of its beginnings matches too, so the place can be searched for by halves.
"""

from bisect import bisect_left

from msgspec import Struct

from tripscope.patterns.machine import Clock
from tripscope.patterns.parser import parser_of
from tripscope.patterns.pattern import Pattern
from tripscope.patterns.syntax import Tree, seq
from tripscope.patterns.units import OffsetMap

MOST_PARTS = 2_000


class Stop(Struct, frozen=True):
    """The part of a pattern at which it stops; all offsets are UTF-16 units.

    ``start`` and ``end`` lie in the pattern. All that stands before ``start`` matches at
    ``matched`` of the text, the longest such match; with the part it matches nowhere. None: the
    pattern begins with the part.
    """

    start: int
    end: int
    matched: tuple[int, int] | None = None


def stop_of(pattern: str, flags: str, text: str, *, timeout: float | None = None) -> Stop | None:
    """Where the pattern stops in the text.

    None: it matches, or it cannot be told, for the pattern is a choice (``a|b``), empty, or of too
    many parts.

    Args:
        pattern: as JavaScript has it.
        flags: as JavaScript has them.
        text: what is searched.
        timeout: seconds for all of it.

    Raises:
        PatternError: JavaScript refuses the pattern.
        MatchTimeout: it was not found in time.
    """
    clock = Clock.of(timeout)
    whole = Pattern(pattern, flags)
    beginnings = _Beginnings(pattern, whole.flags)
    ends = beginnings.ends
    if not ends or len(ends) > MOST_PARTS:
        return None

    def fails(parts: int) -> bool:
        made = Pattern(pattern, whole.flags, beginnings.tree(parts))
        return not made.test(text, timeout=clock.seconds_left())

    reached = bisect_left(range(1, len(ends) + 1), True, key=fails)
    if reached == len(ends):
        return None
    if not reached:
        return Stop(0, ends[0])
    every = "".join(sorted({*whole.flags, "g"}))
    found = Pattern(pattern, every, beginnings.tree(reached)).find_all(
        text, timeout=clock.seconds_left()
    )
    longest = max(found, key=lambda match: match.length)
    return Stop(ends[reached - 1], ends[reached], (longest.index, longest.end))


class _Beginnings:
    """What a pattern begins with, cut behind each of its outermost parts.

    ``ends``: the cuts, in UTF-16 units of the pattern; none where it is a choice.
    """

    def __init__(self, pattern: str, flags: str) -> None:
        parser = self._parser = parser_of(pattern, flags)
        parser.run()
        text, frame = parser.scan.text, parser.stack[0]
        self._terms = frame.terms
        offsets = OffsetMap(text)
        cuts = {
            offsets.to_utf16(end): count
            for end, count in (() if frame.options else parser.ends)
            if not _is_inside_pair(text, end)
        }
        self.ends, self._counts = list(cuts), list(cuts.values())

    def tree(self, parts: int) -> Tree:
        """So many parts, with the groups numbered as in the whole pattern."""
        return self._parser.tree(seq(self._terms[: self._counts[parts - 1]]))


def _is_inside_pair(text: str, at: int) -> bool:
    """Whether half a character ends there: no part is one."""
    return (
        at < len(text) and "\ud800" <= text[at - 1] <= "\udbff" and "\udc00" <= text[at] <= "\udfff"
    )
