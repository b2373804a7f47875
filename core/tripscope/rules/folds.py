"""Simplified views of a text in which needles are looked for.

A view has one Latin-1 character per UTF-16 unit, so offsets are those of the text. What is not
Latin-1 shows as ``?``.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Level: TypeAlias = Literal[0, 1, 2, 3]
"""0: the text itself. 1: lower case, every digit is ``0``. 2: every letter, digit, ``_``, ``-`` is
``x``. 3: every digit, white space, ``+-./()`` and what is not Latin-1 is ``0``."""

LEVELS: Final[tuple[Level, ...]] = (0, 1, 2, 3)


def _is_word(code: int) -> bool:
    return chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_-")


_TABLES: Final = {
    1: bytes(
        code + 32 if 65 <= code <= 90 else 48 if 48 <= code <= 57 else code for code in range(256)
    ),
    2: bytes(ord("x") if _is_word(code) else code for code in range(256)),
    3: bytes(
        ord("0") if chr(code).isspace() or chr(code) in "0123456789+-./()?" else code
        for code in range(256)
    ),
}
_GATED_SIZE: Final = 8192
_GATED_TRIES: Final = 3000


def folded(units: str, level: Level) -> str:
    """The view of a text that is spread into UTF-16 units."""
    if level == 0:
        return units
    return units.encode("latin-1", "replace").translate(_TABLES[level]).decode("latin-1")


def find(view: str, needle: str, start: int, gate: tuple[str, int] | None) -> int:
    """As ``view.find(needle, start)``; in a long text by way of a rare character of the needle.

    ``gate``: that character and its offset in the needle. To look for one character takes a
    seventieth of the time that it takes to look for several.
    """
    if gate is None or len(view) - start < _GATED_SIZE:
        return view.find(needle, start)
    char, offset = gate
    at = start + offset - 1
    for _ in range(_GATED_TRIES):
        at = view.find(char, at + 1)
        if at < 0:
            return -1
        if view.startswith(needle, at - offset):
            return at - offset
    return view.find(needle, at - offset + 1)


def preimage(char: str, level: Level) -> str:
    """The Latin-1 characters that show as ``char``."""
    if level == 0:
        return char
    return "".join(chr(code) for code in range(256) if chr(_TABLES[level][code]) == char)


class Views:
    """The views of one text, each made when first asked for."""

    __slots__ = ("_views", "units")

    def __init__(self, units: str) -> None:
        self.units = units
        self._views: dict[int, str] = {0: units}

    def __getitem__(self, level: Level) -> str:
        view = self._views.get(level)
        if view is None:
            view = self._views[level] = folded(self.units, level)
        return view
