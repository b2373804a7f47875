"""Which of the eight rule looks a rule has: its place in order of first mention."""

from __future__ import annotations

from collections.abc import Iterable


class RuleOrder:
    """Numbers rule names from 0, those of the chain first, then as findings bring new ones.

    A rule keeps its number for the run, so every pane draws it alike.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        for name in names:
            self.number(name)

    def number(self, rule: str) -> int:
        """The rule's number; a new rule gets the next one."""
        return self._numbers.setdefault(rule, len(self._numbers))

    @property
    def names(self) -> tuple[str, ...]:
        """All rules known, by number."""
        return tuple(self._numbers)
