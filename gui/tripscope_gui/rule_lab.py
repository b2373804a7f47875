"""The rule lab: another arrangement of the window, for work on rules; nothing in it is sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import in_place
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.pane_grid import PaneGrid
from tripscope_gui.panes import LAB_PLACES, LabPlace, Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.store.rule_edits import processor_title
from tripscope_gui.tokens import Height, Space
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.elided_combo import ElidedCombo
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel

_STATE: Final = "docks/lab"
# Shares of width and height at 1600x1000.
_COLUMNS: Final[dict[LabPlace, int]] = {"lab-left": 470, "lab-top": 640, "lab-right": 474}
_MIDDLE: Final[dict[LabPlace, int]] = {"lab-top": 216, "lab-middle": 306, "lab-bottom": 312}
_RIGHT: Final[dict[LabPlace, int]] = {"lab-right": 340, "lab-low": 494}


class LabBar(QFrame):
    """What the lab is, the processor that is worked on, and what can be done with the chain."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setFixedHeight(Height.CHECKS)
        self._desk = desk_of(context)
        theme = context.theme
        self.processor = ElidedCombo()
        self.processor.setProperty("small", True)
        self.processor.setAccessibleName("processor")
        self.processor.setMinimumWidth(170)
        line = QHBoxLayout(self)
        line.setContentsMargins(Space.WIDE, 0, Space.WIDE, 1)
        line.setSpacing(Space.BASE)
        line.addWidget(PlainLabel("Rule lab", weight=SEMIBOLD))
        words = "rules run on the text below as you type; nothing is sent anywhere"
        line.addWidget(ElidedLabel(theme, words, tone="t2"), 1)
        line.addWidget(PlainLabel("processor", "t2"))
        line.addWidget(self.processor)
        line.addSpacing(Space.WIDE)
        self.buttons: dict[str, Button] = {}
        for command, text, icon in (
            ("rules.paste", "Paste Mastra snippet", Icon.CODE),
            ("rules.copy_typescript", "Copy as TypeScript", Icon.COPY),
            ("edit.undo", "Undo", Icon.UNDO),
            ("view.rule_lab", "Back to the run", Icon.ARROW_LEFT),
        ):
            button = self.buttons[command] = Button(theme, text, icon, small=True)
            button.clicked.connect(lambda _=False, c=command: context.actions.trigger(c))
            button.setEnabled(command in context.actions)
            line.addWidget(button)
        stack = context.session.undo_stack
        stack.canUndoChanged.connect(self.buttons["edit.undo"].setEnabled)
        self.buttons["edit.undo"].setEnabled(stack.canUndo())
        self.processor.activated.connect(self._on_processor)
        self._desk.rows_changed.connect(self._fill)
        self._desk.chosen.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        spec = self._desk.spec
        with QSignalBlocker(self.processor):
            self.processor.clear()
            for one in self._desk.specs:
                self.processor.addItem(in_place(processor_title(one)), one.id)
            self.processor.setCurrentIndex(self.processor.findData(spec.id) if spec else -1)
        self.processor.setEnabled(bool(self._desk.specs))

    def _on_processor(self, index: int) -> None:
        self._desk.choose(str(self.processor.itemData(index)))


class LabGrid(PaneGrid):
    """The docks of the lab."""

    def __init__(
        self, context: PaneContext, panes: Iterable[Pane], parent: QWidget | None = None
    ) -> None:
        super().__init__(context.theme, LAB_PLACES, "lab_grid", parent)
        self.panes = list(panes)
        for pane in sorted(self.panes, key=lambda pane: pane.ORDER):
            self.docks[pane.LAB or pane.PLACE].add_pane(pane)
        self._lay_out()

    def _lay_out(self) -> None:
        docks, area = self.docks, Qt.DockWidgetArea.TopDockWidgetArea
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.addDockWidget(area, docks["lab-left"])
        self.splitDockWidget(docks["lab-left"], docks["lab-top"], across)
        self.splitDockWidget(docks["lab-top"], docks["lab-right"], across)
        self.splitDockWidget(docks["lab-top"], docks["lab-middle"], down)
        self.splitDockWidget(docks["lab-middle"], docks["lab-bottom"], down)
        self.splitDockWidget(docks["lab-right"], docks["lab-low"], down)
        for dock in docks.values():
            dock.setVisible(bool(dock.panes))
            dock.show_page(0)

    def proportion(self, size: QSize | None = None) -> None:
        """Give the docks their shares of ``size`` (the grid's own)."""
        size = size or self.size()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        for shares, total, way in (
            (_COLUMNS, size.width(), across),
            (_MIDDLE, size.height(), down),
            (_RIGHT, size.height(), down),
        ):
            whole = sum(shares.values())
            docks = [self.docks[place] for place in shares]
            self.resizeDocks(docks, [total * s // whole for s in shares.values()], way)

    def reset(self) -> None:
        """Put every pane and dock back to where it belongs."""
        self._put_back((pane, pane.LAB or pane.PLACE) for pane in self.panes)
        self._lay_out()
        self.proportion()


class RuleLab(QWidget):
    """Bar and docks; where a person put them is kept."""

    def __init__(
        self, context: PaneContext, kinds: Iterable[type[Pane]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        panes = [kind(context) for kind in kinds if kind.LAB or kind.PLACE in LAB_PLACES]
        for pane in panes:
            pane.settle_in_lab()
        self.bar = LabBar(context)
        self.grid = LabGrid(context, panes)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.grid, 1)
        state = context.settings.bytes(_STATE)
        if state is not None:
            self.grid.restore(state)
        self.grid.arranged.connect(self._keep)

    def reset(self) -> None:
        """Put all docks back, and forget where they were."""
        self._context.settings.set_bytes(_STATE, None)
        self.grid.reset()

    def _keep(self) -> None:
        self._context.settings.set_bytes(_STATE, self.grid.state())
