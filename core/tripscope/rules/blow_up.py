"""Static warning for patterns that take long in a backtracking engine, and a text that shows it.

Where `tripscope.rules.ambiguity` sees that a text can be read in many ways, attacks are made of it:
a front, a part that is repeated, an end on which the match fails. Each is tried on a backtracking
matcher that counts its steps; what does not grow there is no attack. So a rule is accused with
proof, and one that is not may still be slow. Tripscope's own engines may be fast on all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import log2
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tripscope.patterns import MatchTimeout
from tripscope.patterns.charset import CharSet
from tripscope.patterns.machine import Clock, Machine
from tripscope.patterns.program import Program, assemble
from tripscope.patterns.syntax import Tree
from tripscope.rules.ambiguity import SEARCH, Graph, TooLarge, Word

_TURNS: Final = 32
_SQUARE: Final = 4e8
_CUBE: Final = 3e9
"""Steps of an attack, by what its time grows with: what takes V8 from half a second to a few."""
_SUFFIXES: Final = "!\x00 a0\n"
_PREFERRED: Final = ("a0-_ .:/@", "!~#9z\t;")
_MOST_TRIED: Final = 60
_MOST_CONFIRMED: Final = 3
_CAP: Final = 500_000
_MOST_STEPS: Final = 4_000_000
"""Of all attacks on one pattern, some seconds; what is found until then counts."""
_DOUBLING: Final = (10, 12, 14, 16)
"""Turns; the steps have to double with each two."""
_SIZES: Final = (16, 32, 64)
"""Lengths of texts, in units, on which growth is seen first; longer for long pumps."""
_SURE: Final = 60
"""Turns of a pump of one unit, and twice as many, on which it is made sure of."""
_ENOUGH: Final = 400
"""Steps under which what grows is not told from what is there anyway."""
_FEW: Final = 2.5
_SURELY: Final = 3.0
_MUCH: Final = 6.5
"""Factors by which steps grow with twice the text: 2 is linear, 4 the square, 8 the cube."""


class Attack(Struct, frozen=True):
    """A text on which matching takes time: ``prefix``, ``pump`` many times, ``suffix``.

    ``degree``: the time grows with that power of the length of the text; None: exponentially.
    """

    prefix: str
    pump: str
    suffix: str
    degree: int | None = None

    @property
    def turns(self) -> int:
        """How many turns hurt."""
        if self.degree is None:
            return _TURNS
        steps = _SQUARE if self.degree == 2 else _CUBE
        root: float = (steps / len(self.pump)) ** (1 / min(self.degree, 3))
        return max(1, round(root))

    def text(self, turns: int | None = None) -> str:
        """The text with so many turns; with `turns` of them by default."""
        return self.prefix + self.pump * (self.turns if turns is None else turns) + self.suffix

    @property
    def growth(self) -> str:
        """How the time grows, in words."""
        if self.degree is None:
            return "exponentially with the length of a text"
        power = {2: "square", 3: "cube"}.get(self.degree, f"{self.degree}th power")
        return f"with the {power} of the length of a text"


def attack_on(tree: Tree, *, sticky: bool = False) -> Attack | None:
    """A text that makes the pattern slow; None if none was found (that is no proof).

    ``sticky``: a match can begin at the start of the text only (flag y).
    """
    try:
        graph = Graph(tree.root)
    except TooLarge:
        return None
    if not graph.can_match:
        return None
    trials = _Trials(assemble(tree), sticky)
    for attack in trials.of(_doubling(graph)):
        if _doubles(trials, attack):
            return attack
    grows: list[tuple[float, Attack]] = []
    for attack in trials.of(_branching(graph)):
        turns = [max(size // 4, size // len(attack.pump)) for size in _SIZES]
        factor = _growth(trials, attack, turns)
        if factor >= _FEW:
            grows.append((factor, attack))
        if factor >= _MUCH:
            break
    grows.sort(key=lambda one: -one[0])
    for _, attack in grows[:_MOST_CONFIRMED]:
        turn = max(8, round(_SURE / len(attack.pump) ** 0.5))
        factor = _growth(trials, attack, (turn, 2 * turn))
        if factor >= _SURELY:
            return replace(attack, degree=max(2, round(log2(factor))))
    return None


def _doubling(graph: Graph) -> Iterator[Attack]:
    for place, turn in graph.doubling_turns():
        yield from _attacks((graph.way_to(place),), turn, graph.after(place))


def _branching(graph: Graph) -> Iterator[Attack]:
    seen: set[Attack] = set()
    for p, q, turn in graph.branching_turns():
        after = graph.after(q)
        # A match that would begin with the text may be none behind something else.
        ways = (graph.way_to(p),) if p != SEARCH else ((), (after.complement(),))
        for attack in _attacks(ways, turn, after):
            if attack not in seen:
                seen.add(attack)
                yield attack


def _attacks(ways: Iterable[Word], turn: Word, after: CharSet) -> Iterator[Attack]:
    """The texts of these sets, with ends that do not go on."""
    ends = [char for char in _SUFFIXES if ord(char) not in after][:2]
    for way in ways:
        if not all(chars.ranges for chars in way):
            continue
        for liked in _PREFERRED:
            prefix, pump = _sample(way, liked), _sample(turn, liked)
            for end in (*ends, ""):
                yield Attack(prefix, pump, end)


def _sample(word: Iterable[CharSet], liked: str) -> str:
    return "".join(
        next((char for char in liked if ord(char) in chars), chr(chars.ranges[0][0]))
        for chars in word
    )


def _doubles(trials: _Trials, attack: Attack) -> bool:
    before: int | None = None
    for turns in _DOUBLING:
        steps = trials.steps(attack.text(turns))
        if steps is None:
            return True
        if before is not None and steps < 2 * before:
            return False
        before = steps
    return True


def _growth(trials: _Trials, attack: Attack, doubling: Iterable[int]) -> float:
    """By what the steps grow when the turns double; 1 if the steps are few."""
    before, factor = 0, 1.0
    for turns in doubling:
        steps = trials.steps(attack.text(turns))
        if steps is None:
            return max(factor, _MUCH)
        factor = steps / before if before and steps >= _ENOUGH else 1.0
        before = steps
    return factor


class _Counter(Clock):
    """Counts steps; raises MatchTimeout after very many."""

    def __init__(self) -> None:
        super().__init__(None)
        self.full = 0
        self._unit = self.left

    def check(self, height: int) -> None:
        super().check(height)
        self.full += self._unit
        if self.full > _CAP:
            raise MatchTimeout("enough")

    @property
    def steps(self) -> int:
        return self.full + self._unit - self.left


class _Trials:
    """Searches with one pattern that are counted, each and all together."""

    def __init__(self, program: Program, sticky: bool) -> None:
        self._program = program
        self._sticky = sticky
        self._left = _MOST_STEPS

    def of(self, attacks: Iterator[Attack]) -> Iterator[Attack]:
        """Those for which there are steps left."""
        for attack in islice(attacks, _MOST_TRIED):
            if self._left <= 0:
                return
            yield attack

    def steps(self, text: str) -> int | None:
        """Steps of a search for the first match; None for very many."""
        machine, counter = Machine(self._program, None), _Counter()
        try:
            for start in range(1 if self._sticky else len(text) + 1):
                if machine.match(text, start, counter) is not None:
                    break
        except MatchTimeout:
            return None
        finally:
            self._left -= counter.steps
        return counter.steps
