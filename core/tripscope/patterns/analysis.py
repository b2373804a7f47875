"""What can be told about a pattern from its tree: lengths and what it needs around it."""

from collections.abc import Callable
from typing import assert_never

from tripscope.patterns.charset import CharSet
from tripscope.patterns.syntax import (
    Alt,
    Anchor,
    BackRef,
    Char,
    Empty,
    Group,
    Look,
    Node,
    Repeat,
    Seq,
)

_FIRST_ASTRAL = 0x10000


def can_match_empty(node: Node) -> bool:
    """Whether the node can match nothing (True where only the text decides)."""
    match node:
        case Char():
            return False
        case Seq(items):
            return all(map(can_match_empty, items))
        case Alt(options):
            return any(map(can_match_empty, options))
        case Group(_, body):
            return can_match_empty(body)
        case Repeat(body, low):
            return low == 0 or can_match_empty(body)
        case Empty() | Look() | Anchor() | BackRef():
            return True
        case _:
            assert_never(node)


def _char_lengths(chars: CharSet) -> tuple[int, int]:
    if not chars.ranges:
        return 1, 1
    low = 1 if chars.ranges[0][0] < _FIRST_ASTRAL else 2
    return low, 1 if chars.ranges[-1][1] < _FIRST_ASTRAL else 2


def shortest(node: Node) -> int:
    """The least number of UTF-16 units a match takes."""
    match node:
        case Char(chars):
            return _char_lengths(chars)[0]
        case Seq(items):
            return sum(map(shortest, items))
        case Alt(options):
            return min(map(shortest, options))
        case Group(_, body):
            return shortest(body)
        case Repeat(body, low):
            return low * shortest(body)
        case Empty() | Look() | Anchor() | BackRef():
            return 0
        case _:
            assert_never(node)


def longest(node: Node, of_group: Callable[[int], int | None] = lambda _: None) -> int | None:
    """The largest number of UTF-16 units a match takes; None without a bound.

    ``of_group`` gives the bound of what a group holds, for references.
    """
    match node:
        case Char(chars):
            return _char_lengths(chars)[1]
        case Seq(items):
            lengths = [longest(item, of_group) for item in items]
            return None if None in lengths else sum(one or 0 for one in lengths)
        case Alt(options):
            lengths = [longest(option, of_group) for option in options]
            return None if None in lengths else max(one or 0 for one in lengths)
        case Group(_, body):
            return longest(body, of_group)
        case Repeat(body, _, high):
            once = longest(body, of_group)
            if once == 0 or high == 0:
                return 0
            return None if once is None or high is None else high * once
        case BackRef(number):
            return of_group(number)
        case Empty() | Look() | Anchor():
            return 0
        case _:
            assert_never(node)


def first_chars(node: Node) -> CharSet | None:
    """The characters a match can begin with; None if it may be empty or begin with anything."""
    match node:
        case Char(chars):
            return chars
        case Seq(items):
            return _first_of_seq(items)
        case Alt(options):
            return _union([first_chars(option) for option in options])
        case Group(_, body):
            return first_chars(body)
        case Repeat(body, low):
            return first_chars(body) if low else None
        case _:
            return None


def _first_of_seq(items: tuple[Node, ...]) -> CharSet | None:
    found: list[CharSet | None] = []
    for item in items:
        if longest(item) == 0:
            continue
        if not can_match_empty(item):
            return _union([*found, first_chars(item)])
        body = item.body if isinstance(item, Repeat) else None
        found.append(None if body is None else first_chars(body))
    return None


def _union(sets: list[CharSet | None]) -> CharSet | None:
    ranges: list[tuple[int, int]] = []
    for chars in sets:
        if chars is None:
            return None
        ranges.extend(chars.ranges)
    return CharSet.of(*ranges)


_ANCHORS = {"start": "^", "end": "$", "boundary": r"\b", "not-boundary": r"\B"}


def needs_context(node: Node) -> tuple[str, ...]:
    r"""The constructs that look outside the match: ``^ $ \b \B`` and lookarounds, each once."""
    found: dict[str, None] = {}
    _collect(node, found)
    return tuple(found)


def _collect(node: Node, found: dict[str, None]) -> None:
    match node:
        case Anchor(kind, _):
            found.setdefault(_ANCHORS[kind])
        case Look(body, behind, negative):
            negation = "negative " if negative else ""
            found.setdefault(negation + ("lookbehind" if behind else "lookahead"))
            _collect(body, found)
        case Seq(items):
            for item in items:
                _collect(item, found)
        case Alt(options):
            for option in options:
                _collect(option, found)
        case Group(_, body) | Repeat(body, _):
            _collect(body, found)
        case Char() | Empty() | BackRef():
            pass
        case _:
            assert_never(node)
