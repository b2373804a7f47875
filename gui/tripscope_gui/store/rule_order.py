"""Which of the eight rule looks a rule has: the one chosen in the session, or the next free one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tripscope.session.model import Session

LOOKS: Final = 8


class RuleOrder:
    """Numbers rule names from 0, those of the chain first, then as findings bring new ones.

    A number goes round after `LOOKS`. A rule keeps its number for the run, so every pane draws it
    alike; only `choose` gives out other ones.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        self._chosen: dict[str, int] = {}
        self._taken: set[int] = set()
        self._next = 0
        for name in names:
            self.number(name)

    def number(self, rule: str) -> int:
        """The rule's number; a new rule gets the next one that no rule was given by choice."""
        known = self._numbers.get(rule)
        if known is not None:
            return known
        chosen = self._chosen.get(rule)
        if chosen is None:
            while self._next % LOOKS in self._taken and len(self._taken) < LOOKS:
                self._next += 1
            chosen = self._next
            self._next += 1
        self._numbers[rule] = chosen
        return chosen

    def choose(self, looks: Mapping[str, int]) -> bool:
        """Give rules the looks that a person chose; whether any rule looks different now."""
        if looks == self._chosen:
            return False
        before = self._numbers
        self._chosen = dict(looks)
        self._taken = set(looks.values())
        self._numbers = {}
        self._next = 0
        for name in before:
            self.number(name)
        return before != self._numbers

    @property
    def names(self) -> tuple[str, ...]:
        """All rules known, in order of first mention."""
        return tuple(self._numbers)


def chosen_looks(session: Session | None) -> dict[str, int]:
    """Looks that the rules of a session carry, by rule name; the first of a name counts."""
    looks: dict[str, int] = {}
    for spec in session.chain if session is not None else ():
        for rule in spec.rules:
            if rule.colour is not None:
                looks.setdefault(rule.name, rule.colour)
    return looks
