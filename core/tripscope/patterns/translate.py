"""Syntax tree to the source of a ``regex`` pattern with the same matches."""

from itertools import groupby
from string import ascii_lowercase
from typing import assert_never

import regex
from msgspec import Struct

from tripscope.patterns import native_class
from tripscope.patterns.casing import has_case
from tripscope.patterns.charset import ANY, ASCII, LINE_ENDS, UNITS, WORD, CharSet
from tripscope.patterns.rewrite import NotNative, Rewritten, rewrite
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
    Tree,
    walk,
)

# ASCII letters in both cases, by which regex.ASCII folds and nothing else.
_PAIRS = {CharSet.chars((ord(one), ord(one.upper()))): one for one in ascii_lowercase}
# regex copies the body of a repetition as often as it must occur, and once more: some 300 bytes and
# 2 us for each copy of a node, which no time budget stops.
_MAX_COST = 250_000
_MAX_COUNT = 0xFFFF
# Ranges of characters that are spelled out, which regex reads in some 10 us each.
_MAX_RANGES = 30_000
# For the longest string of a pattern regex makes a table, in a time that grows with its cube and
# that no time budget stops.
_LONG_STRING = 200
_PIECE = 100
_DOT_ALL = "(?s:.)"
_NEVER = "(?!)"


class Native(Struct, frozen=True):
    """A compiled pattern; ``groups`` maps our groups to its own, None where they are not exact.

    Group n of the tree is ``groups[n - 1]``, 0 for one that is never set.
    """

    pattern: "regex.Pattern[str]"
    groups: tuple[int, ...] | None

    @property
    def same_groups(self) -> bool:
        """Whether its groups are ours, number by number."""
        return self.groups == tuple(range(1, self.pattern.groups + 1))


def translate(tree: Tree, ascii_only: bool) -> Native:
    """A ``regex`` pattern for texts that are ASCII, or for all; raises ``NotNative``."""
    rewritten = rewrite(tree.root)
    if _cost(rewritten.root, ascii_only) > _MAX_COST:
        raise NotNative("too large for regex")
    if not ascii_only and _ranges(rewritten.root) > _MAX_RANGES:
        raise NotNative("too many ranges of characters for regex")
    writer = _Writer(tree, rewritten, ascii_only)
    source = writer.node(rewritten.root)
    flags = regex.V0 | (regex.ASCII if writer.plain else regex.UNICODE)
    try:
        pattern = regex.compile(source, flags, cache_pattern=False)
    except (regex.error, OverflowError) as error:
        raise NotNative(f"regex refuses the translation: {error}") from error
    if not rewritten.exact_groups:
        return Native(pattern, None)
    undone = rewritten.captures.undone
    groups = tuple(
        0 if number in undone else writer.numbers.get(number, 0)
        for number in range(1, tree.group_count + 1)
    )
    return Native(pattern, groups)


def _cost(node: Node, ascii_only: bool) -> int:
    """How many nodes ``regex`` makes of it, about; a range of a class is half a one."""
    match node:
        case Seq(items) | Alt(items):
            return 1 + sum(_cost(item, ascii_only) for item in items)
        case Group(_, body) | Look(body, _):
            return 1 + _cost(body, ascii_only)
        case Repeat(body, low):
            copies = low + (low == 0 or not isinstance(body, Char))
            return 1 + _cost(body, ascii_only) * copies
        case Char(chars, native):
            if ascii_only:
                chars = chars & ASCII
            return 1 if native is not None and not ascii_only else 1 + len(chars.ranges) // 2
        case _:
            return 1


def _ranges(root: Node) -> int:
    """How many ranges of characters have to be spelled out."""
    chars = (node for node in walk(root) if isinstance(node, Char) and node.native is None)
    return sum(len(node.chars.ranges) for node in chars)


def _string_length(node: Node) -> int:
    """No string that ``regex`` may see in it is longer."""
    match node:
        case Seq(items):
            return sum(map(_string_length, items))
        case Alt(options):
            return max(map(_string_length, options), default=0)
        case Group(_, body) | Look(body) | Repeat(body):
            return _string_length(body)
        case Char():
            return 1
        case _:
            return 0


class _Writer:
    def __init__(self, tree: Tree, rewritten: Rewritten, ascii_only: bool) -> None:
        self.captures = rewritten.captures
        self.keep_all = rewritten.exact_groups
        self.ascii_only = ascii_only
        self.whole = ASCII if ascii_only else ANY if tree.unicode else UNITS
        self.ignore_case = tree.ignore_case
        self.unicode = tree.unicode
        self.numbers: dict[int, int] = {}
        self.bodies: dict[int, Node] = {}
        # Under regex.ASCII \b is cheap, but \p{...} and wider words don't work.
        self.plain = ascii_only or (
            tree.word == WORD
            and not any(
                isinstance(node, Char) and node.native is not None for node in walk(rewritten.root)
            )
        )
        self.word = tree.word & ASCII if ascii_only else tree.word
        self.cuts_strings = _string_length(rewritten.root) > _LONG_STRING

    def node(self, node: Node) -> str:
        match node:
            case Empty():
                return ""
            case Char(chars, native):
                return self._char(chars, native)
            case Seq(items):
                return self._seq(items)
            case Alt(options):
                return f"(?:{'|'.join(map(self.node, options))})"
            case Group(number, body):
                return self._group(number, body)
            case Repeat():
                return self._repeat(node)
            case Look(body, behind, negative):
                sign = ("<" if behind else "") + ("!" if negative else "=")
                return f"(?{sign}{self.node(body)})"
            case Anchor(kind, many):
                return self._anchor(kind, many)
            case BackRef(number):
                return self._reference(number, id(node) in self.captures.sure_references)
            case _:
                assert_never(node)

    def _seq(self, items: tuple[Node, ...]) -> str:
        """The items; long strings in atomic pieces, which are not put together again."""
        if not self.cuts_strings:
            return self._run(items)
        parts: list[str] = []
        for is_char, run in groupby(items, lambda item: isinstance(item, Char)):
            nodes = tuple(run)
            if is_char:
                pieces = range(0, len(nodes), _PIECE)
                parts += [f"(?>{self._run(nodes[at : at + _PIECE])})" for at in pieces]
            else:
                parts.append(self._run(nodes))
        return "".join(parts)

    def _run(self, items: tuple[Node, ...]) -> str:
        """The items; runs of letters in both cases as words, which ``regex`` looks for fast."""
        if not (self.plain and self.ignore_case):
            return "".join(map(self.node, items))
        parts: list[str] = []
        for is_run, run in groupby(items, self._is_letter):
            nodes = list(run)
            if is_run and len(nodes) > 1:
                parts.append(f"(?i:{''.join(map(self._lower, nodes))})")
            else:
                parts.extend(map(self.node, nodes))
        return "".join(parts)

    def _is_letter(self, node: Node) -> bool:
        return isinstance(node, Char) and (node.chars & self.whole) in _PAIRS

    def _lower(self, node: Node) -> str:
        assert isinstance(node, Char)
        return _PAIRS[node.chars & self.whole]

    def _group(self, number: int, body: Node) -> str:
        wanted = self.keep_all and number not in self.captures.undone
        if not wanted and number not in self.captures.referenced:
            atomic = self.cuts_strings and isinstance(body, Char)
            return f"(?{'>' if atomic else ':'}{self.node(body)})"
        self.numbers[number] = len(self.numbers) + 1
        self.bodies[number] = body
        return f"({self.node(body)})"

    def _reference(self, number: int, sure: bool) -> str:
        own = self.numbers.get(number)
        if own is None:
            raise NotNative("a reference that comes before its group")
        reference = f"(?:\\{own})"
        if self.ignore_case and self._has_case(self.bodies[number], 0):
            # Only regex.ASCII folds as is known, and only ASCII.
            if not self.plain or (not self.ascii_only and self._has_case(self.bodies[number], 128)):
                raise NotNative("a reference under flag i to letters beyond ASCII")
            reference = f"(?i:\\{own})"
        return reference if sure else f"(?({own}){reference}|)"

    def _has_case(self, body: Node, above: int) -> bool:
        return any(
            isinstance(node, BackRef)
            or (isinstance(node, Char) and has_case(node.chars, self.unicode, above))
            for node in walk(body)
        )

    def _repeat(self, node: Repeat) -> str:
        low, high = node.low, node.high
        if low > _MAX_COUNT or (high or 0) > _MAX_COUNT:
            raise NotNative("a count too large")
        body = self.node(node.body)
        if not isinstance(node.body, Char | Group | Alt):
            body = f"(?:{body})"
        match low, high:
            case 0, None:
                sign = "*"
            case 1, None:
                sign = "+"
            case 0, 1:
                sign = "?"
            case _, None:
                sign = f"{{{low},}}"
            case _:
                sign = f"{{{low}}}" if low == high else f"{{{low},{high}}}"
        return body + sign + ("" if node.greedy else "?")

    def _char(self, chars: CharSet, native: str | None) -> str:
        whole = self.whole
        if self.ascii_only:
            chars = chars & ASCII
        if chars == whole or not chars.ranges:
            return _char_class(chars, whole)
        # Only now: regex takes [^\p{L}\P{L}] for everything.
        if native is not None and not self.ascii_only:
            return f"[{native}]"
        return _char_class(chars, whole)

    def _anchor(self, kind: str, many: bool) -> str:
        match kind:
            case "start" | "end":
                if not many:
                    return r"\A" if kind == "start" else r"\Z"
                ends = LINE_ENDS & ASCII if self.ascii_only else LINE_ENDS
                inside = f"[^{native_class.ranges(ends)}]"
                return f"(?<!{inside})" if kind == "start" else f"(?!{inside})"
            case _:
                if self.plain:
                    return r"\b" if kind == "boundary" else r"\B"
                word = f"[{native_class.ranges(self.word)}]"
                if kind == "boundary":
                    return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
                return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"


def _char_class(chars: CharSet, whole: CharSet) -> str:
    """A set out of the characters of ``whole``, as short as it gets."""
    if chars == whole:
        return _DOT_ALL
    if not chars.ranges:
        return _NEVER
    single = chars.single
    if single is not None:
        return native_class.escape(single)
    others = whole - chars
    if len(others.ranges) < len(chars.ranges):
        return f"[^{native_class.ranges(others)}]"
    return f"[{native_class.ranges(chars)}]"


def char_pattern(chars: CharSet) -> "regex.Pattern[str]":
    """A pattern for one character of a set."""
    return regex.compile(_char_class(chars, ANY), regex.V0, cache_pattern=False)
