"""Simplified views of a text in which needles are looked for.

A view has one Latin-1 character per UTF-16 unit, so offsets are those of the text. What is not
Latin-1 shows as ``?``.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Level: TypeAlias = Literal[0, 1, 2]
"""0: the text itself. 1: lower case, every digit is ``0``. 2: every letter, digit, ``_``, ``-`` is
``x``."""

LEVELS: Final[tuple[Level, ...]] = (0, 1, 2)


def _is_word(code: int) -> bool:
    return chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_-")


_TABLES: Final = {
    1: bytes(
        code + 32 if 65 <= code <= 90 else 48 if 48 <= code <= 57 else code for code in range(256)
    ),
    2: bytes(ord("x") if _is_word(code) else code for code in range(256)),
}


def folded(units: str, level: Level) -> str:
    """The view of a text that is spread into UTF-16 units."""
    if level == 0:
        return units
    return units.encode("latin-1", "replace").translate(_TABLES[level]).decode("latin-1")


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
