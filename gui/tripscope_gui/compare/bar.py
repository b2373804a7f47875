"""The bar over Compare: baseline, the run against it, swap, what is left out."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QHBoxLayout, QWidget

from tripscope.wording import many
from tripscope_gui.bars.fields import vertical_rule
from tripscope_gui.bars.unit_switch import unit_switch
from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import in_place
from tripscope_gui.icons import Icon
from tripscope_gui.store.workspace import Run
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.buttons import Button, IconButton, Kind
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel


class CompareBar(QFrame):
    """Picking a run compares at once; nothing is run by that."""

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setFixedHeight(Height.CHECKS)
        self.setAccessibleName("runs that are compared")
        self._context, self._comparison = context, comparison
        theme = context.theme
        self.pin = IconButton(theme, Icon.PIN, "Pin this run as the baseline of later runs")
        self.pin.setCheckable(True)
        self.before = _combo("baseline")
        self.after = _combo("against")
        self.swap = Button(theme, "swap", Icon.SWAP, kind=Kind.QUIET, small=True)
        self.different = QCheckBox("show different only")
        self.different.setChecked(comparison.different_only)
        self.words = ElidedLabel(theme, tone="t2")
        self.close_button = Button(theme, "Close", Icon.CROSS, kind=Kind.QUIET, small=True)
        self.close_button.setToolTip("Back to one run")
        self.units = unit_switch(context)
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 0, 12, 1)
        line.setSpacing(8)
        line.addWidget(self.pin)
        line.addWidget(PlainLabel("baseline", "t2"))
        line.addWidget(self.before)
        line.addWidget(PlainLabel("against", "t2"))
        line.addWidget(self.after)
        line.addWidget(self.swap)
        line.addWidget(vertical_rule())
        line.addWidget(self.different)
        line.addWidget(self.words, 1)
        line.addWidget(PlainLabel("spans in", "t3"))
        line.addWidget(self.units)
        line.addWidget(self.close_button)
        self.pin.clicked.connect(self._on_pin)
        self.before.activated.connect(self._on_picked)
        self.after.activated.connect(self._on_picked)
        self.swap.clicked.connect(comparison.swap)
        self.different.toggled.connect(comparison.set_different_only)
        self.close_button.clicked.connect(lambda: context.actions.trigger("run.compare"))
        comparison.changed.connect(self.refresh)
        comparison.progressed.connect(lambda: self.words.set_text(self._summary()))
        context.runs_changed.connect(self.refresh)
        self.refresh()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, Height.CHECKS)

    def refresh(self) -> None:
        """Show the pair and the runs to choose from."""
        comparison = self._comparison
        for combo, run in ((self.before, comparison.before), (self.after, comparison.after)):
            combo.clear()
            for other in self._context.workspace:
                combo.addItem(in_place(_words(other)), other.number)
            combo.setCurrentIndex(combo.findData(run.number) if run is not None else -1)
        baseline = self._context.workspace.baseline
        self.pin.setChecked(comparison.before is not None and comparison.before is baseline)
        self.pin.setEnabled(comparison.before is not None)
        self.swap.setEnabled(comparison.runs is not None)
        self.words.set_text(self._summary())

    def _summary(self) -> str:
        runs, found = self._comparison.runs, self._comparison.compared
        if runs is None:
            return "one run is not enough; replay it, or pick two"
        if found is None:
            return f"comparing {self._comparison.percent} %"
        events = max(len(run.store.events) for run in runs)
        same = runs[1].parent == runs[0].number or (
            runs[0].parent is not None and runs[0].parent in (runs[1].number, runs[1].parent)
        )
        chunks = many(runs[1].chunks, "chunk")
        of = ", of the same recording" if same else ""
        return f"{found.diff.differ:,} of {many(events, 'event')} differ; {chunks}{of}"

    def _on_picked(self, _index: int) -> None:
        workspace = self._context.workspace
        self._comparison.set_pair(
            workspace.by_number(self.before.currentData()),
            workspace.by_number(self.after.currentData()),
        )

    def _on_pin(self) -> None:
        before = self._comparison.before
        pinned = before is self._context.workspace.baseline
        self._context.set_baseline(None if pinned else before)


def _combo(name: str) -> QComboBox:
    combo = QComboBox()
    combo.setProperty("small", True)
    combo.setAccessibleName(name)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    combo.setMaximumWidth(240)
    combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return combo


def _words(run: Run) -> str:
    return ", ".join(part for part in (f"{run.title}  {run.kind}", run.clock) if part)
