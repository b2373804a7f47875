"""Texts that a pattern is likely to match, drawn from its syntax tree."""

from random import Random
from unicodedata import category

from tripscope.patterns.charset import CharSet
from tripscope.patterns.syntax import Alt, BackRef, Char, Group, Look, Node, Repeat, Seq, Tree

_MANY = 3
_LIKELY_LAST = 0x17F


def sample(tree: Tree, random: Random) -> str:
    """One text; assertions are not heeded, so it need not match."""
    return _Sampler(random).node(tree.root)


class _Sampler:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.groups: dict[int, str] = {}

    def node(self, node: Node) -> str:
        match node:
            case Char(chars):
                return self._char(chars)
            case Seq(items):
                return "".join(map(self.node, items))
            case Alt(options):
                return self.node(self.random.choice(options))
            case Group(number, body):
                self.groups[number] = self.node(body)
                return self.groups[number]
            case Repeat(body, low, high):
                most = low + _MANY if high is None else min(high, low + _MANY)
                count = self.random.randint(low, max(low, most))
                return "".join(self.node(body) for _ in range(min(count, 60)))
            case BackRef(number):
                return self.groups.get(number, "")
            case Look(body, _, negative) if not negative and self.random.random() < 0.5:
                return self.node(body)
            case _:
                return ""

    def _char(self, chars: CharSet) -> str:
        if not chars.ranges:
            return ""
        likely = [pair for pair in chars.ranges if pair[0] <= _LIKELY_LAST] or list(chars.ranges)
        low, high = self.random.choice(likely)
        high = min(high, max(low, _LIKELY_LAST)) if self.random.random() < 0.9 else high
        char = chr(self.random.randint(low, high))
        # What is unassigned here may be assigned in the tables of another engine.
        return char if category(char) != "Cn" else chr(low) if low <= _LIKELY_LAST else ""
