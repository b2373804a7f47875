"""Words of a TypeScript snippet; nothing of it is ever run."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.errors import SessionError

Kind: TypeAlias = Literal["name", "string", "template", "number", "regex", "sign", "end"]

# a line that begins with ``` is a fence of Markdown, copied along with the code
_SPACE: Final = re.compile(
    r"(?:\s|//[^\n\r\u2028\u2029]*|/\*.*?\*/|\ufeff|(?m:^)```[^\n\r`]*)*", re.DOTALL
)
_NAME: Final = re.compile(r"#?[^\W\d][\w$\u200c\u200d]*|\$[\w$]*")
_NUMBER: Final = re.compile(
    r"0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][+-]?\d+)?\.?"
)
_SIGNS: Final = re.compile(r"=>|\.\.\.|\?\?=?|\?\.|&&|\|\||===?|!==?|.", re.DOTALL)
_SIMPLE: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LINE_ENDS: Final = "\n\r\u2028\u2029"
# Before a slash these make it a division; anything else lets a pattern begin.
_ENDS_A_VALUE: Final = (")", "]", "}")
_WORDS_BEFORE_VALUES: Final = {"return", "typeof", "case", "in", "of", "new", "void", "delete"}


class SnippetError(SessionError):
    """What is wrong in a snippet, and where: ``line`` and ``column`` count characters from 1."""

    def __init__(self, message: str, source: str, at: int) -> None:
        self.line = source.count("\n", 0, at) + 1
        self.column = at - source.rfind("\n", 0, at)
        self.at = at
        super().__init__(message, place=f"line {self.line}, column {self.column}")


class Token(Struct, frozen=True):
    """``text``: as written; of a string its value, of a pattern the part between the slashes.

    ``at`` is an index into the source; ``first``: nothing but white space before it on its line.
    """

    kind: Kind
    text: str
    at: int
    flags: str = ""
    first: bool = False

    def is_sign(self, *signs: str) -> bool:
        """Whether it is one of these signs."""
        return self.kind == "sign" and self.text in signs

    def is_name(self, *names: str) -> bool:
        """Whether it is one of these words."""
        return self.kind == "name" and self.text in names


def tokens_of(source: str) -> list[Token]:
    """All tokens and one of kind ``end``.

    Raises:
        SnippetError: a string, a pattern or a comment that has no end.
    """
    found: list[Token] = []
    at = 0
    while True:
        space = _SPACE.match(source, at)
        start = space.end() if space is not None else at
        first = not found or any(c in _LINE_ENDS for c in source[at:start])
        at = start
        if at >= len(source):
            found.append(Token("end", "", at, first=True))
            return found
        if source.startswith("/*", at):
            raise SnippetError("this comment has no end", source, at)
        token, at = _token(source, at, found[-1] if found else None, first)
        found.append(token)


def _token(source: str, at: int, before: Token | None, first: bool) -> tuple[Token, int]:
    char = source[at]
    if char in "'\"":
        return _string(source, at, first)
    if char == "`":
        return _template(source, at, first)
    if char == "/" and not _ends_value(before):
        return _regex(source, at, first)
    if match := _NAME.match(source, at):
        return Token("name", match.group(), at, first=first), match.end()
    if (char.isdigit() or char == ".") and (match := _NUMBER.match(source, at)):
        return Token("number", match.group(), at, first=first), match.end()
    match = _SIGNS.match(source, at)
    assert match is not None
    return Token("sign", match.group(), at, first=first), match.end()


def _ends_value(before: Token | None) -> bool:
    if before is None:
        return False
    if before.kind == "sign":
        return before.text in _ENDS_A_VALUE
    return not before.is_name(*_WORDS_BEFORE_VALUES)


def _string(source: str, at: int, first: bool) -> tuple[Token, int]:
    quote = source[at]
    parts: list[str] = []
    place = at + 1
    while place < len(source):
        char = source[place]
        if char == quote:
            return Token("string", "".join(parts), at, first=first), place + 1
        if char in "\n\r":
            break
        part, place = _spelled(source, place)
        parts.append(part)
    raise SnippetError(f"this string has no closing {quote}", source, at)


def _template(source: str, at: int, first: bool) -> tuple[Token, int]:
    parts: list[str] = []
    place = at + 1
    while place < len(source):
        char = source[place]
        if char == "`":
            return Token("string", "".join(parts), at, first=first), place + 1
        if source.startswith("${", place):
            return _past_template(source, at, place, first)
        part, place = _spelled(source, place)
        parts.append(part)
    raise SnippetError("this template has no closing `", source, at)


def _past_template(source: str, at: int, place: int, first: bool) -> tuple[Token, int]:
    """A template that would have to be evaluated: it is only stepped over."""
    depth = 0
    while place < len(source):
        if source.startswith("${", place):
            depth += 1
            place += 2
            continue
        char = source[place]
        if char == "}" and depth:
            depth -= 1
        elif char == "\\":
            place += 1
        elif char == "`" and not depth:
            return Token("template", "", at, first=first), place + 1
        place += 1
    raise SnippetError("this template has no closing `", source, at)


def _spelled(source: str, at: int) -> tuple[str, int]:
    """What stands at this index of a string, and where it goes on."""
    return _escape(source, at) if source[at] == "\\" else (source[at], at + 1)


def _escape(source: str, at: int) -> tuple[str, int]:
    """The character that an escape at this index spells (ECMA-262 12.9.4)."""
    char = source[at + 1 : at + 2]
    if char == "u" and (match := re.compile(r"\\u\{([\da-fA-F]+)\}").match(source, at)):
        code = int(match.group(1), 16)
        if code > 0x10FFFF:
            raise SnippetError("no character has this number", source, at)
        return chr(code), match.end()
    if match := re.compile(r"\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2}))").match(source, at):
        return _joined(source, int(match.group(1) or match.group(2), 16), match.end())
    if char in ("u", "x"):
        raise SnippetError("this escape needs hexadecimal digits", source, at)
    if source.startswith("\r\n", at + 1):
        return "", at + 3
    if char in _LINE_ENDS:
        return "", at + 2
    return _SIMPLE.get(char, char), at + 2


def _joined(source: str, code: int, end: int) -> tuple[str, int]:
    """Two escaped halves that meet are one character."""
    if 0xD800 <= code < 0xDC00:
        low = re.compile(r"\\u([dD][c-fC-F][\da-fA-F]{2})").match(source, end)
        if low is not None:
            whole = 0x10000 + ((code - 0xD800) << 10) + int(low.group(1), 16) - 0xDC00
            return chr(whole), low.end()
    return chr(code), end


def _regex(source: str, at: int, first: bool) -> tuple[Token, int]:
    place, in_class = at + 1, False
    while place < len(source) and source[place] not in _LINE_ENDS:
        char = source[place]
        if char == "\\":
            place += 1
        elif char == "[":
            in_class = True
        elif char == "]":
            in_class = False
        elif char == "/" and not in_class:
            flags = re.compile(r"[\w$]*").match(source, place + 1)
            assert flags is not None
            text = source[at + 1 : place]
            return Token("regex", text, at, flags.group(), first), flags.end()
        place += 1
    raise SnippetError("this pattern has no closing /", source, at)
