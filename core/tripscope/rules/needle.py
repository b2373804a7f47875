"""Looking for one needle in one view of a text, by way of its rarest character."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tripscope.rules.folds import (
    CAPITALS_AND_DIGITS,
    DIGITS_AND_SIGNS,
    TEXT,
    WORDS,
    Level,
    Views,
    folded,
    shows_itself,
)

# Guesses for ordinary text, per 1,200 characters: measured, but they decide only which of several
# ways to the same answer is taken.
_LETTERS: Final = dict(
    zip(
        "etaoinsrhldcumfpgwybvkxjqz",
        (102, 75, 66, 61, 57, 57, 52, 49, 49, 33, 34, 23, 23, 20, 18, 16, 16, 19, 16, 12, 8, 6, 2,
         1, 1, 1),
        strict=True,
    )
)  # fmt: skip
_SIGNS: Final = {
    ".": 0.01, ",": 0.01, "\n": 0.01, "'": 0.004, '"': 0.004, "-": 0.003, ":": 0.003,
}  # fmt: skip
# The sizes below were tried on the texts of tests/bench/bench_regex_filter.py (messages of 1 MB and
# 10 KB of its prose, and of numbers only); they choose among ways to one answer.
_RARE: Final = 0.003
"""At most every 300th place, about what an upper case letter has. With a sixth of it no letter is
rare, and with seven times as much common ones are: both take the messages up to twice the time."""
_MANY: Final = 8192
"""Needles that are remembered: some twenty rules have a few dozen, so a hundred chains fit."""
_GATED_SIZE: Final = 8192
"""UTF-16 units from which a search by one character repays the turns of its loop in Python. Where
only texts of over 1 MB are searched so, the messages of 1 MB take twice the time."""
_GATED_TRIES: Final = 3000
"""Characters that were in vain, after which the text is not ordinary: at `_RARE` those of 1 MB. A
plain search then goes on, so that dense text costs no more than this loop and that search."""
_PAIRED_TRIES: Final = 20_000
"""The same where a try costs less than the view it saves, which is one pass over the whole text.
500 of them make the twenty rules half as slow again on 1 MB; without an end dense text would be."""
_FOLDED_TRIES: Final = 200
"""Pairs whose surroundings were folded in vain: each costs some 300 ns, so a fifteenth of what
a view of 1 MB costs is spent before it is made after all."""


@lru_cache(maxsize=_MANY)
def frequency(needle: str, level: Level) -> float:
    """A guess at how often a needle begins at a place of ordinary text."""
    guess = 1.0
    before = ""
    for char in needle:
        if level == DIGITS_AND_SIGNS and char == "0":
            guess *= 0.3 if before == "0" else 0.25
        elif level == WORDS and char == "x":
            guess *= 0.8
        elif level == CAPITALS_AND_DIGITS and char == "A":
            guess *= 0.3 if before == "A" else 0.03
        elif char.isascii() and char.isupper():
            guess *= 0.003
        elif char in _LETTERS:
            guess *= _LETTERS[char] / 1200
        elif char == " ":
            guess *= 0.17
        elif char.isdigit():
            guess *= 0.3 if before.isdigit() else 0.02
        else:
            guess *= _SIGNS.get(char, 0.0003)
        before = char
    return guess


class Needle:
    """A string to look for in the view of its level.

    ``gate``: its rarest character and where it stands in it, if it is rare: to look for one
    character takes a seventieth of the time that it takes to look for several. ``sign``: the
    rarest of its characters that stand in the text where they stand in the view.
    """

    __slots__ = ("_pair", "gate", "level", "sign", "text")

    def __init__(self, text: str, level: Level) -> None:
        self.text = text
        self.level = level
        at = min(range(len(text)), key=lambda place: frequency(text[place], level))
        rare = frequency(text[at], level) <= _RARE
        self.gate: tuple[str, int] | None = (text[at], at) if rare else None
        plain = [place for place, char in enumerate(text) if shows_itself(char, level)]
        plain.sort(key=lambda place: frequency(text[place], level))
        # Two characters that the text itself must hold, this far from each other.
        self._pair: tuple[int, int] | None = None
        if len(plain) > 1 and level != TEXT and frequency(text[plain[0]], level) <= _RARE:
            self._pair = (plain[0], plain[1])
        self.sign = text[plain[0]] if plain else None

    def find(self, views: Views, start: int) -> int:
        """As ``views[level].find(text, start)``; the view is made if there is no other way."""
        if len(views.units) - start >= _GATED_SIZE:
            if self._pair is not None and self.level not in views:
                return self._find_paired(views, start, *self._pair)
            if self.gate is not None:
                return self._find_gated(views[self.level], start, *self.gate)
        return views[self.level].find(self.text, start)

    def _find_gated(self, view: str, start: int, char: str, offset: int) -> int:
        text = self.text
        at = start + offset - 1
        for _ in range(_GATED_TRIES):
            at = view.find(char, at + 1)
            if at < 0:
                return -1
            if view.startswith(text, at - offset):
                return at - offset
        return view.find(text, at - offset + 1)

    def _find_paired(self, views: Views, start: int, one: int, other: int) -> int:
        units, text, level = views.units, self.text, self.level
        first, second, apart = text[one], text[other], other - one
        at = start + one - 1
        looked = 0
        for _ in range(_PAIRED_TRIES):
            at = units.find(first, at + 1)
            if at < 0:
                return -1
            if units[at + apart : at + apart + 1] == second:
                begin = at - one
                if folded(units[begin : begin + len(text)], level) == text:
                    return begin
                looked += 1
                if looked > _FOLDED_TRIES:
                    break
        return views[level].find(text, at - one + 1)


@lru_cache(maxsize=_MANY)
def needle_of(text: str, level: Level) -> Needle:
    """The needle of a string, made once."""
    return Needle(text, level)
