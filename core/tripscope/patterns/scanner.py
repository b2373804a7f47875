"""Reading a pattern character by character, and its escapes (ECMA-262 22.2.1 and Annex B 1.2)."""

from dataclasses import dataclass, field
from typing import NoReturn

import regex

from tripscope.patterns.casing import close_over
from tripscope.patterns.charset import DIGITS, SPACES, WORD, CharSet
from tripscope.patterns.errors import PatternError
from tripscope.patterns.properties import Property, is_property_of_strings, lookup
from tripscope.patterns.units import OffsetMap

SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_CONTROL = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_CONTROL_IN_CLASS = _LETTERS | frozenset("0123456789_")
_MAX_OCTAL = 0o377
_LAST = 0x10FFFF
_NAME_START = regex.compile(r"[$_\p{ID_Start}]")
_NAME_PART = regex.compile(r"[$\u200c\u200d\p{ID_Continue}]")


def is_lead(code: int) -> bool:
    """Whether the code is the first half of a surrogate pair."""
    return 0xD800 <= code <= 0xDBFF


def is_trail(code: int) -> bool:
    """Whether the code is the second half of a surrogate pair."""
    return 0xDC00 <= code <= 0xDFFF


def join(lead: int, trail: int) -> int:
    """The code point of a pair."""
    return 0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00)


@dataclass(slots=True)
class Scanner:
    """A place in a pattern; ``text`` is spread into units, or has its pairs joined (u, v)."""

    text: str
    flags: frozenset[str]
    named: bool = False
    at: int = 0
    unicode: bool = field(init=False)
    ignore_case: bool = field(init=False)

    def __post_init__(self) -> None:
        self.unicode = bool(self.flags & {"u", "v"})
        self.ignore_case = "i" in self.flags

    @property
    def char(self) -> str:
        """The character here, or nothing at the end."""
        return self.text[self.at : self.at + 1]

    def ahead(self, count: int = 1) -> str:
        """The character some places on, or nothing."""
        return self.text[self.at + count : self.at + count + 1]

    def eat(self, wanted: str) -> bool:
        """Step over ``wanted`` if it stands here."""
        if self.text.startswith(wanted, self.at):
            self.at += len(wanted)
            return True
        return False

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        """Raise with the UTF-16 offset of a place (here if not said)."""
        place = min(self.at if at is None else at, len(self.text))
        raise PatternError(reason, OffsetMap(self.text).to_utf16(place))

    def close(self, chars: CharSet) -> CharSet:
        """The set with all that is one with it under flag i."""
        return close_over(chars, self.unicode) if self.ignore_case else chars

    @property
    def word(self) -> CharSet:
        r"""WordCharacters (22.2.2.7.2): what ``\w`` and ``\b`` mean under these flags."""
        return close_over(WORD, True) if self.ignore_case and self.unicode else WORD

    def character_escape(self, in_class: bool) -> int:
        """The code of the escape whose letter stands here; the backslash is behind."""
        start = self.at - 1
        char = self.char
        if not char:
            self.fail("\\ at end of pattern", start)
        if char in _CONTROL:
            self.at += 1
            return _CONTROL[char]
        if char == "c":
            return self._control(in_class, start)
        if char == "x":
            self.at += 1
            code = self._hex(2)
            return self._or_letter(code, char, "Invalid escape", start)
        if char == "u":
            self.at += 1
            code = self.unicode_escape(self.unicode)
            return self._or_letter(code, char, "Invalid Unicode escape", start)
        if char == "0" and not (self.ahead() and self.ahead() in DIGIT_CHARS):
            self.at += 1
            return 0
        if char in _OCTAL and not self.unicode:
            return self._octal()
        return self._identity(in_class, start)

    def _identity(self, in_class: bool, start: int) -> int:
        char = self.char
        if self.unicode and char in DIGIT_CHARS:
            self.fail("Invalid class escape" if in_class else "Invalid decimal escape", start)
        if self.unicode and char not in SYNTAX:
            self.fail("Invalid escape", start)
        if char == "k" and self.named:
            self.fail("Invalid escape", start)
        self.at += 1
        return ord(char)

    def _or_letter(self, code: int | None, letter: str, reason: str, start: int) -> int:
        if code is not None:
            return code
        if self.unicode:
            self.fail(reason, start)
        return ord(letter)

    def _control(self, in_class: bool, start: int) -> int:
        letter = self.ahead()
        allowed = _CONTROL_IN_CLASS if in_class and not self.unicode else _LETTERS
        if letter and letter in allowed:
            self.at += 2
            return ord(letter) % 32
        if self.unicode:
            self.fail("Invalid Unicode escape", start)
        # Annex B: the backslash stands for itself, the c comes next.
        return ord("\\")

    def _octal(self) -> int:
        code = 0
        for _ in range(3):
            char = self.char
            if not char or char not in _OCTAL or code * 8 + int(char) > _MAX_OCTAL:
                break
            code = code * 8 + int(char)
            self.at += 1
        return code

    def _hex(self, count: int) -> int | None:
        digits = self.text[self.at : self.at + count]
        if len(digits) < count or not all(digit in _HEX for digit in digits):
            return None
        self.at += count
        return int(digits, 16)

    def unicode_escape(self, code_points: bool) -> int | None:
        r"""The code of ``\u`` escapes, here just behind the u; None and unmoved if malformed."""
        start = self.at
        if code_points and self.eat("{"):
            end = self.text.find("}", self.at)
            digits = self.text[self.at : max(end, self.at)]
            if not digits or not all(digit in _HEX for digit in digits):
                self.at = start
                return None
            code = int(digits, 16)
            if code > _LAST:
                self.at = start
                return None
            self.at = end + 1
            return code
        lead = self._hex(4)
        if lead is None or not code_points or not is_lead(lead):
            return lead
        here = self.at
        if self.eat("\\u"):
            trail = self._hex(4)
            if trail is not None and is_trail(trail):
                return join(lead, trail)
        self.at = here
        return lead

    def class_escape(self) -> CharSet | None:
        r"""The set of ``\d \D \s \S \w \W``, with the letter here; None if it is another."""
        char = self.char
        plain = {"d": DIGITS, "s": SPACES, "w": self.word}.get(char.lower()) if char else None
        if plain is None:
            return None
        self.at += 1
        return plain if char.islower() else plain.complement()

    def property_escape(self) -> tuple[str, bool]:
        r"""The name in ``\p{...}`` and whether it is negated, with the p here."""
        start = self.at - 1
        negated = self.char == "P"
        self.at += 1
        end = self.text.find("}", self.at)
        if not self.eat("{") or end < 0:
            self.fail("Invalid property name", start)
        name = self.text[self.at : end]
        self.at = end + 1
        return name, negated

    def property_set(self, name: str, start: int) -> Property:
        """The property of that name; ``start`` is where the escape stands."""
        found = lookup(name)
        if found is None:
            if "v" in self.flags and is_property_of_strings(name):
                self.fail(f"the sequences of the property {name} are not carried here", start)
            self.fail("Invalid property name", start)
        return found

    def group_name(self) -> str:
        """The name up to its ``>``, with the ``<`` behind (GroupName)."""
        start = self.at
        codes: list[int] = []
        while not self.eat(">"):
            if not self.char:
                self.fail("Invalid capture group name", start)
            if self.eat("\\"):
                code = self.unicode_escape(True) if self.eat("u") else None
                if code is None:
                    self.fail("Invalid Unicode escape", self.at)
            else:
                code = ord(self.char)
                self.at += 1
            if codes and is_lead(codes[-1]) and is_trail(code):
                code = join(codes.pop(), code)
            codes.append(code)
        name = "".join(map(chr, codes))
        valid = name and _NAME_START.match(name) and all(map(_NAME_PART.match, name))
        if not valid:
            self.fail("Invalid capture group name", start)
        return name


DIGIT_CHARS = frozenset("0123456789")
