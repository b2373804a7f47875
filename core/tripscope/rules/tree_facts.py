"""What a search wants to know of a pattern's tree."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

from tripscope.patterns.analysis import longest
from tripscope.patterns.charset import CharSet
from tripscope.patterns.syntax import Alt, BackRef, Char, Group, Look, Node, Repeat, Seq

_MAX_TURNS: Final = 16
_MAX_ONCE: Final = 1e15


def ways(node: Node, length: int) -> float:
    """A bound on the ways to match a text of this length, which a search may have to try all."""
    match node:
        case Seq(items):
            product = 1.0
            for item in items:
                product *= ways(item, length)
            return product
        case Alt(options):
            return sum(ways(option, length) for option in options)
        case Group(_, body) | Look(body):
            return ways(body, length)
        case Repeat(body, low, high):
            once = ways(body, length)
            most = length if high is None else min(high, length)
            if once == 1:
                return 1.0 + max(0, most - low)
            if once > _MAX_ONCE:
                return inf if most else 1.0  # its powers may be too large for a float
            return inf if most > _MAX_TURNS else sum(once**turns for turns in range(low, most + 1))
        case BackRef():
            return inf
        case _:
            return 1.0


def looks_behind(node: Node) -> int | None:
    """How far lookbehinds see, in UTF-16 units; None without bound, or if one looks ahead."""
    if isinstance(node, BackRef) or (isinstance(node, Look) and not node.behind):
        return None
    far = [looks_behind(child) for child in _children(node)]
    if None in far:
        return None
    most = max((one or 0 for one in far), default=0)
    if not isinstance(node, Look):
        return most
    own = longest(node.body)
    return None if own is None else own + most


def kinds_of(node: Node) -> Iterator[type]:
    """The class of each node."""
    yield type(node)
    for child in _children(node):
        yield from kinds_of(child)


def chars_of(node: Node) -> Iterator[CharSet]:
    """The sets of all that a match can hold."""
    if isinstance(node, Char):
        yield node.chars
    if not isinstance(node, Look):
        for child in _children(node):
            yield from chars_of(child)


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case Seq(items):
            return items
        case Alt(options):
            return options
        case Group(_, body) | Repeat(body) | Look(body):
            return (body,)
        case _:
            return ()
