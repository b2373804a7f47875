"""What rules matched in one text, by place in what their processor was given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from tripscope.trace.events import FindingMade
from tripscope.trace.leaks import Leak
from tripscope_gui.store.placed import GrowingIndex

Match: TypeAlias = FindingMade | Leak
"""A `Leak` is a match that only the whole text shows."""


class BlockMatches:
    """Matches of a text that may still grow, each put in its place once."""

    def __init__(self, matches: Iterable[Match] = ()) -> None:
        self.arrived: list[Match] = []
        """In the order in which they were found."""
        self._indexes: dict[tuple[str | None, bool], GrowingIndex[Match]] = {}
        for match in matches:
            self.add(match)

    def add(self, match: Match) -> None:
        """Take a match."""
        self.arrived.append(match)
        self.of(match.processor).add(match)
        if isinstance(match, FindingMade) and match.outcome == "flagged":
            self.of(match.processor, flagged=True).add(match)

    def of(self, processor: str | None, *, flagged: bool = False) -> GrowingIndex[Match]:
        """Those of a processor, or only those of which it did no more than tell."""
        return self._indexes.setdefault((processor, flagged), GrowingIndex())
