"""The syntax tree of a pattern, with flags i and s already worked into its character sets."""

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from tripscope.patterns.charset import CharSet


class Empty(Struct, frozen=True):
    """Matches nothing, always."""


class Char(Struct, frozen=True):
    """One character of a set; ``native`` is the same as content of a ``regex`` class, if short.

    ``phantom`` marks what V8 takes for empty when it is quantified, ``negated_set`` a negated
    class of flag v (see ``quirks`` for both).
    """

    chars: CharSet
    native: str | None = None
    phantom: bool = False
    negated_set: bool = False


class Seq(Struct, frozen=True):
    """One after the other (from the right in a lookbehind)."""

    items: tuple["Node", ...]


class Alt(Struct, frozen=True):
    """The first that leads to a match."""

    options: tuple["Node", ...]


class Group(Struct, frozen=True):
    """A capturing group, counted from 1."""

    number: int
    body: "Node"


class Repeat(Struct, frozen=True):
    """A quantifier; ``high`` None for no bound. ``groups`` are the numbers inside, from and to."""

    body: "Node"
    low: int
    high: int | None
    greedy: bool
    groups: tuple[int, int]


class Look(Struct, frozen=True):
    """Lookahead or lookbehind."""

    body: "Node"
    behind: bool
    negative: bool


class Anchor(Struct, frozen=True):
    r"""``^ $ \b \B``; ``many`` for the first two under flag m."""

    kind: Literal["start", "end", "boundary", "not-boundary"]
    many: bool = False


class BackRef(Struct, frozen=True):
    """What a group matched; nothing while it has matched nothing."""

    number: int


Node: TypeAlias = Empty | Char | Seq | Alt | Group | Repeat | Look | Anchor | BackRef


class Tree(Struct, frozen=True):
    """A parsed pattern: its groups, the named ones by number, and the flags that matter later."""

    root: Node
    group_count: int
    names: tuple[tuple[str, int], ...]
    unicode: bool
    ignore_case: bool
    word: CharSet


EMPTY_NODE = Empty()


def mapped(node: Node, change: Callable[[Node], Node]) -> Node:
    """The same tree with every leaf changed."""
    match node:
        case Seq(items):
            return Seq(tuple(mapped(item, change) for item in items))
        case Alt(options):
            return Alt(tuple(mapped(option, change) for option in options))
        case Group(number, body):
            return Group(number, mapped(body, change))
        case Repeat(body, low, high, greedy, groups):
            return Repeat(mapped(body, change), low, high, greedy, groups)
        case Look(body, behind, negative):
            return Look(mapped(body, change), behind, negative)
        case _:
            return change(node)


def walk(node: Node) -> Iterator[Node]:
    """Every node, a parent before its children."""
    yield node
    match node:
        case Seq(items) | Alt(items):
            for item in items:
                yield from walk(item)
        case Group(_, body) | Repeat(body, _) | Look(body, _):
            yield from walk(body)
        case _:
            pass


def without_chars(node: Node) -> Node:
    """The same tree where no character matches, nor any reference."""
    return mapped(node, lambda leaf: Char(CharSet()) if isinstance(leaf, Char | BackRef) else leaf)


def seq(items: list[Node]) -> Node:
    """A sequence, flat where it can be."""
    flat: list[Node] = []
    for item in items:
        if isinstance(item, Seq):
            flat.extend(item.items)
        elif not isinstance(item, Empty):
            flat.append(item)
    if not flat:
        return EMPTY_NODE
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def alt(options: list[Node]) -> Node:
    """A choice, or the one option."""
    return options[0] if len(options) == 1 else Alt(tuple(options))
