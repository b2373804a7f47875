r"""Character sets of ``\p{...}``, with the strict names of ECMA-262 22.2.1."""

import unicodedata
from array import array
from functools import lru_cache

import regex
from msgspec import Struct

from tripscope.patterns.charset import ANY, LAST, CharSet
from tripscope.patterns.property_names import BINARY, GENERAL_CATEGORIES, OF_STRINGS, SCRIPTS


class Property(Struct, frozen=True):
    """A property and its value as the ``regex`` module writes it (``native``, in the braces)."""

    native: str

    @property
    def binary(self) -> bool:
        """Whether it has no value, only a name."""
        return "=" not in self.native

    @property
    def chars(self) -> CharSet:
        """The code points that have it."""
        return _chars(self.native)


_GENERAL = ("General_Category", "gc")
_SCRIPT = ("Script", "sc")
_EXTENSIONS = ("Script_Extensions", "scx")
_FOLDED = "Changes_When_NFKC_Casefolded"


def lookup(text: str) -> Property | None:
    """The property that the text between the braces names, or None if there is none."""
    name, equals, value = text.partition("=")
    if equals:
        if name in _GENERAL and value in GENERAL_CATEGORIES:
            return Property(f"General_Category={GENERAL_CATEGORIES[value]}")
        if name in _SCRIPT and value in SCRIPTS:
            return Property(f"Script={SCRIPTS[value]}")
        if name in _EXTENSIONS and value in SCRIPTS:
            return Property(f"Script_Extensions={SCRIPTS[value]}")
        return None
    if name in GENERAL_CATEGORIES:
        return Property(f"General_Category={GENERAL_CATEGORIES[name]}")
    return Property(BINARY[name]) if name in BINARY else None


def is_property_of_strings(text: str) -> bool:
    r"""Whether the name is one that only ``\p`` under flag v may use."""
    return text in OF_STRINGS


@lru_cache(maxsize=1)
def _every_char() -> str:
    return array("I", range(LAST + 1)).tobytes().decode("utf-32-le", "surrogatepass")


@lru_cache(maxsize=256)
def _chars(native: str) -> CharSet:
    if native == "Any":
        return ANY
    if native == _FOLDED:
        return CharSet.chars(code for code in range(LAST + 1) if _changes_when_folded(chr(code)))
    found = regex.compile(rf"\p{{{native}}}+").finditer(_every_char())
    return CharSet(tuple((one.start(), one.end() - 1) for one in found))


def _changes_when_folded(char: str) -> bool:
    """The definition of NFKC_Casefold (Unicode 3.13), with default ignorables removed."""
    if char in _chars_ignorable():
        return True
    if char.isascii():
        return char.lower() != char
    folded = unicodedata.normalize("NFD", char).casefold()
    folded = unicodedata.normalize("NFKC", folded).casefold()
    ignorable = _chars_ignorable()
    folded = "".join(one for one in folded if one not in ignorable)
    return unicodedata.normalize("NFKC", folded) != char


@lru_cache(maxsize=1)
def _chars_ignorable() -> frozenset[str]:
    return frozenset(map(chr, _chars("Default_Ignorable_Code_Point")))
