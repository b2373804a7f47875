"""Which rules may match a text at all, and where: cheap, exact in what it rules out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from tripscope.patterns import Pattern
from tripscope.rules.factor import Factor, factor_of
from tripscope.rules.folds import DIGITS_AND_SIGNS, LEVELS, Level, Views, preimage
from tripscope.rules.gate import Gate, least_digits
from tripscope.rules.needle import frequency, needle_of
from tripscope.rules.rule import RegexRule

_KEPT: Final = 3
_LONG: Final = 8192
_MOST_PATTERNS: Final = 16_384


class Needles(Struct):
    """A factor and the rules that it speaks for, by place."""

    factor: Factor
    places: list[int] = field(default_factory=list)

    def first(self, views: Views) -> int:
        """Offset of the first needle; -1 if there is none."""
        best = -1
        for text in self.factor.needles:
            at = needle_of(text, self.factor.level).find(views, 0)
            if at >= 0 and (best < 0 or at < best):
                best = at
        return best


class Prefilter:
    """The factors of a set of rules. ``always``: places of rules that have none.

    A needle that may be at any distance behind its match's start can have come up in new text only
    if that holds ``alarm_char``, or if ``alarm`` finds something in it; at most one of the two is
    not None.
    """

    def __init__(self, rules: Sequence[RegexRule]) -> None:
        groups: dict[Factor, Needles] = {}
        self.always: list[int] = []
        self.factors: list[Factor | None] = [_factor(rule.compiled) for rule in rules]
        for place, factor in enumerate(self.factors):
            if factor is None:
                self.always.append(place)
            else:
                groups.setdefault(factor, Needles(factor)).places.append(place)
        self.groups: Final = tuple(groups.values())
        self._by_length: Final = sorted(self.groups, key=lambda group: len(group.factor.needles[0]))
        alarming = _alarming(groups)
        self.alarm_char: Final = alarming if len(alarming) == 1 else None
        self.alarm: Final = _finder(alarming) if len(alarming) > 1 else None
        parts = _parts(groups)
        self._parts: Final = parts
        self._gate: Final = Gate()
        for level in LEVELS:
            if needles := [needle for needle, inner in parts.get(level, {}).items() if not inner]:
                self._gate.add(level, needles, self._digits(rules, level))

    def _digits(self, rules: Sequence[RegexRule], level: Level) -> int:
        """How many digits each match has of the rules with a needle of this level."""
        if level != DIGITS_AND_SIGNS:
            return 0
        groups = [group for group in self.groups if group.factor.level == level]
        places = [place for group in groups for place in group.places]
        return min(least_digits(rules[place].compiled.tree.root) for place in places)

    def may_match(self, text: str) -> bool:
        """Whether any rule may match ``text``, spread into units or not; False is certain.

        A long text is not looked at: `candidates` does all there is to do, once.
        """
        if self.always or len(text) > _LONG:
            return True
        return self._gate.lets_in(text)

    def candidates(self, views: Views) -> list[int]:
        """The places of the rules that may match, in order."""
        places = list(self.always)
        absent: dict[Level, set[str]] = {}
        for group in self._by_length:
            level = group.factor.level
            gone = absent.setdefault(level, set())
            parts = self._parts[level]
            for needle in group.factor.needles:
                # A needle that holds one that is not there is not there either.
                if needle not in gone and gone.isdisjoint(parts[needle]):
                    if needle_of(needle, level).find(views, 0) >= 0:
                        places += group.places
                        break
                    gone.add(needle)
        places.sort()
        return places


def _parts(groups: dict[Factor, Needles]) -> dict[Level, dict[str, tuple[str, ...]]]:
    """All needles by level, each with those of its level that are a part of it.

    The time grows with the length of all needles, not with the number of their pairs.
    """
    by_level: dict[Level, set[str]] = {}
    for factor in groups:
        by_level.setdefault(factor.level, set()).update(factor.needles)
    parts: dict[Level, dict[str, tuple[str, ...]]] = {}
    for level, needles in by_level.items():
        lengths = sorted({len(needle) for needle in needles})
        parts[level] = {needle: _inside(needle, needles, lengths) for needle in needles}
    return parts


def _inside(needle: str, needles: set[str], lengths: list[int]) -> tuple[str, ...]:
    cut = {
        needle[at : at + length]
        for length in lengths
        if length < len(needle)
        for at in range(len(needle) - length + 1)
    }
    return tuple(cut & needles)


@lru_cache(maxsize=_MOST_PATTERNS)
def _factor(pattern: Pattern) -> Factor | None:
    """The factor of a pattern; a session's rules are made anew for every run and check of it."""
    return _ending_rare(factor_of(pattern.tree))


def _ending_rare(factor: Factor | None) -> Factor | None:
    """With needles of an unbounded reach cut behind a rare character, for the alarm."""
    if factor is None or factor.reach is not None:
        return factor

    def cut(needle: str) -> str:
        places = range(min(_KEPT, len(needle)) - 1, len(needle))
        return needle[: min(places, key=lambda at: frequency(needle[at], factor.level)) + 1]

    return replace(factor, needles=tuple(sorted({cut(needle) for needle in factor.needles})))


def _alarming(groups: Iterable[Factor]) -> str:
    """The last character of each needle that may be at any distance."""
    chars = {
        char
        for factor in groups
        if factor.reach is None
        for needle in factor.needles
        for char in preimage(needle[-1], factor.level)
    }
    return "".join(sorted(chars))


def _finder(chars: str) -> Callable[[str], object]:
    return re.compile(f"[{re.escape(chars)}]").search
