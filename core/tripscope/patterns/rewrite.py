"""Rewriting a tree so that the ``regex`` module gives ECMAScript's spans.

ECMAScript refuses an iteration that matched nothing (22.2.2.3.1 step 2.b), ``regex`` accepts it
and leaves the loop. So a repeated body that can be empty is replaced by its non-empty part, in the
same order of preference. What has no such form raises ``NotNative``.
"""

from itertools import islice
from typing import assert_never

from msgspec import Struct

from tripscope.patterns.analysis import can_match_empty, longest
from tripscope.patterns.captures import Captures, study
from tripscope.patterns.charset import EMPTY
from tripscope.patterns.syntax import (
    EMPTY_NODE,
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
    alt,
    seq,
    walk,
)

_NEVER = Char(EMPTY)
_MAX_COPIES = 8
# Copies of copies grow without end; the exact matcher takes what would get larger than this.
_MAX_NODES = 2_000


class NotNative(Exception):
    """The ``regex`` module cannot run the pattern exactly; says why."""


class Rewritten(Struct):
    """A tree for ``regex`` and whether its groups hold what ECMAScript's would."""

    root: Node
    captures: Captures
    exact_groups: bool


def rewrite(root: Node) -> Rewritten:
    """The tree that ``regex`` may run."""
    captures = study(root)
    rewriter = _Rewriter(captures)
    new = rewriter.node(root, False)
    if captures.referenced & (captures.stale | rewriter.moved):
        raise NotNative("a reference to a group that a repetition clears")
    if captures.behind:
        raise NotNative("a reference in a lookbehind")
    if captures.referenced & _in_nested_repeats(root):
        raise NotNative("a reference to a group in nested repetitions")
    return Rewritten(new, captures, not captures.stale and not rewriter.moved)


def _in_nested_repeats(root: Node) -> set[int]:
    r"""Groups in a repetition that holds another one.

    ``regex`` remembers where such a repetition failed without what its groups held then, and so
    misses matches in which a reference to them decides: ``([0b]+)*?\1b`` on ``0bbb``.
    """
    inner: set[int] = set()
    for node in walk(root):
        if isinstance(node, Repeat) and node.high != 1 and _holds(node.body, Repeat):
            inner.update(range(node.groups[0], node.groups[1] + 1))
    return inner


class _Rewriter:
    def __init__(self, captures: Captures) -> None:
        self.captures = captures
        self.moved: set[int] = set()

    def node(self, node: Node, back: bool) -> Node:
        match node:
            case Empty() | Char() | Anchor():
                return node
            case BackRef():
                return EMPTY_NODE if id(node) in self.captures.empty_references else node
            case Seq(items):
                return seq([self.node(item, back) for item in items])
            case Alt(options):
                return Alt(tuple(self.node(option, back) for option in options))
            case Group(number, body):
                return Group(number, self.node(body, back))
            case Look(body, behind, negative):
                return Look(self.node(body, behind), behind, negative)
            case Repeat():
                new = self._repeat(node, back)
                if sum(1 for _ in islice(walk(new), _MAX_NODES + 1)) > _MAX_NODES:
                    raise NotNative("nested repetitions that can be empty")
                return new
            case _:
                assert_never(node)

    def _repeat(self, node: Repeat, back: bool) -> Node:
        if node.high == 0:
            return EMPTY_NODE
        body = self.node(node.body, back)
        low, high = node.low, node.high
        if low == high == 1:
            return body
        if not can_match_empty(body):
            return Repeat(body, low, high, node.greedy, node.groups)
        if longest(body) == 0:
            if low == 0:
                return EMPTY_NODE
            if low > 1 and _holds(body, BackRef):
                raise NotNative("a repeated reference that can be empty")
            return body
        rest = 0 if high is None else high - low
        if low > _MAX_COPIES:
            raise NotNative("many repetitions of what can be empty")
        if low:
            self.moved |= set(range(node.groups[0], node.groups[1] + 1))
        parts = [body] * low
        if high is None or rest:
            filled = self._filled(body, back)
            parts.append(
                Repeat(filled, 0, None if high is None else rest, node.greedy, node.groups)
            )
        return seq(parts)

    def _filled(self, node: Node, back: bool) -> Node:
        """The non-empty matches of a node, in the same order."""
        if not can_match_empty(node):
            return node
        match node:
            case Empty() | Look() | Anchor():
                return _NEVER
            case Alt(options):
                filled = [self._filled(option, back) for option in options]
                return alt([one for one in filled if one is not _NEVER] or [_NEVER])
            case Group(number, body):
                inside = self._filled(body, back)
                return inside if inside is _NEVER else Group(number, inside)
            case Repeat(body, low, high, greedy, groups):
                if low or can_match_empty(body):
                    raise NotNative("nested repetitions that can be empty")
                return body if high == 1 else Repeat(body, 1, high, greedy, groups)
            case Seq(items):
                return self._filled_seq(list(items), back)
            case _:
                raise NotNative("a repeated reference that can be empty")

    def _filled_seq(self, items: list[Node], back: bool) -> Node:
        solid = [index for index, item in enumerate(items) if longest(item) != 0]
        if not solid:
            return _NEVER
        if len(solid) == 1:
            at = solid[0]
            return seq([*items[:at], self._filled(items[at], back), *items[at + 1 :]])
        if back or len(solid) != len(items):
            raise NotNative("a repeated sequence that can be empty")
        first, rest = items[0], items[1:]
        if not isinstance(first, Repeat) or first.low or can_match_empty(first.body):
            raise NotNative("a repeated sequence that can be empty")
        if _holds(first, Group) or any(_holds(item, Group) for item in rest):
            raise NotNative("groups in a repeated sequence that can be empty")
        begun = seq([self._filled(first, back), *rest])
        later = self._filled(seq(rest), back)
        return alt([begun, later] if first.greedy else [later, begun])


def _holds(node: Node, kind: type[BackRef | Group | Repeat]) -> bool:
    return any(isinstance(one, kind) for one in walk(node))
