"""Timelines, aligned: both runs on one axis; zoom and pan move both."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.event_selection import selection_for
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.panes import Place
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.segmented import SegmentedControl
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas
from tripscope_gui.widgets.timeline.data import TimelineData
from tripscope_gui.widgets.timeline.scale import Scale


class StreamLanes(TimelineData):
    """The lanes of a finished run in which text was held, and the client's."""

    def catch_up(self) -> None:
        if self.lanes:
            return
        super().catch_up()
        held = [lane for lane in self.lanes if len(lane.lane.holds.starts)]
        client = [lane for lane in self.lanes if lane.kind == "client"]
        self.lanes[:] = [*(held or self.lanes[:-1]), *client]


class AlignedCanvas(TimelineCanvas):
    """A timeline that tells what it shows, so that another can show the same stretch."""

    scaled = Signal(object)
    """The `Scale` now in view."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._following = False

    def show_run(self, store: RunStore | None, run: int | None) -> None:
        """Only lanes that the stream went through, and the client: two runs share the height."""
        super().show_run(store, run)
        if store is not None:
            self.data = StreamLanes(store)
            self.fit()
            self._lay_out()

    def show_scale(self, scale: Scale) -> None:
        """Show that stretch of the axis, without telling."""
        self._following = True
        self._fitted = False
        self._take(scale)
        self._following = False

    def _take(self, scale: Scale) -> None:
        super()._take(scale)
        if not self._following:
            self.scaled.emit(self.scale)


class TimelinesPane(ComparePane):
    """Baseline above, the other run below."""

    TITLE: ClassVar[str] = "Timelines, aligned"
    PLACE: ClassVar[Place] = "top"
    ORDER: ClassVar[int] = 10

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        theme = context.theme
        self.axis = SegmentedControl([("time", "time"), ("sequence", "sequence")], "axis of both")
        self.axis.selected.connect(self._on_axis)
        self.canvases = (AlignedCanvas(theme), AlignedCanvas(theme))
        self._heads = (PlainLabel(weight=SEMIBOLD), PlainLabel(weight=SEMIBOLD))
        self._notes = (PlainLabel("", "t2", px=11), PlainLabel("", "t2", px=11))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for side, canvas in enumerate(self.canvases):
            line = QHBoxLayout()
            line.setContentsMargins(10, 2, 8, 0)
            line.setSpacing(8)
            line.addWidget(self._heads[side])
            line.addWidget(self._notes[side])
            line.addStretch(1)
            column.addLayout(line)
            column.addWidget(canvas, 1)
            other = self.canvases[1 - side]
            canvas.scaled.connect(other.show_scale)
            canvas.picked.connect(lambda selection, n=side: self._on_picked(n, selection))
        self.empty = EmptyState(theme, "Pick two runs above")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(page)
        comparison.moved.connect(self._mark)

    def head_widgets(self) -> list[QWidget]:
        return [self.axis]

    def show_comparison(self) -> None:
        runs = self.runs
        ready = runs is not None and all(run.complete for run in runs)
        self._stack.setCurrentIndex(1 if ready else 0)
        if not ready or runs is None:
            return
        longest = max(runs, key=lambda run: run.time)
        for side, (canvas, run) in enumerate(zip(self.canvases, runs, strict=True)):
            canvas.show_run(run.store, run.number)
            role = "baseline" if side == 0 else "against it"
            self._heads[side].setText(run.title)
            self._notes[side].setText(f"{role} \N{MIDDLE DOT} {run.kind}")
            canvas.setAccessibleName(f"timeline of {run.title}")
        self.canvases[runs.index(longest)].fit()
        self._mark()

    def _on_axis(self, kind: str) -> None:
        for canvas in self.canvases:
            canvas.set_kind("time" if kind == "time" else "sequence")
        self.show_comparison()

    def _on_picked(self, side: int, selection: Selection) -> None:
        """Mark the place in both; go to the differing pair that is next to it."""
        for canvas in self.canvases:
            canvas.mark(selection)
        found, runs = self.compared, self.runs
        if found is None or runs is None or selection.seq is None:
            return
        for place, pair in enumerate(found.diff.differing):
            event = pair[side]
            if event is not None and event.seq >= selection.seq:
                self.comparison.go(place)
                return

    def _mark(self) -> None:
        pair, runs = self.comparison.pair, self.runs
        if runs is None:
            return
        for side, canvas in enumerate(self.canvases):
            event = pair[side] if pair is not None else None
            run: Run = runs[side]
            if event is not None and run.complete:
                canvas.mark(selection_for(run.store, run.number, event))
            else:
                canvas.mark(Selection(run=run.number))
