"""Simplified views of a text in which needles are looked for.

A view has one Latin-1 character per UTF-16 unit, so offsets are those of the text. What is not
Latin-1 shows as ``?``.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Final, Literal, TypeAlias

Level: TypeAlias = Literal[0, 1, 2, 3, 4, 5]
"""How a view simplifies its text: one of the following."""

TEXT: Final = 0
"""The text itself."""
LOWER_AND_DIGITS: Final = 1
"""Lower case, every digit is ``0``."""
WORDS: Final = 2
"""Every letter, digit, ``_``, ``-`` is ``x``."""
DIGITS_AND_SIGNS: Final = 3
"""Every digit, white space, ``+-./()`` and what is not Latin-1 is ``0``."""
LOWER: Final = 4
"""Lower case."""
CAPITALS_AND_DIGITS: Final = 5
"""Every capital letter is ``A``, every digit ``0``."""

LEVELS: Final[tuple[Level, ...]] = (
    TEXT, LOWER, CAPITALS_AND_DIGITS, LOWER_AND_DIGITS, WORDS, DIGITS_AND_SIGNS,
)  # fmt: skip
"""From the cheapest view to the dearest."""

OTHER: Final = "?"
_CAPITALS: Final = range(ord("A"), ord("Z") + 1)


def _is_word(code: int) -> bool:
    return chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_-")


def _is_digit(code: int) -> bool:
    return chr(code) in "0123456789"


_LOWERED: Final = bytes(code + 32 if code in _CAPITALS else code for code in range(256))
_TABLES: Final = {
    LOWER_AND_DIGITS: bytes(ord("0") if _is_digit(code) else _LOWERED[code] for code in range(256)),
    WORDS: bytes(ord("x") if _is_word(code) else code for code in range(256)),
    DIGITS_AND_SIGNS: bytes(
        ord("0") if chr(code).isspace() or chr(code) in "0123456789+-./()?" else code
        for code in range(256)
    ),
    LOWER: _LOWERED,
    CAPITALS_AND_DIGITS: bytes(
        ord("A") if code in _CAPITALS else ord("0") if _is_digit(code) else code
        for code in range(256)
    ),
}


_SIGNS: Final = _TABLES[CAPITALS_AND_DIGITS]
_NO_SIGNS: Final = bytes(code for code in range(256) if chr(_SIGNS[code]) not in "A0")


def folded(units: str, level: Level) -> str:
    """The view of a text that is spread into UTF-16 units."""
    if level == TEXT:
        return units
    if units.isascii():
        if level == LOWER:
            return units.lower()
        return units.encode().translate(_TABLES[level]).decode()
    return units.encode("latin-1", "replace").translate(_TABLES[level]).decode("latin-1")


def reduced(text: str) -> bytes:
    """A text with nothing left but ``A`` for each capital letter and ``0`` for each digit.

    What shows as a string of these two in a view of `LOWER_AND_DIGITS` or `CAPITALS_AND_DIGITS`
    is a string of them here.
    """
    latin = text.encode() if text.isascii() else text.encode("latin-1", "replace")
    return latin.translate(_SIGNS, _NO_SIGNS)


@cache
def _preimages(level: Level) -> dict[str, str]:
    found: defaultdict[str, str] = defaultdict(str)
    for code, shown in enumerate(_TABLES[level]):
        found[chr(shown)] += chr(code)
    return dict(found)


def preimage(char: str, level: Level) -> str:
    """The Latin-1 characters that show as ``char``."""
    return char if level == TEXT else _preimages(level).get(char, "")


def shows_itself(char: str, level: Level) -> bool:
    """Whether ``char`` stands in the view where it stands in the text, and nowhere else."""
    return level == TEXT or (char != OTHER and preimage(char, level) == char)


class Views:
    """The views of one text, each made when first asked for."""

    __slots__ = ("_views", "units")

    def __init__(self, units: str) -> None:
        self.units = units
        self._views: dict[int, str] = {TEXT: units}

    def __getitem__(self, level: Level) -> str:
        view = self._views.get(level)
        if view is None:
            view = self._views[level] = folded(self.units, level)
        return view

    def __contains__(self, level: Level) -> bool:
        """Whether the view has been made."""
        return level in self._views
