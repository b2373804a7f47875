"""The filter language of the chunks table.

``rule:email changed held type:text-delta /regex/ !drop``: terms side by side must all hold;
``&`` and ``|`` and ``!`` and brackets combine them. A term is a word for what happened to a chunk,
``key:value`` with ``*`` for any letters, text in quotation marks, or an ECMAScript pattern between
slashes. Positions in errors are code points of the query.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.patterns import Pattern, PatternError
from tripscope.patterns import compile as compile_pattern

WORDS: Final[dict[str, str]] = {
    "pass": "nothing happened to it",
    "changed": "a processor changed it",
    "held": "text was held back after it",
    "released": "held text was let out with it",
    "flush": "held text was let out before it",
    "drop": "a processor dropped it",
    "flagged": "a rule matched and let it pass",
    "blocked": "a tripwire ended the step here",
    "error": "a processor raised",
    "timeout": "a processor's time was used up",
    "unscanned": "no processor looks at its text",
    "edge": "it only says that something starts or ends",
    "leak": "text left before it was decided",
    "delivered": "the client got something",
    "rejected": "its attempt was rejected",
    "marked": "a person marked it",
    "comment": "it has a comment",
}
_SAME: Final = {
    "passed": "pass",
    "change": "changed",
    "hold": "held",
    "release": "released",
    "flushed": "flush",
    "dropped": "drop",
    "flag": "flagged",
    "block": "blocked",
    "errored": "error",
    "timed-out": "timeout",
    "leaked": "leak",
    "left": "leak",
    "mark": "marked",
    "commented": "comment",
}
KEYS: Final[dict[str, str]] = {
    "rule": "a rule that matched in it",
    "type": "its type",
    "by": "the processor that did more than let it pass",
    "step": "its step, from 0",
    "attempt": "its attempt, from 1",
    "chunk": "its number, or a range such as 5-9",
    "tool": "the tool it is about",
    "block": "the id of its text block",
}
_NUMBERS: Final = frozenset({"step", "attempt", "chunk"})
_MOST_DIGITS: Final = 18
_DEEPEST: Final = 50


class QueryError(ValueError):
    """What is wrong with a query, and from where to where (code points)."""

    def __init__(self, reason: str, start: int, end: int) -> None:
        super().__init__(f"at {start + 1}: {reason}")
        self.reason = reason
        self.start = start
        self.end = end


class All(Struct, frozen=True):
    """Every one must hold."""

    terms: tuple[Node, ...]


class Any(Struct, frozen=True):
    """One must hold."""

    terms: tuple[Node, ...]


class Not(Struct, frozen=True):
    """It must not hold."""

    term: Node


class Word(Struct, frozen=True):
    """One of `WORDS`."""

    word: str


class Key(Struct, frozen=True):
    """``key:value``; ``low`` and ``high`` are set where the key takes numbers."""

    key: str
    value: str
    low: int = 0
    high: int = 0


class Text(Struct, frozen=True):
    """Part of the text at any place of the chain, in any case."""

    text: str


class Matches(Struct, frozen=True, eq=False):
    """A pattern that matches the text at some place of the chain."""

    pattern: Pattern


Node: TypeAlias = All | Any | Not | Word | Key | Text | Matches
_Kind: TypeAlias = Literal["and", "or", "not", "open", "close", "word", "text", "pattern"]
_SIGNS: Final[dict[str, _Kind]] = {"&": "and", "|": "or", "!": "not", "(": "open", ")": "close"}


class _Token(Struct, frozen=True):
    kind: _Kind
    start: int
    end: int
    text: str = ""
    more: str = ""


def parse(query: str) -> Node | None:
    """Read a query; None for an empty one, which every row meets.

    Raises:
        QueryError: what is wrong, and where.
    """
    tokens = list(_tokens(query))
    if not tokens:
        return None
    return _Parser(tokens, len(query)).whole()


def _tokens(query: str) -> Iterator[_Token]:
    at = 0
    while at < len(query):
        sign = query[at]
        if sign.isspace():
            at += 1
            continue
        if sign in _SIGNS:
            token = _Token(_SIGNS[sign], at, at + 1)
        elif sign == "/":
            token = _pattern(query, at)
        elif sign == '"':
            text, end = _quoted(query, at)
            token = _Token("text", at, end, text)
        else:
            token = _word(query, at)
        yield token
        at = token.end


def _quoted(query: str, at: int) -> tuple[str, int]:
    end = query.find('"', at + 1)
    if end < 0:
        raise QueryError('the text has no closing "', at, len(query))
    return query[at + 1 : end], end + 1


def _word(query: str, at: int) -> _Token:
    end = at
    while end < len(query) and not query[end].isspace() and query[end] not in '&|!()"':
        end += 1
        if query[end - 1] == ":":
            break
    head = query[at:end]
    if not head.endswith(":"):
        return _Token("word", at, end, head)
    if query[end : end + 1] == '"':
        value, stop = _quoted(query, end)
    else:
        stop = end
        while stop < len(query) and not query[stop].isspace() and query[stop] not in "&|()":
            stop += 1
        value = query[end:stop]
    return _Token("word", at, stop, head, value)


def _pattern(query: str, at: int) -> _Token:
    end, in_class = at + 1, False
    while end < len(query):
        sign = query[end]
        if sign == "\\":
            end += 1
        elif sign == "[":
            in_class = True
        elif sign == "]":
            in_class = False
        elif sign == "/" and not in_class:
            break
        end += 1
    if end >= len(query):
        raise QueryError("the pattern has no closing /", at, len(query))
    stop = end + 1
    while stop < len(query) and query[stop].isalpha():
        stop += 1
    return _Token("pattern", at, stop, query[at + 1 : end], query[end + 1 : stop])


class _Parser:
    def __init__(self, tokens: list[_Token], length: int) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._length = length

    def whole(self) -> Node:
        node = self._either()
        if (extra := self._next()) is not None:
            raise QueryError("this bracket closes nothing", extra.start, extra.end)
        return node

    def _next(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _takes(self, kind: _Kind) -> bool:
        token = self._next()
        if token is None or token.kind != kind:
            return False
        self._at += 1
        return True

    def _either(self) -> Node:
        terms = [self._every()]
        while self._takes("or"):
            terms.append(self._every())
        return terms[0] if len(terms) == 1 else Any(tuple(terms))

    def _every(self) -> Node:
        terms = [self._term()]
        while (token := self._next()) is not None and token.kind not in ("or", "close"):
            self._takes("and")
            terms.append(self._term())
        return terms[0] if len(terms) == 1 else All(tuple(terms))

    def _term(self) -> Node:
        token = self._next()
        if token is None:
            last = self._tokens[-1]
            raise QueryError("a term is missing here", last.start, self._length)
        self._at += 1
        match token.kind:
            case "not" | "open":
                if self._depth == _DEEPEST:
                    raise QueryError("too many terms within terms", token.start, token.end)
                self._depth += 1
                node = Not(self._term()) if token.kind == "not" else self._bracket(token)
                self._depth -= 1
                return node
            case "word":
                return _meaning(token)
            case "text":
                return Text(token.text.casefold())
            case "pattern":
                return _compiled(token)
            case _:
                raise QueryError("a term is missing here", token.start, token.end)

    def _bracket(self, opening: _Token) -> Node:
        node = self._either()
        if not self._takes("close"):
            raise QueryError("this bracket is not closed", opening.start, opening.end)
        return node


def _compiled(token: _Token) -> Matches:
    try:
        return Matches(compile_pattern(token.text, token.more))
    except PatternError as error:
        place = min(token.start + 1 + error.position, token.end - 1)
        raise QueryError(error.reason, place, token.end) from None


def _meaning(token: _Token) -> Node:
    if not token.text.endswith(":"):
        word = _SAME.get(token.text.lower(), token.text.lower())
        if word not in WORDS:
            known = [*WORDS, *_SAME, *(f"{key}:" for key in KEYS)]
            hint = _nearest(word, known) or f'for text write "{token.text}"'
            raise QueryError(f"{token.text!r} is no word of the filter, {hint}", *_span(token))
        return Word(word)
    key, value = token.text[:-1].lower(), token.more
    if key not in KEYS:
        hint = _nearest(key, list(KEYS)) or f"use one of {', '.join(KEYS)}"
        raise QueryError(f"{key!r} is no key of the filter, {hint}", *_span(token))
    if not value:
        raise QueryError(f"{key}: names {KEYS[key]}; a value is missing", *_span(token))
    if key not in _NUMBERS:
        return Key(key, value)
    low, dash, high = value.partition("-")
    if not low.isdecimal() or (dash and not high.isdecimal()):
        raise QueryError(f"{key}: takes a number, or a range such as 5-9", *_span(token))
    if max(len(low), len(high)) > _MOST_DIGITS:
        raise QueryError("this number is too large", *_span(token))
    return Key(key, value, int(low), int(high) if dash else int(low))


def _span(token: _Token) -> tuple[int, int]:
    return token.start, token.end


def _nearest(word: str, known: list[str]) -> str | None:
    near = difflib.get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else None
