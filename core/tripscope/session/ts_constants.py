"""What the words of a TypeScript snippet stand for, as far as it defines them itself."""

from __future__ import annotations

from typing import Any, Final

from tripscope.session.ts_values import (
    ArrayValue,
    Code,
    Literal,
    Name,
    Object,
    Reader,
    Spread,
    Value,
)

_LONGEST_WAY: Final = 100
_MOST_LOOKED_UP: Final = 50_000
"""Words: where each constant holds the one before twice, some lines say more than fits anywhere."""
_CURLY: Final = "\u201c\u201d\u201e\u2018\u2019\u201a"


class Constants:
    """The constants of a snippet; ``known``: the value of each by its name.

    All methods raise `SnippetError` where a word is not defined in the snippet, or where something
    else stands than what is asked for.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.known: dict[str, Value] = {}
        self._looked_up = 0

    def resolved(self, value: Value | Spread) -> Value:
        """What a value is in the end: a word stands for what it was defined as."""
        seen: set[Name] = set()
        while isinstance(value, Name):
            found = self.meant(value, seen)
            if found is None and value.path:
                # process.env.NAME, a member of what was imported
                return Code(value.at)
            if found is None:
                raise self.reader.refuse(
                    f"{value} is not defined in this snippet; paste its definition too", value.at
                )
            value = found
        if isinstance(value, Spread):
            raise self.reader.refuse("a spread cannot stand here", value.at)
        return value

    def meant(self, mention: Name, seen: set[Name]) -> Value | None:
        """What a word stands for; None if this snippet does not tell."""
        if mention in seen or len(seen) > _LONGEST_WAY:
            return None
        self._looked_up += 1
        if self._looked_up > _MOST_LOOKED_UP:
            raise self.reader.refuse("what is defined here is repeated too often", mention.at)
        seen.add(mention)
        value: Value | Spread | None = self.known.get(mention.name)
        for key in mention.path:
            while isinstance(value, Name):
                value = self.meant(value, seen)
            if not isinstance(value, Object):
                return None
            inner = [found for name, found, _ in value.entries if name == key]
            value = inner[-1] if inner else None
        return None if isinstance(value, Spread) else value

    def entries(self, node: Value | Spread) -> list[tuple[str, Value, int]]:
        """Key, value and index of the key of each entry of an object, of spread ones too."""
        node = self.resolved(node)
        if not isinstance(node, Object):
            raise self.reader.refuse("an object in braces should stand here", node.at)
        found: list[tuple[str, Value, int]] = []
        for key, value, at in node.entries:
            if isinstance(value, Spread):
                found += self.entries(value.value)
            else:
                found.append((key, value, at))
        return found

    def items(self, node: Value, key: str) -> list[Value]:
        """The items of the array that is named ``key``, of spread ones too."""
        if not isinstance(node, ArrayValue):
            raise self.reader.refuse(f"{key} is a list in square brackets", node.at)
        found: list[Value] = []
        for item in node.items:
            if isinstance(item, Spread):
                found += self.items(self.resolved(item.value), key)
            else:
                found.append(self.resolved(item))
        return found

    def plain(self, value: Value) -> Any:
        """A value as JSON has it."""
        match value:
            case Literal(plain):
                return plain
            case ArrayValue():
                return [self.plain(item) for item in self.items(value, "this")]
            case Object():
                entries = self.entries(value)
                return {key: self.plain(self.resolved(item)) for key, item, _ in entries}
            case Code(at) if self.reader.source[at] in _CURLY:
                raise self.reader.refuse("these are no quotation marks of code, \" and ' are", at)
            case _:
                raise self.reader.refuse("only a plain value can be taken over here", value.at)
