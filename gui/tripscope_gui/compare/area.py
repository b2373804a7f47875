"""Compare as an arrangement of the window: its bar and its docks."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tripscope_gui.compare.bar import CompareBar
from tripscope_gui.compare.checks_pane import ChangedChecksPane
from tripscope_gui.compare.chunks_pane import ChunksSideBySidePane
from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.difference_pane import DifferencePane
from tripscope_gui.compare.edits_pane import EditsPane
from tripscope_gui.compare.findings_pane import ChangedFindingsPane
from tripscope_gui.compare.prompt_pane import PromptPane
from tripscope_gui.compare.text_pane import TextThatLeftPane
from tripscope_gui.compare.time_pane import TimePane
from tripscope_gui.compare.timelines_pane import TimelinesPane
from tripscope_gui.context import PaneContext
from tripscope_gui.dock_grid import DockGrid, Drawn

PANES = (
    TimelinesPane,
    TextThatLeftPane,
    ChunksSideBySidePane,
    PromptPane,
    EditsPane,
    ChangedFindingsPane,
    ChangedChecksPane,
    TimePane,
    DifferencePane,
)
_STATE: Final = "docks/compare"
_DRAWN: Final = Drawn(
    rows={1280: (254, 228, 162), 1600: (250, 296, 228), 1920: (276, 350, 254)},
    middle={1280: (800, 472), 1600: (1042, 546), 1920: (1250, 658)},
    bottom={1280: (790, 0, 482), 1600: (1010, 0, 578), 1920: (1210, 0, 698)},
)


class CompareArea(QWidget):
    """Made when two runs are compared for the first time; where docks were put is kept."""

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.bar = CompareBar(context, comparison)
        self.panes = [pane(context, comparison) for pane in PANES]
        self.grid = DockGrid(context.theme, self.panes, drawn=_DRAWN)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.grid, 1)
        self._settings = context.settings
        self._restored = False
        self.grid.arranged.connect(self._keep)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        state = self._settings.bytes(_STATE)
        # kept sizes fit a grid that has its own
        if state is not None and not self._restored:
            self.grid.restore(state)
        self._restored = True

    def reset(self) -> None:
        """Put all docks back, and forget where they were."""
        self._settings.set_bytes(_STATE, None)
        self.grid.reset()

    def _keep(self) -> None:
        self._settings.set_bytes(_STATE, self.grid.state())
