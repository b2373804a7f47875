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
from tripscope.rules.folds import Level, folded, reduced
from tripscope.rules.needle import frequency, needle_of

_WORTH_ASKING: Final = 0.012
_LETTERS: Final = frozenset(ascii_lowercase)


class Gate:
    """The needles of a set of rules.

    ``_signs``: characters of the text, each with the needles that it is the rarest one of, how
    often they hold it, and their view. ``_bare``: views with needles of which nothing can be asked
    before. ``_reduced``: needles by what a text must hold when it is `reduced`: so many digits,
    this string, and, unreduced, this character.
    """

    def __init__(self) -> None:
        self._signs: dict[str, list[tuple[int, Level, str]]] = {}
        self._bare: dict[Level, list[str]] = {}
        self._reduced: list[tuple[int, bytes, str, Level, str]] = []

    def add(self, level: Level, needles: Iterable[str], digits: int) -> None:
        """Needles of a view; ``digits``: so many are in each match of a rule that needs one."""
        for text in sorted(needles):
            sign = needle_of(text, level).sign
            rest = reduced(text)
            if rest and (level == 5 or (level == 1 and not _LETTERS.intersection(text))):
                self._reduced.append((rest.count(b"0"), rest, sign or "", level, text))
            elif level == 3 and digits:
                self._reduced.append((digits, b"", "", level, text))
            elif sign is not None and frequency(sign, level) <= _WORTH_ASKING:
                self._signs.setdefault(sign, []).append((text.count(sign), level, text))
            else:
                self._bare.setdefault(level, []).append(text)

    def lets_in(self, text: str) -> bool:
        """Whether a needle is in ``text``, spread into units or not."""
        for sign, needles in self._signs.items():
            if sign in text and self._holds(text, sign, needles):
                return True
        for level, some in self._bare.items():
            view = folded(text, level) if level else text
            for needle in some:
                if needle in view:
                    return True
        return bool(self._reduced) and self._holds_reduced(text)

    def _holds(self, text: str, sign: str, needles: list[tuple[int, Level, str]]) -> bool:
        for times, level, needle in needles:
            if times > 1 and text.count(sign) < times:
                continue
            if needle in (folded(text, level) if level else text):
                return True
        return False

    def _holds_reduced(self, text: str) -> bool:
        signs = reduced(text)
        digits = signs.count(b"0")
        for least, inner, sign, level, needle in self._reduced:
            if digits < least or inner not in signs:
                continue
            if sign in text and needle in folded(text, level):
                return True
        return False


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
