"""Base of the compare panes: told when the comparison changes, and never while hidden."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from tripscope_gui.compare.comparison import Compared, Comparison
from tripscope_gui.context import PaneContext
from tripscope_gui.panes import Pane
from tripscope_gui.store.workspace import Run


class ComparePane(Pane):
    """A subclass overrides `show_comparison`, and `count` for its badge."""

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, parent)
        self.comparison = comparison
        self._outdated = True
        comparison.changed.connect(self.renew)
        comparison.filtered.connect(self.renew)

    @property
    def compared(self) -> Compared | None:
        """The result; None while there is none."""
        return self.comparison.compared

    @property
    def runs(self) -> tuple[Run, Run] | None:
        """Baseline and the run against it."""
        return self.comparison.runs

    def show_comparison(self) -> None:
        """Show the comparison as it is now."""

    def renew(self) -> None:
        """Bring everything up to date, at once or when the pane is seen."""
        self._outdated = True
        self.count()
        if self.isVisible():
            self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        if self._outdated:
            self._outdated = False
            self.show_comparison()
