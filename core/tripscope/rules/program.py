"""A pattern as instructions for an automaton: what has no lookaround and no references.

Alternatives and repetitions keep their order of preference, so that the automaton can find the
match that a backtracking engine would find.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from tripscope.patterns.analysis import can_match_empty
from tripscope.patterns.charset import LAST, LINE_ENDS, CharSet
from tripscope.patterns.syntax import Alt, Anchor, Char, Empty, Group, Node, Repeat, Seq, Tree

MAX_INSTRUCTIONS: Final = 4000


class Take(NamedTuple):
    """Go on behind a character of this set."""

    chars: int


class Fork(NamedTuple):
    """Go on at each of these, the first preferred."""

    targets: tuple[int, ...]


class Check(NamedTuple):
    """Go on if the place is right."""

    anchor: Anchor


class Done(NamedTuple):
    """A match ends here."""


Instruction: TypeAlias = Take | Fork | Check | Done


class NotRegular(Exception):
    """The pattern needs more than an automaton can do, or too many instructions."""


class Kind(Struct, frozen=True):
    """What anchors want to know of a character; ``edge``: there is none, the text ends."""

    word: bool = False
    line_end: bool = False
    edge: bool = False


EDGE: Final = Kind(edge=True)


class Program:
    """The instructions of a tree, and its alphabet cut into classes that no set divides.

    Raises:
        NotRegular: it has none.
    """

    def __init__(self, tree: Tree) -> None:
        self.code: list[Instruction] = []
        self._sets: dict[CharSet, int] = {}
        self._emit(tree.root)
        self.code.append(Done())
        kinds = (tree.word, LINE_ENDS)
        cuts = {0}
        for chars in (*self._sets, *kinds):
            for low, high in chars.ranges:
                cuts |= {low, high + 1}
        self._starts = sorted(cut for cut in cuts if cut <= LAST)
        self.kinds = [Kind(code in tree.word, code in LINE_ENDS) for code in self._starts]
        self.members = [
            frozenset(number for number, code in enumerate(self._starts) if code in chars)
            for chars in self._sets
        ]

    def class_of(self, char: str) -> int:
        """The number of the class that a character belongs to."""
        return bisect_right(self._starts, ord(char)) - 1

    def _emit(self, node: Node) -> None:
        if len(self.code) > MAX_INSTRUCTIONS:
            raise NotRegular("too many instructions")
        match node:
            case Empty():
                pass
            case Char(chars):
                self.code.append(Take(self._sets.setdefault(chars, len(self._sets))))
            case Seq(items):
                for item in items:
                    self._emit(item)
            case Group(_, body):
                self._emit(body)
            case Alt(options):
                self._alternatives(options)
            case Repeat():
                self._repeat(node)
            case Anchor():
                self.code.append(Check(node))
            case _:
                raise NotRegular("lookaround or a reference")

    def _alternatives(self, options: tuple[Node, ...]) -> None:
        fork = self._hole()
        targets: list[int] = []
        exits: list[int] = []
        for option in options:
            targets.append(len(self.code))
            self._emit(option)
            exits.append(self._hole())
        self.code[fork] = Fork(tuple(targets))
        for place in exits:
            self.code[place] = Fork((len(self.code),))

    def _repeat(self, node: Repeat) -> None:
        if can_match_empty(node.body) and node.high != 0:
            # ECMA-262 22.2.2.3.1 refuses empty turns; an automaton would have to count them.
            raise NotRegular("a repetition of what can be empty")
        for _ in range(node.low):
            self._emit(node.body)
        if node.high is None:
            fork = self._hole()
            self._emit(node.body)
            self.code.append(Fork((fork,)))
            self._fork(fork, node.greedy)
            return
        forks: list[int] = []
        for _ in range(node.high - node.low):
            forks.append(self._hole())
            self._emit(node.body)
        for fork in forks:
            self._fork(fork, node.greedy)

    def _fork(self, place: int, greedy: bool) -> None:
        targets = (place + 1, len(self.code))
        self.code[place] = Fork(targets if greedy else targets[::-1])

    def _hole(self) -> int:
        self.code.append(Fork(()))
        if len(self.code) > MAX_INSTRUCTIONS:
            raise NotRegular("too many instructions")
        return len(self.code) - 1


def holds(anchor: Anchor, before: Kind, after: Kind) -> bool:
    """Whether an anchor holds between two characters (ECMA-262 22.2.2.4)."""
    match anchor.kind:
        case "start":
            return before.edge or (anchor.many and before.line_end)
        case "end":
            return after.edge or (anchor.many and after.line_end)
        case "boundary":
            return before.word != after.word
        case _:
            return before.word == after.word
