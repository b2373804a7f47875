"""Where V8 11.3 (node 20) parts from ECMA-262 and a pattern must follow it, or be refused.

Others stand where they belong: matches between the halves of a pair in ``pattern``, operands under
flags v and i in ``sets``.
"""

from tripscope.patterns.syntax import Alt, Anchor, BackRef, Char, Group, Node, Repeat, Seq, walk

MISCOMPILED = (
    "V8 11.3 miscompiles a negated class of flag v inside a repeated group (it is negated once a "
    "copy); use flag u, or make the group a capturing one"
)
LOST_AT_END = (
    "V8 11.3 takes [^] under flag v for empty, and looks for a match before $ in the wrong place; "
    "write . with flag s"
)
MISREAD = (
    "V8 11.3 misreads a character above U+FFFF right behind a reference to a later group; such a "
    "reference is always empty, leave it out"
)
DISORDERED = (
    "V8 11.3 loses single characters of \\q{...} beside -- or && unless they stand in ascending "
    "order; order them, or write them as a class in brackets"
)
# V8 writes out repetitions up to these counts, one copy of the body each.
_MAX_UNROLLED = 3


def solid(node: Node) -> bool:
    """Whether V8 takes the node for more than an assertion.

    It repeats nothing that it takes for empty; what is empty, no engine can repeat. Under flag v
    it takes ``[^]``, and any class whose operands are all empty, for empty.
    """
    match node:
        case Char(_, _, phantom):
            return not phantom
        case Seq(items) | Alt(items):
            return any(map(solid, items))
        case Group(_, body):
            return solid(body)
        case Repeat(body, _, high):
            return high != 0 and solid(body)
        case BackRef():
            return True
        case _:
            return False


def miscompiled(body: Node, low: int, high: int | None, captures: bool) -> bool:
    """Whether V8 writes out copies of a body with a negated class of flag v in it.

    Each copy negates the class once more, in place.
    """
    if captures or not _holds_negated_set(body) or not _least(body):
        return False
    if low:
        return low <= _MAX_UNROLLED and high != 1
    return high is not None and 1 < high <= _MAX_UNROLLED


def lost_at_end(root: Node) -> bool:
    """Whether the pattern has a ``$`` (not under m) and a class that V8 takes for empty."""
    nodes = list(walk(root))
    return any(isinstance(one, Anchor) and _is_end(one) for one in nodes) and any(
        isinstance(one, Char) and one.phantom and bool(one.chars.ranges) for one in nodes
    )


def _is_end(anchor: Anchor) -> bool:
    return anchor.kind == "end" and not anchor.many


def _holds_negated_set(node: Node) -> bool:
    return any(isinstance(one, Char) and one.negated_set for one in walk(node))


def _least(node: Node) -> bool:
    """Whether V8 takes the node for never empty; it takes classes of flag v for maybe empty."""
    match node:
        case Char():
            return not node.negated_set
        case Seq(items):
            return any(map(_least, items))
        case Alt(options):
            return all(map(_least, options))
        case Group(_, body):
            return _least(body)
        case Repeat(body, low):
            return low > 0 and _least(body)
        case _:
            return False
