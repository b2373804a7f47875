"""Syntax tree to instructions for the exact matcher (``machine``).

Follows the continuations of ECMA-262 22.2.2 one by one: captures are set when a group closes and
cleared on each repetition, an iteration that matched nothing is refused once the minimum is
reached, lookbehinds run from right to left.
"""

from typing import TypeAlias, assert_never

from msgspec import Struct

from tripscope.patterns import opcodes
from tripscope.patterns.analysis import can_match_empty
from tripscope.patterns.charset import LINE_ENDS, CharSet
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
)


class CharTest(dict[str, bool]):
    """Membership of characters in a set, remembered."""

    def __init__(self, chars: CharSet) -> None:
        """Nothing is known yet."""
        super().__init__()
        self.chars = chars

    def __missing__(self, char: str) -> bool:
        found = ord(char) in self.chars
        self[char] = found
        return found


Operand: TypeAlias = "int | bool | CharTest | None"
# Operands differ from one operation to the next; the machine knows which are which.
Instruction: TypeAlias = tuple[Operand, ...]


class Program(Struct, frozen=True):
    """Instructions and the number of registers they use.

    Registers ``2 * n`` and ``2 * n + 1`` hold start and end of group n, -1 while unset.
    """

    code: tuple[Instruction, ...]
    registers: int
    group_count: int


def assemble(tree: Tree) -> Program:
    """The program of a tree."""
    assembler = _Assembler(tree)
    assembler.node(tree.root, back=False)
    assembler.code.append((opcodes.MATCH,))
    return Program(tuple(assembler.code), assembler.registers, tree.group_count)


class _Assembler:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.code: list[Instruction] = []
        self.registers = 2 * tree.group_count + 2
        self.tests: dict[CharSet, CharTest] = {}
        self.word = self._test(tree.word)
        self.line_ends = self._test(LINE_ENDS)

    def _test(self, chars: CharSet) -> CharTest:
        return self.tests.setdefault(chars, CharTest(chars))

    def _register(self) -> int:
        self.registers += 1
        return self.registers - 1

    def _hole(self) -> int:
        self.code.append(())
        return len(self.code) - 1

    def node(self, node: Node, back: bool) -> None:
        match node:
            case Empty():
                pass
            case Char(chars):
                self.code.append((opcodes.CHAR_BACK if back else opcodes.CHAR, self._test(chars)))
            case Seq(items):
                self._seq(items, back)
            case Alt(options):
                self._alt(options, back)
            case Group(number, body):
                place = self._register()
                self.code.append((opcodes.OPEN, place))
                self.node(body, back)
                self.code.append((opcodes.CLOSE_BACK if back else opcodes.CLOSE, place, 2 * number))
            case Repeat():
                self._repeat(node, back)
            case Look(body, behind, negative):
                self._look(body, behind, negative)
            case Anchor(kind, many):
                self._anchor(kind, many)
            case BackRef(number):
                self.code.append((opcodes.BACKREF_BACK if back else opcodes.BACKREF, 2 * number))
            case _:
                assert_never(node)

    def _seq(self, items: tuple[Node, ...], back: bool) -> None:
        for item in reversed(items) if back else items:
            self.node(item, back)

    def _alt(self, options: tuple[Node, ...], back: bool) -> None:
        exits = []
        for option in options[:-1]:
            split = self._hole()
            self.node(option, back)
            exits.append(self._hole())
            self.code[split] = (opcodes.SPLIT, len(self.code))
        self.node(options[-1], back)
        for place in exits:
            self.code[place] = (opcodes.JUMP, len(self.code))

    def _anchor(self, kind: str, many: bool) -> None:
        ends = self.line_ends if many else None
        match kind:
            case "start":
                self.code.append((opcodes.START, ends))
            case "end":
                self.code.append((opcodes.END, ends))
            case _:
                self.code.append((opcodes.BOUNDARY, self.word, kind == "boundary"))

    def _look(self, body: Node, behind: bool, negative: bool) -> None:
        height, place = self._register(), self._register()
        start = self._hole()
        self.node(body, behind)
        if negative:
            self.code.append((opcodes.NOT_LOOK_END, height))
            self.code[start] = (opcodes.NOT_LOOK, height, len(self.code))
        else:
            self.code.append((opcodes.LOOK_END, height, place))
            self.code[start] = (opcodes.LOOK, height, place)

    def _repeat(self, node: Repeat, back: bool) -> None:
        low, high = node.low, node.high
        if high == 0:
            return
        if isinstance(node.body, Char) and node.greedy:
            op = opcodes.RUN_BACK if back else opcodes.RUN
            self.code.append((op, self._test(node.body.chars), low, high))
            return
        plain = node.groups[0] > node.groups[1] and not can_match_empty(node.body)
        if plain and low <= 1 and high is None:
            self._plain_loop(node, back)
            return
        self._counted_loop(node, back)

    def _plain_loop(self, node: Repeat, back: bool) -> None:
        """``x*`` and ``x+`` with nothing to count, to clear or to refuse."""
        if node.low:
            self.node(node.body, back)
        head = self._hole()
        if node.greedy:
            self.node(node.body, back)
            self.code.append((opcodes.JUMP, head))
            self.code[head] = (opcodes.SPLIT, len(self.code))
            return
        jump = self._hole()
        self.code[head] = (opcodes.SPLIT, len(self.code))
        self.node(node.body, back)
        self.code.append((opcodes.JUMP, head))
        self.code[jump] = (opcodes.JUMP, len(self.code))

    def _counted_loop(self, node: Repeat, back: bool) -> None:
        count, place = self._register(), self._register()
        self.code.append((opcodes.LOOP_INIT, count))
        head = self._hole()
        first, last = node.groups
        self.code.append((opcodes.ENTER, place, 2 * first, 2 * last + 2))
        self.node(node.body, back)
        self.code.append((opcodes.LOOP_END, count, place, node.low, head))
        self.code[head] = (opcodes.LOOP, count, node.low, node.high, node.greedy, len(self.code))
