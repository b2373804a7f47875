"""Offsets of a text in UTF-16 code units (JavaScript), code points (Python) and UTF-8 bytes.

A text may hold lone surrogates. Two halves that meet count as the one character they make in
UTF-16, where they are two units as well.
"""

import re
import sys
from bisect import bisect_left
from collections.abc import Callable
from functools import cache

_UTF16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def utf16_len(text: str) -> int:
    """Length of ``text`` in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode(_UTF16, "surrogatepass")) // 2


def has_astral(text: str) -> bool:
    """Whether a character of ``text`` takes two UTF-16 units."""
    return not text.isascii() and utf16_len(text) != len(text)


def from_utf16_offset(text: str, utf16: int) -> int:
    """Python index of the character that holds the UTF-16 unit at ``utf16``.

    An offset inside a surrogate pair gives the index of the whole character.
    """
    if text.isascii():
        return utf16
    # no character takes less than a unit, so what stands behind is not looked at
    head = text[:utf16].encode(_UTF16, "surrogatepass")[: 2 * utf16]
    points = len(head.decode(_UTF16, "surrogatepass"))
    # A cut pair leaves its first half in the head, a pair written as two characters does too.
    if points and utf16_len(text[:points]) > utf16:
        return points - 1
    while utf16_len(text[:points]) < utf16 and points < len(text):
        points += 1
    return points


def utf8_offset(text: str, code_point_index: int) -> int:
    """UTF-8 byte offset of a character; a lone surrogate counts three bytes."""
    if text.isascii():
        return code_point_index
    return len(text[:code_point_index].encode("utf-8", "surrogatepass"))


@cache
def _from_units() -> Callable[[int, bytes, int], str] | None:
    """The short cut to a text of given units, where Python has it."""
    # late: it takes 3 ms, and few texts hold astral characters
    import ctypes

    try:
        make = ctypes.pythonapi.PyUnicode_FromKindAndData
    except AttributeError:
        return None
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_ssize_t]

    def from_units(kind: int, units: bytes, count: int) -> str:
        text: str = make(kind, units, count)
        return text

    return from_units


_TWO_BYTES = 2


def spread(text: str) -> str:
    """The text with every astral character as its two surrogates: one character per unit."""
    if text.isascii():
        return text
    units = text.encode(_UTF16, "surrogatepass")
    if len(units) == 2 * len(text):
        return text
    if (from_units := _from_units()) is not None:
        return from_units(_TWO_BYTES, units, len(units) // 2)
    return _ASTRAL.sub(_halves, text)


def _halves(found: "re.Match[str]") -> str:
    rest = ord(found[0]) - 0x10000
    return chr(0xD800 + (rest >> 10)) + chr(0xDC00 + (rest & 0x3FF))


def join_surrogates(text: str) -> str:
    """The text with every two halves that meet joined to the character they make."""
    if text.isascii() or _PAIR.search(text) is None:
        return text
    return text.encode(_UTF16, "surrogatepass").decode(_UTF16, "surrogatepass")


class OffsetMap:
    """Turns offsets of one text to and fro, for many offsets of the same text.

    Holds the Python indexes of the astral characters; each look-up is a bisection.
    """

    __slots__ = ("_astral", "_starts")

    def __init__(self, text: str) -> None:
        """Scan ``text`` (with its pairs joined) once."""
        self._astral = [found.start() for found in _ASTRAL.finditer(text)]
        self._starts = [index + count for count, index in enumerate(self._astral)]

    def to_utf16(self, index: int) -> int:
        """UTF-16 offset of a Python index."""
        return index + bisect_left(self._astral, index)

    def next_astral(self, index: int) -> int | None:
        """Index of the first astral character at or behind ``index``."""
        at = bisect_left(self._astral, index)
        return self._astral[at] if at < len(self._astral) else None

    def to_index(self, utf16: int) -> int:
        """Python index of the character that holds a UTF-16 unit."""
        return utf16 - bisect_left(self._starts, utf16)
