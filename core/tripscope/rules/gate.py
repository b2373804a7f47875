"""Whether a short text can hold a needle at all: what costs least is asked first.

In a text of two hundred characters it takes 30 ns to look for one of them, 180 ns to look for
several, and 400 ns to make a view. So a needle is looked for only where the text holds its rarest
character, and a view is made only for needles of which all else that can be asked says yes.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase
from typing import Final

from tripscope.patterns.charset import DIGITS
from tripscope.patterns.syntax import Alt, Char, Group, Node, Repeat, Seq
from tripscope.rules.folds import (
    CAPITALS_AND_DIGITS,
    DIGITS_AND_SIGNS,
    LOWER,
    LOWER_AND_DIGITS,
    TEXT,
    Level,
    folded,
    reduced,
)
from tripscope.rules.needle import frequency, needle_of

# Both are by `frequency`, so of ordinary text, and for texts of some two hundred characters: the
# "200 chars" rows of tests/bench/bench_regex_filter.py. A fourth of either, or four times as much,
# moves those rows by less than they move between two turns; no answer depends on them.
_WORTH_ASKING: Final = 0.012
"""A character that begins at most every 80th place: one such text in eleven holds none of it, and
only then is a view saved. More common ones are asked for in vain."""
_RARE: Final = 0.006
"""At most every 160th place: three in ten hold none of it, so it pays in a view too."""
_LETTERS: Final = frozenset(ascii_lowercase)


class Gate:
    """The needles of a set of rules, each where it costs least to see that it is not there.

    ``_in_text``: rarest characters of needles of the text itself, each with its needles.
    ``_in_views``: the views that have to be made, with the same for them, and with the needles
    that have no rare character. ``_guarded``: needles of other views, by a character that the text
    itself must hold, and how often. ``_reduced``: needles by what a text must hold when it is
    `reduced`: so many signs, so many digits, this string, and, unreduced, this character.
    """

    def __init__(self) -> None:
        self._in_text: list[tuple[str, list[str]]] = []
        self._in_views: list[tuple[Level, list[tuple[str, list[str]]], list[str]]] = []
        self._guarded: list[tuple[str, int, Level, str]] = []
        self._reduced: list[tuple[int, int, bytes, str, Level, str]] = []

    def add(self, level: Level, needles: Iterable[str], digits: int) -> None:
        """All needles of a view; ``digits``: so many are in each match of a rule that needs one."""
        if level == TEXT:
            self._in_text, bare = _by_rarest(needles, level)
            if bare:
                self._in_views.append((level, [], bare))
            return
        guarded: list[tuple[str, int, Level, str]] = []
        others: list[str] = []
        for text in sorted(needles):
            sign = needle_of(text, level).sign
            rest = reduced(text)
            if rest and (
                level == CAPITALS_AND_DIGITS
                or (level == LOWER_AND_DIGITS and not _LETTERS.intersection(text))
            ):
                count = rest.count(b"0")
                self._reduced.append((len(rest), count, rest, sign or "", level, text))
            elif level == DIGITS_AND_SIGNS and digits:
                self._reduced.append((digits, digits, b"", "", level, text))
            elif sign is not None and frequency(sign, level) <= _WORTH_ASKING:
                guarded.append((sign, text.count(sign), level, text))
            else:
                others.append(text)
        if others:
            signed, bare = _by_rarest((*others, *[text for *_, text in guarded]), level)
            self._in_views.append((level, signed, bare))
        else:
            self._guarded += guarded

    def lets_in(self, text: str) -> bool:
        """Whether a needle is in ``text``, spread into units or not."""
        for sign, needles in self._in_text:
            if sign in text and _any_in(text, needles):
                return True
        for level, signed, bare in self._in_views:
            view = text.lower() if level == LOWER and text.isascii() else folded(text, level)
            for needle in bare:
                if needle in view:
                    return True
            for sign, needles in signed:
                if sign in view and _any_in(view, needles):
                    return True
        for guard in self._guarded:
            if guard[0] in text and _holds_guarded(text, *guard):
                return True
        return bool(self._reduced) and self._holds_reduced(text)

    def _holds_reduced(self, text: str) -> bool:
        signs = reduced(text)
        size = len(signs)
        for least, digits, inner, sign, level, needle in self._reduced:
            if size < least or sign not in text or inner not in signs:
                continue
            if signs.count(b"0") >= digits and needle in folded(text, level):
                return True
        return False


def _by_rarest(
    needles: Iterable[str], level: Level
) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """The needles by their rarest characters, and those that hold no rare one."""
    signed: dict[str, list[str]] = {}
    bare: list[str] = []
    for needle in sorted(needles):
        rarest = min(needle, key=lambda char: frequency(char, level))
        if frequency(rarest, level) <= _RARE:
            signed.setdefault(rarest, []).append(needle)
        else:
            bare.append(needle)
    return list(signed.items()), bare


def _any_in(view: str, needles: list[str]) -> bool:
    return any(needle in view for needle in needles)


def _holds_guarded(text: str, sign: str, times: int, level: Level, needle: str) -> bool:
    return text.count(sign) >= times and needle in folded(text, level)


def least_digits(node: Node) -> int:
    """So many ASCII digits are in every match."""
    match node:
        case Char(chars):
            return 1 if chars.ranges and not (chars - DIGITS).ranges else 0
        case Seq(items):
            return sum(map(least_digits, items))
        case Alt(options):
            return min(map(least_digits, options))
        case Group(_, body):
            return least_digits(body)
        case Repeat(body, low):
            return low and low * least_digits(body)
        case _:
            return 0
