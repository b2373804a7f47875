"""Going from one overlap of rules to the next."""

from __future__ import annotations

from collections.abc import Sequence

from tripscope_gui.context import UNITS, Unit
from tripscope_gui.store.overlaps import Overlap, overlaps
from tripscope_gui.store.passages import Passage
from tripscope_gui.widgets.caret_bar import in_units


class OverlapSteps:
    """The overlaps of a text, one of which is told of."""

    def __init__(self) -> None:
        self.all: Sequence[Overlap] = ()
        self.number = 0

    def take(self, passage: Passage | None, unit: Unit) -> None:
        """Find those of a text; spans are told in ``unit``."""
        self.all = ()
        if passage is not None:
            text, place = passage.text, UNITS.index(unit)
            self.all = overlaps(passage.spans, lambda at: in_units(text, at)[place])
        self.number = min(self.number, max(0, len(self.all) - 1))

    @property
    def current(self) -> Overlap | None:
        """The one that is told of."""
        return self.all[self.number] if self.all else None

    def go_on(self) -> Overlap | None:
        """The next one, in a circle."""
        if self.all:
            self.number = (self.number + 1) % len(self.all)
        return self.current
