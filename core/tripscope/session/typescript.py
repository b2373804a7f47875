"""Processors out of a TypeScript snippet, as people have it in their Mastra code.

The snippet is parsed, never run: what would have to be evaluated is left out, and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct, field
from pydantic import ValidationError

from tripscope.arrays import Array
from tripscope.errors import SessionError
from tripscope.patterns import PatternError
from tripscope.patterns import compile as compile_pattern
from tripscope.processors import BUILT_INS
from tripscope.session.build import arrays_of, build_processor
from tripscope.session.file import first_fault
from tripscope.session.model import ProcessorSpec, SessionRule
from tripscope.session.ts_constants import Constants
from tripscope.session.ts_tokens import SnippetError, Token
from tripscope.session.ts_values import (
    ArrayValue,
    Code,
    Literal,
    Name,
    New,
    Object,
    Reader,
    Regex,
    Spread,
    Value,
)

_ARRAYS: Final[dict[str, Array]] = {
    "inputProcessors": "input",
    "outputProcessors": "output",
    "errorProcessors": "error",
}
_CALLBACKS: Final = ("onViolation",)
_BEFORE_OBJECTS: Final = ("(", ",", "=", ":", "?", "||", "&&", "??")
"""Braces behind anything else are those of a body."""
_MOST_AGAIN: Final = 4
"""How often as many tokens as there are may be read again, as code or as the body of something."""
_UNKNOWN: Final = "this is code, or not defined in this snippet, and code is never run; write out"
# What Mastra's class does where nothing is said; ours keeps white space.
_MASTRA_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "unicode-normalizer": {
        "stripControlChars": False,
        "collapseWhitespace": True,
        "trim": True,
    }
}


class Snippet(Struct, frozen=True):
    """What a snippet holds; ``notes`` tell of what was left out or renamed."""

    processors: tuple[ProcessorSpec, ...]
    notes: tuple[str, ...] = ()


class _Entry(Struct, eq=False):
    node: New
    type: str
    id: str | None
    arrays: list[Array] = field(default_factory=list)


def parse_snippet(source: str) -> Snippet:
    """The built-in processors that a snippet makes, in the order in which it uses them.

    Raises:
        SnippetError: it cannot be read, or it makes no built-in processor; it names line and
            column, and nothing of the snippet is taken.
    """
    try:
        return _Import(source).run()
    except RecursionError:
        message = "what is defined here refers to itself, or through too many names"
        raise SnippetError(message, source, 0) from None


class _Import:
    def __init__(self, source: str) -> None:
        self.reader = Reader(source)
        self.types = {kind.__name__: name for name, kind in BUILT_INS.items()}
        self.subclasses: dict[str, tuple[str, str | None]] = {}
        self.names = Constants(self.reader)
        self.entries: dict[int, _Entry] = {}
        self.notes: list[str] = []
        self._bodies: list[SnippetError] = []
        self._again = 0
        self._resolving: set[str] = set()

    def run(self) -> Snippet:
        used: list[tuple[Value, Array | None]] = []
        reader = self.reader
        while reader.now.kind != "end":
            self._statement(used)
        for value, array in used:
            self._collect(value, array)
        if not self.entries:
            if self._bodies:
                raise self._bodies[0]
            known = ", ".join(sorted(self.types))
            raise reader.refuse(f"no processor is made here; known are {known}", 0)
        specs: list[ProcessorSpec] = []
        for entry in self.entries.values():
            specs.append(self._spec(entry, [spec.id for spec in specs]))
        return Snippet(tuple(specs), tuple(dict.fromkeys(self.notes)))

    # statements

    def _statement(self, used: list[tuple[Value, Array | None]]) -> None:
        reader = self.reader
        token = reader.now
        if token.is_name("import"):
            reader.step()
            while not (reader.now.kind in ("string", "end") or reader.now.is_sign(";")):
                reader.step()
            reader.step()
        elif token.is_name("class") and reader.after().kind == "name":
            self._class()
        elif token.is_name("const", "let", "var") and reader.after().kind == "name":
            self._constant(used)
        elif token.kind == "name" and reader.after().is_sign(":"):
            reader.step()
            reader.step()
            self._value(used, _ARRAYS.get(token.text))
        elif token.is_name("new") or token.is_sign("{"):
            self._value(used, None)
        elif token.is_sign("[") and (
            reader.place == 0 or self._before().kind == "sign" or self._returned()
        ):
            # behind other words it is an index, or the brackets of a type
            self._value(used, None)
        else:
            reader.step()

    def _value(self, used: list[tuple[Value, Array | None]], array: Array | None) -> None:
        """A value; braces that are no object are the body of something, which is gone into."""
        reader = self.reader
        start = reader.place
        if not reader.now.is_sign("{"):
            value = reader.value()
            used.append((value, array))
            self._go_into(value, start + 1)
            return
        if start == 0 or self._before().is_sign(*_BEFORE_OBJECTS) or self._returned():
            try:
                used.append((reader.value(), array))
            except SnippetError as error:
                self._bodies.append(error)
                if reader.now.kind == "end" or not self._may_read_again(start):
                    raise
            else:
                return
        reader.go_back(start + 1)

    def _go_into(self, value: Value, start: int) -> None:
        """Read code again, from ``start``, for what it makes."""
        if isinstance(value, Code) and self._may_read_again(start):
            self.reader.go_back(start)

    def _may_read_again(self, start: int) -> bool:
        self._again += self.reader.place - start
        return self._again <= _MOST_AGAIN * len(self.reader.tokens)

    def _before(self) -> Token:
        return self.reader.tokens[self.reader.place - 1]

    def _returned(self) -> bool:
        return self._before().is_name("return", "default")

    def _constant(self, used: list[tuple[Value, Array | None]]) -> None:
        reader = self.reader
        reader.step()
        name = reader.step().text
        while not (
            reader.now.is_sign("=", ";", ")")
            or reader.now.is_name("of", "in")
            or reader.now.kind == "end"
        ):
            if reader.now.is_sign("{", "(", "["):
                # of its type
                reader.skip_block()
            else:
                reader.step()
        if reader.now.is_sign("="):
            reader.step()
            start = reader.place
            value = self.names.known[name] = reader.value()
            used.append((value, _ARRAYS.get(name)))
            self._go_into(value, start)

    def _class(self) -> None:
        """``class Own extends Known { readonly id = '..' }``: a processor with an id of its own."""
        reader = self.reader
        reader.step()
        name = reader.step().text
        base = None
        while not (reader.now.is_sign("{") or reader.now.kind == "end"):
            if reader.now.is_name("extends"):
                base = reader.after().text
            reader.step()
        start = reader.place
        reader.skip_block()
        kind, id_ = self._kind_of(base or "")
        if kind is None:
            reader.go_back(start)
            return
        body = reader.tokens[start : reader.place]
        for place, token in enumerate(body):
            if not token.is_name("id"):
                continue
            for later in body[place + 1 :]:
                if later.kind == "string":
                    id_ = later.text
                if later.kind == "string" or later.is_sign(";", "{", "("):
                    break
            break
        self.subclasses[name] = (kind, id_)

    def _kind_of(self, name: str) -> tuple[str | None, str | None]:
        if name in self.subclasses:
            return self.subclasses[name]
        return self.types.get(name), None

    # what is used

    def _collect(self, value: Value | Spread, array: Array | None) -> None:
        match value:
            case New():
                self._made(value, array)
            case ArrayValue(items):
                for item in items:
                    self._collect(item, array)
            case Object(entries):
                for key, inner, _ in entries:
                    self._collect(inner, _ARRAYS.get(key))
            case Spread(inner):
                self._collect(inner, array)
            case Name():
                self._mentioned(value, array)
            case Code() if array is not None:
                self.notes.append(f"part of {array}Processors is code; it was left out")

    def _made(self, node: New, array: Array | None) -> None:
        kind, id_ = self._kind_of(node.name)
        if kind is None:
            for argument in node.arguments:
                self._collect(argument, None)
            if array is not None:
                self.notes.append(f"{node.name} is no built-in processor here; it was left out")
            return
        entry = self.entries.setdefault(id(node), _Entry(node, kind, id_))
        if array is not None and array not in entry.arrays:
            entry.arrays.append(array)

    def _mentioned(self, mention: Name, array: Array | None) -> None:
        value, name = self.names.meant(mention, set()), str(mention)
        if value is None:
            if array is not None:
                self.notes.append(f"{name} is not made in this snippet; it was left out")
            return
        if name not in self._resolving:
            self._resolving.add(name)
            self._collect(value, array)
            self._resolving.discard(name)

    # one processor

    def _spec(self, entry: _Entry, taken: Iterable[str]) -> ProcessorSpec:
        options, rules, places = self._options(entry)
        given = options.pop("id", None)
        wanted = given if isinstance(given, str) and given else entry.id or entry.type
        try:
            spec = ProcessorSpec(
                id=self._unique(wanted, set(taken)),
                type=entry.type,
                options=_MASTRA_DEFAULTS.get(entry.type, {}) | options,
                rules=rules,
            )
        except ValidationError as error:
            place, told = first_fault(error)
            at = places.get(place, entry.node.at)
            raise self.reader.refuse(f"{place} {told}", at) from None
        try:
            processor = build_processor(spec)
        except SessionError as error:
            told = str(error).removeprefix(f"{error.place}: ")
            named = [(told.find(key), at) for key, at in places.items() if key in told]
            left_out = self._left_out(entry)
            if left_out is not None and not named:
                key, at = left_out
                raise self.reader.refuse(f"{_UNKNOWN} {key}", at) from error
            raise self.reader.refuse(told, min(named, default=(0, entry.node.at))[1]) from error
        if entry.arrays and set(entry.arrays) != set(arrays_of(processor)):
            spec.arrays = sorted(entry.arrays)
        return spec

    def _unique(self, wanted: str, taken: set[str]) -> str:
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        if name != wanted:
            self.notes.append(
                f"two processors had the id {wanted}; one is {name} here, since state is kept by id"
            )
        return name

    def _options(self, entry: _Entry) -> tuple[dict[str, Any], list[SessionRule], dict[str, int]]:
        options: dict[str, Any] = {}
        rules: list[SessionRule] = []
        places: dict[str, int] = {}
        if not entry.node.arguments:
            return options, rules, places
        for key, value, at in self.names.entries(entry.node.arguments[0]):
            places[key] = at
            value = self.names.resolved(value)
            if key in _CALLBACKS or isinstance(value, Code):
                self.notes.append(f"{key} is code; sessions hold none, so it was left out")
            elif key == "rules":
                rules = [self._rule(item) for item in self.names.items(value, "rules")]
            elif isinstance(value, Regex):
                self._checked(value)
                options |= {key: value.pattern, "flags": value.flags}
            else:
                options[key] = self.names.plain(value)
        return options, rules, places

    def _left_out(self, entry: _Entry) -> tuple[str, int] | None:
        """The first option that is code, but for callbacks, and its place."""
        if not entry.node.arguments:
            return None
        for key, value, at in self.names.entries(entry.node.arguments[0]):
            if key and key not in _CALLBACKS and isinstance(self.names.resolved(value), Code):
                return key, at
        return None

    def _rule(self, node: Value) -> SessionRule:
        fields = {key: (self.names.resolved(v), at) for key, v, at in self.names.entries(node)}
        for key in ("pattern", "name", "replacement"):
            if key in fields and isinstance(fields[key][0], Code):
                raise self.reader.refuse(f"{_UNKNOWN} the {key}", fields[key][0].at)
        pattern, _ = fields.get("pattern", (Code(node.at), node.at))
        if not isinstance(pattern, Regex):
            raise self.reader.refuse("a rule needs a pattern such as /ORD-\\d{6}/g", pattern.at)
        self._checked(pattern)
        texts: dict[str, str | None] = {}
        for key in ("name", "replacement"):
            value, at = fields.get(key, (Literal(None, node.at), node.at))
            text = value.value if isinstance(value, Literal) else 0
            if not isinstance(text, str) and not (text is None and key == "replacement"):
                raise self.reader.refuse(f"{key} of a rule is a string", at)
            texts[key] = text
        for key, (_, at) in fields.items():
            if key not in ("name", "pattern", "replacement"):
                raise self.reader.refuse(
                    f"a rule has no {key!r}; it has name, pattern, replacement", at
                )
        return SessionRule(
            name=texts["name"] or "",
            pattern=pattern.pattern,
            flags=pattern.flags,
            replacement=texts["replacement"],
        )

    def _checked(self, node: Regex) -> None:
        try:
            compile_pattern(node.pattern, node.flags)
        except PatternError as error:
            at = node.at
            if node.source_at is not None and "flag" not in error.reason:
                at = node.source_at + error.position
            raise self.reader.refuse(error.reason, at) from error


__all__ = ["Snippet", "SnippetError", "parse_snippet"]
