"""Which groups are set when: what decides where ``regex`` and ECMAScript agree about captures.

In ECMAScript a group is set when it closes and cleared when a repetition around it begins anew
(22.2.2.3.1); in ``regex`` it keeps its last value. So a reference evaluated before its group is
always empty, and a group is the same in both if every repetition around it sets it each time.
"""

from typing import assert_never

from msgspec import Struct, field

from tripscope.patterns.analysis import longest
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


class _State(Struct, frozen=True):
    """Groups that may be set, and those that surely are, at a point of the evaluation."""

    maybe: frozenset[int] = frozenset()
    sure: frozenset[int] = frozenset()


class Captures(Struct):
    """The findings about one tree.

    ``empty_references`` always match nothing; ``sure_references`` have a set group. (Sets of the
    ids of their nodes, which live as long as the tree.) ``stale`` groups may differ from
    ``regex``; ``undone`` ones are inside a negative lookaround, so unset after the match.
    """

    empty_references: set[int] = field(default_factory=set)
    sure_references: set[int] = field(default_factory=set)
    referenced: set[int] = field(default_factory=set)
    behind: bool = False
    stale: set[int] = field(default_factory=set)
    undone: set[int] = field(default_factory=set)


def study(root: Node) -> Captures:
    """Walk the tree in the order of evaluation."""
    found = Captures()
    _walk(root, _State(), False, found)
    return found


def _walk(node: Node, state: _State, back: bool, found: Captures) -> _State:
    match node:
        case Empty() | Char() | Anchor():
            return state
        case Seq(items):
            for item in reversed(items) if back else items:
                state = _walk(item, state, back, found)
            return state
        case Alt(options):
            return _either([_walk(option, state, back, found) for option in options])
        case Group(number, body):
            state = _walk(body, state, back, found)
            return _State(state.maybe | {number}, state.sure | {number})
        case Repeat():
            return _repeat(node, state, back, found)
        case Look(body, behind, negative):
            inside = _walk(body, state, behind, found)
            if not negative:
                return inside
            found.undone |= inside.maybe - state.maybe
            return state
        case BackRef():
            _reference(node, state, back, found)
            return state
        case _:
            assert_never(node)


def _either(ends: list[_State]) -> _State:
    return _State(
        frozenset().union(*(end.maybe for end in ends)),
        frozenset.intersection(*(end.sure for end in ends)),
    )


def _reference(node: BackRef, state: _State, back: bool, found: Captures) -> None:
    if node.number not in state.maybe:
        found.empty_references.add(id(node))
        return
    found.referenced.add(node.number)
    found.behind = found.behind or back
    if node.number in state.sure:
        found.sure_references.add(id(node))


def _repeat(node: Repeat, state: _State, back: bool, found: Captures) -> _State:
    inside = frozenset(range(node.groups[0], node.groups[1] + 1))
    cleared = _State(state.maybe - inside, state.sure - inside)
    after = _walk(node.body, cleared, back, found)
    if node.high != 1:
        found.stale |= (after.maybe & inside) - after.sure
    if node.high == 0 or (node.low == 0 and longest(node.body) == 0):
        return state
    return _State(state.maybe | after.maybe, after.sure if node.low else state.sure)
