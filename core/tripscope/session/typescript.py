"""Processors out of a TypeScript snippet, as people have it in their Mastra code.

The snippet is parsed, never run: what would have to be evaluated is left out, and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct, field

from tripscope.errors import SessionError
from tripscope.patterns import PatternError
from tripscope.patterns import compile as compile_pattern
from tripscope.processors import BUILT_INS
from tripscope.session.build import arrays_of, build_processor
from tripscope.session.model import Array, ProcessorSpec, SessionRule
from tripscope.session.ts_tokens import SnippetError
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
    return _Import(source).run()


class _Import:
    def __init__(self, source: str) -> None:
        self.reader = Reader(source)
        self.types = {kind.__name__: name for name, kind in BUILT_INS.items()}
        self.subclasses: dict[str, tuple[str, str | None]] = {}
        self.names: dict[str, Value] = {}
        self.entries: dict[int, _Entry] = {}
        self.notes: list[str] = []
        self._resolving: set[str] = set()

    def run(self) -> Snippet:
        used: list[tuple[Value, Array | None]] = []
        reader = self.reader
        while reader.now.kind != "end":
            self._statement(used)
        for value, array in used:
            self._collect(value, array)
        if not self.entries:
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
            used.append((reader.value(), _ARRAYS.get(token.text)))
        elif token.is_name("new") or token.is_sign("[", "{"):
            used.append((reader.value(), None))
        else:
            reader.step()

    def _constant(self, used: list[tuple[Value, Array | None]]) -> None:
        reader = self.reader
        reader.step()
        name = reader.step().text
        while not (reader.now.is_sign("=", ";") or reader.now.kind == "end"):
            reader.step()
        if reader.now.is_sign("="):
            reader.step()
            value = self.names[name] = reader.value()
            used.append((value, _ARRAYS.get(name)))

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
            case Name(name):
                self._mentioned(name, array)
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

    def _mentioned(self, name: str, array: Array | None) -> None:
        value = self.names.get(name)
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
        spec = ProcessorSpec(
            id=self._unique(wanted, set(taken)),
            type=entry.type,
            options=_MASTRA_DEFAULTS.get(entry.type, {}) | options,
            rules=rules,
        )
        try:
            processor = build_processor(spec)
        except SessionError as error:
            told = str(error).removeprefix(f"{error.place}: ")
            named = [(told.find(key), at) for key, at in places.items() if key in told]
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
        for key, value, at in self._entries(entry.node.arguments[0]):
            places[key] = at
            value = self._resolved(value)
            if key in _CALLBACKS or isinstance(value, Code):
                self.notes.append(f"{key} is code; sessions hold none, so it was left out")
            elif key == "rules":
                rules = [self._rule(item) for item in self._items(value, "rules")]
            elif isinstance(value, Regex):
                self._checked(value)
                options |= {key: value.pattern, "flags": value.flags}
            else:
                options[key] = self._plain(value)
        return options, rules, places

    def _rule(self, node: Value) -> SessionRule:
        fields = {key: (self._resolved(v), at) for key, v, at in self._entries(node)}
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

    # values

    def _resolved(self, value: Value | Spread) -> Value:
        seen: set[str] = set()
        while isinstance(value, Name):
            if value.name in seen or value.name not in self.names:
                raise self.reader.refuse(
                    f"{value.name} is not defined in this snippet; paste its definition too",
                    value.at,
                )
            seen.add(value.name)
            value = self.names[value.name]
        if isinstance(value, Spread):
            raise self.reader.refuse("a spread cannot stand here", value.at)
        return value

    def _entries(self, node: Value | Spread) -> list[tuple[str, Value, int]]:
        node = self._resolved(node)
        if not isinstance(node, Object):
            raise self.reader.refuse("an object in braces should stand here", node.at)
        found: list[tuple[str, Value, int]] = []
        for key, value, at in node.entries:
            if isinstance(value, Spread):
                found += self._entries(value.value)
            else:
                found.append((key, value, at))
        return found

    def _items(self, node: Value, key: str) -> list[Value]:
        if not isinstance(node, ArrayValue):
            raise self.reader.refuse(f"{key} is a list in square brackets", node.at)
        found: list[Value] = []
        for item in node.items:
            if isinstance(item, Spread):
                found += self._items(self._resolved(item.value), key)
            else:
                found.append(self._resolved(item))
        return found

    def _plain(self, value: Value) -> Any:
        match value:
            case Literal(plain):
                return plain
            case ArrayValue():
                return [self._plain(item) for item in self._items(value, "this")]
            case Object():
                entries = self._entries(value)
                return {key: self._plain(self._resolved(item)) for key, item, _ in entries}
            case _:
                raise self.reader.refuse("only a plain value can be taken over here", value.at)


__all__ = ["Snippet", "SnippetError", "parse_snippet"]
