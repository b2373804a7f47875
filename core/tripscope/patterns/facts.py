"""What a rule's author wants to know of a pattern, found from its tree alone."""

from msgspec import Struct

from tripscope.patterns.analysis import can_match_empty, longest, needs_context, shortest
from tripscope.patterns.captures import study
from tripscope.patterns.syntax import EMPTY_NODE, Group, Node, Tree, mapped, walk


class Facts(Struct, frozen=True):
    """Bounds of a match in UTF-16 code units, never too narrow; ``longest`` None: no bound.

    ``context`` names the constructs that look at text outside the match, in the order they come.
    """

    shortest: int
    longest: int | None
    can_be_empty: bool
    context: tuple[str, ...]


def facts(tree: Tree) -> Facts:
    """All of it."""
    empty = study(tree.root).empty_references

    def settled(leaf: Node) -> Node:
        return EMPTY_NODE if id(leaf) in empty else leaf

    root = mapped(tree.root, settled)
    return Facts(
        shortest(root), _Lengths(root).of(root), can_match_empty(root), needs_context(root)
    )


class _Lengths:
    """Longest matches where references count as long as what their group may hold."""

    def __init__(self, root: Node) -> None:
        self.bodies = {node.number: node.body for node in walk(root) if isinstance(node, Group)}
        # None also while a group is being measured.
        self.known: dict[int, int | None] = {}

    def of(self, node: Node) -> int | None:
        return longest(node, self._group)

    def _group(self, number: int) -> int | None:
        if number not in self.known:
            self.known[number] = None
            self.known[number] = self.of(self.bodies[number])
        return self.known[number]
