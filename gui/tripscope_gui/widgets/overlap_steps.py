"""Going from one overlap of rules to the next."""

from __future__ import annotations

from collections.abc import Sequence

from tripscope.trace.text_run import TextRun
from tripscope_gui.context import UNITS, Unit
from tripscope_gui.store.overlaps import Line, Overlap, Overlaps
from tripscope_gui.store.passages import Passage
from tripscope_gui.widgets.caret_bar import in_units


class OverlapSteps:
    """The overlaps of a text, one of which is told of."""

    def __init__(self) -> None:
        self.number = 0
        self._overlaps: Overlaps | None = None
        self._run = TextRun()
        self._told: tuple[Overlap | None, Unit, Sequence[Line]] = (None, UNITS[0], ())

    def take(self, passage: Passage | None) -> None:
        """Find those of a text; one that goes on growing may be taken again and again."""
        if passage is None:
            self._overlaps = None
        else:
            if self._overlaps is None or not self._overlaps.spans.same(passage.spans):
                self._overlaps = Overlaps(passage.spans)
                self._told = (None, UNITS[0], ())
            self._run = passage.run
            self._overlaps.update()
        self.number = min(self.number, max(0, len(self.all) - 1))

    @property
    def all(self) -> Sequence[Overlap]:
        """All of them, in order."""
        return self._overlaps.all if self._overlaps is not None else ()

    @property
    def current(self) -> Overlap | None:
        """The one that is told of."""
        return self.all[self.number] if self.all else None

    def lines(self, unit: Unit) -> Sequence[Line]:
        """What is told of the current one, with spans in ``unit``."""
        overlap = self.current
        # offsets in other units take the whole text to count, and stay as they are
        if overlap is not None and self._told[:2] != (overlap, unit):
            text, place = self._run.text, UNITS.index(unit)
            self._told = overlap, unit, overlap.lines(lambda at: in_units(text, at)[place])
        return self._told[2]

    def go_on(self) -> Overlap | None:
        """The next one, in a circle."""
        if self.all:
            self.number = (self.number + 1) % len(self.all)
        return self.current
