"""Values of a TypeScript snippet: literals, arrays, objects and ``new`` expressions.

Whatever would have to be evaluated becomes `Code`: it is stepped over, never run.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct, field

from tripscope.session.ts_tokens import SnippetError, Token, tokens_of

_CLOSERS: Final = {"(": ")", "[": "]", "{": "}"}
_ENDS: Final = (",", ";", ")", "]", "}")
_STATEMENTS: Final = ("const", "let", "var", "class", "export", "import", "function", "return")
_CONSTANTS: Final = {"true": True, "false": False, "null": None, "undefined": None}


class Literal(Struct, frozen=True):
    """A string, a number, true, false, null; undefined is null here."""

    value: str | int | float | bool | None
    at: int


class Regex(Struct, frozen=True):
    """A pattern literal; ``source_at``: index of its first character."""

    pattern: str
    flags: str
    at: int
    source_at: int | None = None


class Name(Struct, frozen=True):
    """A word that stands for something defined elsewhere; ``path``: keys below it (``a.b.c``)."""

    name: str
    at: int
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join((self.name, *self.path))


class Code(Struct, frozen=True):
    """Something that only running it could tell."""

    at: int


class Spread(Struct, eq=False):
    """``...value`` in an array or an object."""

    value: Value
    at: int


class ArrayValue(Struct, eq=False):
    """``[...]``."""

    items: list[Value | Spread]
    at: int


class Object(Struct, eq=False):
    """``{...}``: (key, value, index of the key) of each entry; the key of a spread is empty."""

    entries: list[tuple[str, Value | Spread, int]]
    at: int


class New(Struct, eq=False):
    """``new Name(...)``."""

    name: str
    arguments: list[Value | Spread] = field(default_factory=list)
    at: int = 0


Value: TypeAlias = Literal | Regex | Name | Code | ArrayValue | Object | New
_MAX_DEPTH: Final = 100


class Reader:
    """Goes through the tokens of a snippet."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = tokens_of(source)
        self.place = 0
        self._depth = 0

    @property
    def now(self) -> Token:
        """The token at hand."""
        return self.tokens[self.place]

    def after(self, by: int = 1) -> Token:
        """A token further on; the last one if there are not so many."""
        return self.tokens[min(self.place + by, len(self.tokens) - 1)]

    def step(self) -> Token:
        """Take the token at hand."""
        token = self.now
        if token.kind != "end":
            self.place += 1
        return token

    def go_back(self, place: int) -> None:
        """Read on from a token where a statement, or a part of one, begins."""
        self.place, self._depth = place, 0

    def refuse(self, message: str, at: int | None = None) -> SnippetError:
        """The error to raise about this place."""
        return SnippetError(message, self.source, self.now.at if at is None else at)

    def value(self) -> Value:
        """The value that begins here.

        Raises:
            SnippetError: brackets that don't match, or nothing where a value should be.
        """
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self.refuse("nested too deeply")
        start = self.place
        found = self._plain()
        if self.now.is_name("as", "satisfies"):
            self.skip()
        elif self.now.is_sign(":"):
            raise self.refuse("a bracket is not closed, or a comma is missing, before this colon")
        elif not self._at_end():
            # an operator, a call, an arrow: the whole of it is code
            self.place = start
            found = Code(self.now.at)
            self.skip()
        self._depth -= 1
        return found

    def _plain(self) -> Value:
        token = self.now
        at = token.at
        if token.kind == "string":
            self.step()
            text = token.text
            while self.now.is_sign("+") and self.after().kind == "string":
                self.step()
                text += self.step().text
            return Literal(text, at)
        if token.kind == "number":
            self.step()
            return Literal(_number(token, self), at)
        if token.is_sign("-") and self.after().kind == "number":
            self.step()
            return Literal(-_number(self.step(), self), at)
        if token.kind == "regex":
            self.step()
            return Regex(token.text, token.flags, at, at + 1)
        if token.is_sign("["):
            return self._array()
        if token.is_sign("{"):
            return self._object()
        if token.kind == "name":
            return self._named()
        if token.kind == "end" or token.is_sign(*_ENDS):
            raise self.refuse("a value is missing here")
        return Code(at)

    def _named(self) -> Value:
        token = self.step()
        if token.text in _CONSTANTS:
            return Literal(_CONSTANTS[token.text], token.at)
        if token.text == "new" and self.now.kind == "name":
            return self._new(token.at)
        path: list[str] = []
        while self.now.is_sign(".") and self.after().kind == "name":
            self.step()
            path.append(self.step().text)
        return Name(token.text, token.at, tuple(path))

    def _new(self, at: int) -> Value:
        name = self.step().text
        while self.now.is_sign(".") and self.after().kind == "name":
            self.step()
            name = self.step().text
        if self.now.is_sign("<"):
            while not self.now.is_sign("(", *_ENDS) and self.now.kind != "end":
                self.step()
        made = New(name, [], at)
        if self.now.is_sign("("):
            made.arguments = self._items(")")
        if name == "RegExp":
            return self._reg_exp(made)
        return made

    def _reg_exp(self, made: New) -> Value:
        values = made.arguments
        first = values[0] if values else Literal("", made.at)
        second = values[1] if len(values) > 1 else None
        given = second.value if isinstance(second, Literal) else None
        if second is None or not isinstance(given, str):
            if given is not None:
                raise self.refuse("flags are a string", made.at)
            given = None
        if isinstance(first, Regex):
            return Regex(first.pattern, first.flags if given is None else given, made.at)
        if isinstance(first, Literal) and isinstance(first.value, str):
            return Regex(first.value, given or "", made.at)
        return Code(made.at)

    def _array(self) -> ArrayValue:
        at = self.now.at
        return ArrayValue(self._items("]"), at)

    def _items(self, closer: str) -> list[Value | Spread]:
        opened = self.step()
        items: list[Value | Spread] = []
        while not self.now.is_sign(closer):
            if self.now.is_sign(","):
                raise self.refuse("a value is missing here")
            items.append(self._item(opened))
            if self.now.is_sign(","):
                self.step()
            elif not self.now.is_sign(closer):
                raise self._unclosed(opened, closer)
        self.step()
        return items

    def _item(self, opened: Token) -> Value | Spread:
        if self.now.kind == "end":
            raise self._unclosed(opened, _CLOSERS[opened.text])
        at = self.now.at
        if self.now.is_sign("..."):
            self.step()
            return Spread(self.value(), at)
        return self.value()

    def _object(self) -> Object:
        opened = self.step()
        found = Object([], opened.at)
        while not self.now.is_sign("}"):
            if self.now.kind == "end":
                raise self._unclosed(opened, "}")
            found.entries.append(self._entry(opened))
            if self.now.is_sign(","):
                self.step()
            elif not self.now.is_sign("}"):
                raise self._unclosed(opened, "}")
        self.step()
        return found

    def _entry(self, opened: Token) -> tuple[str, Value | Spread, int]:
        key = self.now
        if key.is_sign("..."):
            return "", self._item(opened), key.at
        if key.kind not in ("name", "string", "number"):
            return "", self._skipped(key), key.at
        if self.after().is_sign(":"):
            self.step()
            self.step()
            return key.text, self.value(), key.at
        self.step()
        if key.kind == "name" and self.now.is_sign(",", "}"):
            return key.text, Name(key.text, key.at), key.at
        # a method, an accessor, a modifier before one
        while self.now.kind in ("name", "string"):
            key = self.step()
        return key.text, self._skipped(key), key.at

    def _skipped(self, key: Token) -> Code:
        self.skip()
        return Code(key.at)

    def skip(self) -> None:
        """Step over what is left of a value or a statement, brackets and all.

        Raises:
            SnippetError: a bracket without its partner.
        """
        opened: list[Token] = []
        while self.now.kind != "end":
            token = self.now
            if token.kind == "sign" and token.text in _CLOSERS:
                opened.append(token)
            elif token.is_sign(")", "]", "}"):
                if not opened:
                    return
                last = opened.pop()
                if _CLOSERS[last.text] != token.text:
                    raise self._unclosed(last, _CLOSERS[last.text])
            elif not opened and self._ends_here(token):
                return
            self.step()
        if opened:
            raise self._unclosed(opened[-1], _CLOSERS[opened[-1].text])

    def skip_block(self) -> None:
        """Step over the brackets that open here, and what is between them.

        Raises:
            SnippetError: a bracket without its partner.
        """
        if self.now.kind == "end":
            return
        opened = [self.step()]
        while opened:
            token = self.step()
            if token.kind == "end":
                raise self._unclosed(opened[-1], _CLOSERS[opened[-1].text])
            if token.kind == "sign" and token.text in _CLOSERS:
                opened.append(token)
            elif token.is_sign(")", "]", "}"):
                last = opened.pop()
                if _CLOSERS[last.text] != token.text:
                    self.place -= 1
                    raise self._unclosed(last, _CLOSERS[last.text])

    def _at_end(self) -> bool:
        token = self.now
        return token.kind == "end" or token.is_sign(")", "]", "}") or self._ends_here(token)

    def _ends_here(self, token: Token) -> bool:
        return token.is_sign(",", ";") or (token.first and token.is_name(*_STATEMENTS))

    def _unclosed(self, opened: Token, closer: str) -> SnippetError:
        if self.now.kind == "end":
            return self.refuse(f"this {opened.text} has no {closer}", opened.at)
        return self.refuse(f"a comma or {closer} is missing before {self.now.text[:20]!r}")


def _number(token: Token, reader: Reader) -> int | float:
    text = token.text.replace("_", "")
    try:
        if text[:1] == "0" and text[1:2].lower() in ("x", "o", "b"):
            return int(text, 0)
        value = float(text)
    except ValueError:
        raise reader.refuse(f"{token.text!r} is no number", token.at) from None
    return int(value) if value.is_integer() and "e" not in text.lower() else value
