"""Timeline: a lane for the model, each processor, the tools and the client, by time or sequence."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtWidgets import QStackedLayout, QWidget

from tripscope_gui.context import PaneContext
from tripscope_gui.leak_watch import LeakWatch
from tripscope_gui.panes import Pane
from tripscope_gui.selection import Selection
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.throttle import Throttle
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.keycap import KeyCap
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.segmented import SegmentedControl
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas
from tripscope_gui.widgets.timeline.legend import TimelineLegend

LIVE_MS: Final = 48
"""Least time between two pictures of a growing run."""


class TimelinePane(Pane):
    """What ran when, what was held how long, what was retried, where the run ended."""

    TITLE = "Timeline"
    PLACE = "top"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._growth = Throttle(lambda: self.canvas.grow(), LIVE_MS, self)
        self._leaks = LeakWatch(self)
        self._leaks.known.connect(self._on_leaks)
        self.canvas = TimelineCanvas(theme)
        self.canvas.picked.connect(self._on_picked)
        self.canvas.stretch_chosen.connect(self._on_stretch)
        self.setFocusProxy(self.canvas)
        stack = QStackedLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.addWidget(self.canvas)
        self._frozen = PlainLabel("", "t2", px=11)
        self._legend = TimelineLegend(theme)
        self.axis = SegmentedControl([("time", "time"), ("sequence", "sequence")], "axis")
        self.axis.selected.connect(self._on_axis)
        self.fit = Button(theme, "Fit", kind=Kind.QUIET, small=True)
        self.fit.setToolTip("Show the whole run (F); W and S zoom, A and D move")
        self.fit.clicked.connect(self.canvas.fit)
        self._key = KeyCap(theme, "F", boxed=False)
        context.runs.state_changed.connect(self._on_state)
        context.stretch_changed.connect(self._on_stretch_changed)

    def head_widgets(self) -> list[QWidget]:
        return [self._frozen, self._legend, self.axis, self.fit, self._key]

    def reset(self) -> None:
        run = self.context.run
        self.canvas.show_run(self.store, run.number if run is not None else None)
        self.canvas.mark(self.context.selection.current)
        self._growth.cancel()
        self._leaks.watch(self.store)
        self._on_state()

    def grow(self, first: int, end: int) -> None:
        if self.context.turns.on or (self.store is not None and self.store.over):
            # a turn comes when there is time for it
            self._growth.cancel()
            self.canvas.grow()
        else:
            self._growth.ask()
        self._leaks.check()

    def follow(self) -> None:
        self.canvas.mark(self.context.selection.current)

    def _on_leaks(self, leaks: Leaks) -> None:
        if self.canvas.data is not None:
            self.canvas.data.set_early(leaks)
            self.canvas.viewport().update()

    def _on_picked(self, selection: Selection) -> None:
        self.context.selection.set(selection)

    def _on_axis(self, kind: str) -> None:
        self.canvas.set_kind("time" if kind == "time" else "sequence")
        self.context.set_stretch(None)

    def _on_state(self) -> None:
        runs, store = self.context.runs, self.store
        frozen = runs.frozen and runs.active is self.context.run and store is not None
        chunk = len(store.rows) if store is not None else 0
        self._frozen.setText(f"frozen at chunk {chunk}" if frozen else "")

    def _on_stretch(self, stretch: tuple[float, float] | None) -> None:
        store = self.store
        if store is None or stretch is None:
            self.context.set_stretch(None)
            return
        low, high = stretch
        if self.canvas.kind == "time":
            first = store.events.first_since(math.ceil(low))
            last = store.events.first_since(math.floor(high) + 1) - 1
        else:
            first, last = max(0, round(low)), round(high)
        last = min(last, len(store.events) - 1)
        if first > last:
            self.context.set_stretch(None)
            return
        self.context.set_stretch((store.events[first].seq, store.events[last].seq))

    def _on_stretch_changed(self) -> None:
        if self.context.stretch is None and self.canvas.stretch is not None:
            self.canvas.stretch = None
            self.canvas.viewport().update()
