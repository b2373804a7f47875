"""A linear engine for regular patterns, that can also be fed piece by piece.

It follows all paths of a pattern at once and keeps them in the order in which a backtracking engine
would try them, so its matches are the same. Sets of paths are states that are made when first met.
"""

from __future__ import annotations

from time import thread_time
from typing import Final

from tripscope.patterns import MatchTimeout
from tripscope.patterns.syntax import Tree
from tripscope.rules.program import EDGE, Check, Done, Fork, Kind, NotRegular, Program, Take, holds

END: Final = -1
"""The class that stands for the end of the text."""
_LOOK_AT_CLOCK: Final = 127
_MAX_STATES: Final = 20_000


class Move:
    """What one character does to a state.

    ``sources``: for each path of ``target`` the path of the state that it goes on from, or the
    number of those for a path that begins here. ``matched``: the path (likewise) that ends a match
    in front of the character; paths less preferred are gone.
    """

    __slots__ = ("matched", "same", "sources", "target")

    def __init__(self, target: State, sources: tuple[int, ...], matched: int | None) -> None:
        self.target = target
        self.sources = sources
        self.matched = matched
        self.same = sources == tuple(range(len(sources)))


class State:
    """Paths, best first, and the kind of the character before; ``open``: new paths may begin."""

    __slots__ = ("before", "moves", "open", "paths")

    def __init__(self, paths: tuple[int, ...], before: Kind, open: bool) -> None:
        self.paths = paths
        self.before = before
        self.open = open
        self.moves: dict[int, Move] = {}

    @property
    def over(self) -> bool:
        """Whether nothing can match any more."""
        return not self.paths and not self.open


class Automaton:
    """The states of one pattern; texts are read one Python character at a time."""

    def __init__(self, tree: Tree) -> None:
        """Make it; raises `NotRegular`."""
        self.program: Final = Program(tree)
        self._states: dict[tuple[tuple[int, ...], Kind, bool], State] = {}
        self._classes: dict[str, int] = {}

    def class_of(self, char: str) -> int:
        """The class of a character, remembered."""
        number = self._classes.get(char)
        if number is None:
            number = self._classes[char] = self.program.class_of(char)
        return number

    def searching(self, before: str = "") -> State:
        """The state in front of a text of which any place may begin a match."""
        kind = self.program.kinds[self.class_of(before)] if before else EDGE
        return self._state((), kind, True)

    def anchored(self) -> State:
        """The state of a match that begins here; for patterns without anchors."""
        return self._state((0,), EDGE, False)

    def spans(self, text: str, timeout: float, *, every: bool = True) -> list[tuple[int, int]]:
        """The matches as Python indexes; the first only unless ``every``.

        Raises:
            MatchTimeout: the seconds were not enough.
        """
        deadline = thread_time() + timeout
        found: list[tuple[int, int]] = []
        at = 0
        while at <= len(text):
            span = self.search(text, at, len(text), deadline)
            if span is None:
                break
            found.append(span)
            if not every:
                break
            at = span[1] if span[1] > span[0] else span[1] + 1
        return found

    def search(self, text: str, start: int, stop: int, deadline: float) -> tuple[int, int] | None:
        """The first match from ``start`` on, as far as the text up to ``stop`` tells.

        Raises:
            MatchTimeout: `thread_time` has passed the deadline.
        """
        state = self.searching(text[start - 1 : start] if start else "")
        starts: list[int] = []
        best: tuple[int, int] | None = None
        classes = self._classes
        for at in range(start, stop + 1):
            if at & _LOOK_AT_CLOCK == _LOOK_AT_CLOCK and thread_time() > deadline:
                raise MatchTimeout
            if at < stop:
                number = classes.get(text[at])
                if number is None:
                    number = self.class_of(text[at])
            else:
                number = END
            move = state.moves.get(number) or self.move(state, number)
            if move.matched is not None:
                best = ((*starts, at)[move.matched], at)
            state = move.target
            if not move.same or len(move.sources) != len(starts):
                all_starts = (*starts, at)
                starts = [all_starts[source] for source in move.sources]
            if state.over:
                return best
        return best

    def move(self, state: State, number: int) -> Move:
        """The move of ``state`` on a class (or `END`), made when first asked for."""
        after = EDGE if number == END else self.program.kinds[number]
        roots = [(path, place) for place, path in enumerate(state.paths)]
        if state.open:
            roots.append((0, len(state.paths)))
        takes, matched = self._reach(roots, state.before, after)
        paths: list[int] = []
        sources: list[int] = []
        for path, source in takes:
            instruction = self.program.code[path]
            if isinstance(instruction, Take) and number in self.program.members[instruction.chars]:
                # Two paths never lead to one place: each has a Take of its own before it.
                paths.append(path + 1)
                sources.append(source)
        target = self._state(tuple(paths), after, state.open and matched is None)
        made = state.moves[number] = Move(target, tuple(sources), matched)
        return made

    def _reach(
        self, roots: list[tuple[int, int]], before: Kind, after: Kind
    ) -> tuple[list[tuple[int, int]], int | None]:
        """The Takes that are reached without a character, best first, and what matched."""
        seen: set[int] = set()
        takes: list[tuple[int, int]] = []
        stack = roots[::-1]
        while stack:
            path, source = stack.pop()
            if path in seen:
                continue
            seen.add(path)
            instruction = self.program.code[path]
            if isinstance(instruction, Take):
                takes.append((path, source))
            elif isinstance(instruction, Fork):
                stack += [(target, source) for target in reversed(instruction.targets)]
            elif isinstance(instruction, Check):
                if holds(instruction.anchor, before, after):
                    stack.append((path + 1, source))
            elif isinstance(instruction, Done):
                return takes, source
        return takes, None

    def _state(self, paths: tuple[int, ...], before: Kind, open: bool) -> State:
        key = (paths, before, open)
        state = self._states.get(key)
        if state is None:
            if len(self._states) > _MAX_STATES:
                for old in self._states.values():
                    old.moves.clear()
                self._states.clear()
            state = self._states[key] = State(paths, before, open)
        return state


class Growth:
    """A match that begins at a known place, fed with the text from there on.

    ``end``: units from its beginning, as far as known; ``over``: more text cannot change it.
    """

    __slots__ = ("_automaton", "_fed", "_state", "end", "over")

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._state = automaton.anchored()
        self._fed = 0
        self.end = 0
        self.over = False

    def feed(self, text: str) -> None:
        """Go on with more text."""
        state = self._state
        classes = self._automaton._classes
        for char in text:
            number = classes.get(char)
            if number is None:
                number = self._automaton.class_of(char)
            move = state.moves.get(number) or self._automaton.move(state, number)
            if move.matched is not None:
                self.end = self._fed
            self._fed += 1
            state = move.target
            if state.over:
                self.over = True
                break
        self._state = state
        if not self.over:
            at_end = state.moves.get(END) or self._automaton.move(state, END)
            if at_end.matched is not None:
                self.end = self._fed


def automaton_of(tree: Tree) -> Automaton | None:
    """The automaton of a tree; None for a pattern that needs more."""
    try:
        return Automaton(tree)
    except NotRegular:
        return None
