"""What stands under the run bar once there is something to look at: bars and docks.

It is made when it is first needed: the start page is on screen before the panes are imported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from tripscope.trace.checks import Check
from tripscope_gui import window_state
from tripscope_gui.actions import Command
from tripscope_gui.arrival import selection_at_end
from tripscope_gui.bars.block_bar import BlockBar
from tripscope_gui.bars.breadcrumb_bar import BreadcrumbBar
from tripscope_gui.bars.checks_strip import ChecksStrip
from tripscope_gui.bars.status_bar import StatusBar
from tripscope_gui.collector import resting
from tripscope_gui.commands import register_panes
from tripscope_gui.context import PaneContext
from tripscope_gui.dock_grid import LOW, NARROW, DockGrid
from tripscope_gui.panes import FRONT, PLACES, Pane, discover, front, load, names
from tripscope_gui.selection import Selection
from tripscope_gui.store.workspace import Run
from tripscope_gui.widgets.focus import focus_within, focused_in

if TYPE_CHECKING:
    from tripscope_gui.bars.change_strip import ChangeStrip
    from tripscope_gui.compare.area import CompareArea
    from tripscope_gui.compare.comparison import Comparison
    from tripscope_gui.rule_lab import RuleLab

_CHANGES_AT: Final = 1
"""Under the checks."""
_FRONT_MS: Final = 16
"""Between two panes that are made while there is something to show: a frame for it."""
_BEHIND_MS: Final = 200
"""How long after what is in front the panes behind it are made."""
_FREE_SECONDS: Final = 0.003
"""A turn of the loop that takes longer shows that a run leaves no time for panes behind others."""
_OF_BLOCKED: Final = ("Hooks", "Tripwire")
_NO_LIMIT: Final = 16_777_215
"""Qt's own greatest height."""


class WorkArea(QWidget):
    """Checks, what an edit changed, breadcrumb, block band, docks."""

    arranged = Signal()
    """Another arrangement is in view."""
    completed = Signal()
    """The panes behind others are made, and with them their commands."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._low = False
        self._turned: dict[str, str] = {}
        """Title of what a pane of `_OF_BLOCKED` was brought to the front of, by its own."""
        self._following = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.checks = ChecksStrip(context, self)
        self.crumbs = BreadcrumbBar(context, self)
        self.block_bar = BlockBar(context, self)
        for bar in (self.checks, self.crumbs, self.block_bar):
            self._column.addWidget(bar)
        self._arrangements = QStackedWidget(self)
        self._column.addWidget(self._arrangements, 1)
        self._front = front()
        self._unread = [name for name in names() if name not in FRONT]
        self.grid = DockGrid(
            context.theme,
            [next(self._front)(context)],
            self._arrangements,
            later=self._later(),
        )
        self._arrangements.addWidget(self.grid)
        self._compare: CompareArea | None = None
        self._lab: RuleLab | None = None
        self._register()
        context.pane_requested.connect(self._show_pane)
        context.runs.finished.connect(self._on_finished)
        context.session.opened.connect(lambda: self._turn_pages(None))
        self.grid.arranged.connect(self._keep_docks)
        window_state.restore_docks(context.settings, self.grid)
        self._rest = QTimer(self)
        self._rest.timeout.connect(self._make_next)
        self._rest.start(_FRONT_MS)
        for signal in (context.session.opened, context.store_changed, context.runs.finished):
            signal.connect(self._wait)
        context.events_appended.connect(self._on_events)

    def _later(self) -> Iterator[Callable[[], Pane]]:
        """What makes the panes after the first one; with those behind, all panes get commands."""
        context = self._context
        for kind in self._front:
            yield partial(kind, context)
        kinds = discover()
        register_panes(context.actions, context, [kind.TITLE for kind in kinds], self._go_to)
        in_front = set(front())
        for kind in kinds:
            if kind.PLACE in PLACES and kind not in in_front:
                yield partial(kind, context)

    def _wait(self, *_: object) -> None:
        """What is in front has something new to show."""
        if self._rest.isActive():
            self._rest.start(_FRONT_MS if self.grid.waiting else _BEHIND_MS)

    def _on_events(self, *_: int) -> None:
        """The panes in front follow once the first one has shown what a run began with."""
        if self.grid.waiting and not self._following:
            self._following = True
            # after its turn, and after what it asked Qt to paint then
            self._context.turns.ask(lambda: QTimer.singleShot(_FRONT_MS, self, self._make_front))

    def _make_front(self) -> None:
        if self.grid.waiting:
            self.grid.make_next()
            QTimer.singleShot(_FRONT_MS, self, self._make_front)

    def _make_next(self) -> None:
        """Load and make the panes one by one: nothing on screen stands still."""
        runs = self._context.runs
        if self.grid.waiting:
            if not runs.running:
                self.grid.make_next()
                self._wait()
            return
        # beside a thread that computes, Qt's many calls wait for the interpreter's lock
        if runs.starting or resting():
            self._rest.setInterval(_BEHIND_MS)
            return
        self._rest.setInterval(_FRONT_MS if runs.running else 0)
        if runs.running:
            asked = time.monotonic()
            QTimer.singleShot(0, self, lambda: self._make_if_free(asked))
        else:
            self._make()

    def _make_if_free(self, asked: float) -> None:
        if self._rest.isActive() and time.monotonic() - asked < _FREE_SECONDS:
            self._make()

    def _make(self) -> None:
        if self._unread:
            load(self._unread.pop())
        elif not self.grid.make_next():
            self._rest.stop()
            _ = self.changes  # else the end of a replay would wait for it
            self.completed.emit()

    def fold(self, window: QSize, status: StatusBar) -> None:
        """Fit a window of that size."""
        narrow = window.width() < NARROW
        if narrow != self.grid.narrow:
            self.grid.set_narrow(narrow)
            window_state.restore_docks(self._context.settings, self.grid)
        low = window.height() < LOW
        if low == self._low:
            return
        self._low = low
        self.block_bar.band.set_low(low)
        if low:
            self._column.removeWidget(self.crumbs)
            status.take_crumbs(self.crumbs)
        else:
            status.give_crumbs()
            self._column.insertWidget(self._column.indexOf(self.block_bar), self.crumbs)
            self.crumbs.setVisible(self._shown() is self.grid)
        self.crumbs.set_framed(not low)

    @cached_property
    def comparison(self) -> Comparison:
        """The two runs that are compared; made when there is first something to compare."""
        from tripscope_gui.compare.comparison import Comparison

        return Comparison(self._context)

    @cached_property
    def changes(self) -> ChangeStrip:
        """What an edit changed; made at the first call, hidden until two runs are compared."""
        from tripscope_gui.bars.change_strip import ChangeStrip

        strip = ChangeStrip(self._context, self.comparison, self)
        self._column.insertWidget(_CHANGES_AT, strip)
        return strip

    @property
    def comparing(self) -> bool:
        """Whether Compare is the arrangement in view."""
        return self._compare is not None and self._shown() is self._compare

    @property
    def in_lab(self) -> bool:
        """Whether the rule lab is the arrangement in view."""
        return self._lab is not None and self._shown() is self._lab

    def _shown(self) -> QWidget | None:
        return self._arrangements.currentWidget()

    @property
    def rule_lab(self) -> RuleLab:
        """The rule lab; made at the first call."""
        if self._lab is None:
            from tripscope_gui.rule_lab import RuleLab

            self._lab = RuleLab(self._context, discover())
            self._arrangements.addWidget(self._lab)
        return self._lab

    def toggle_lab(self) -> None:
        """Work on rules in the rule lab, or go back to the run."""
        focused, new = focused_in(self.window()), self._lab is None
        self._arrange(self.grid if self.in_lab else self.rule_lab)
        if new and (focused is None or self.isAncestorOf(focused)):
            # later Qt gives it back to what had it there
            self._go_to("Rules")

    def _arrange(self, arrangement: QWidget) -> None:
        if self._compare is not None:
            self.changes.kept = arrangement is self._compare
        focused, before = focused_in(self.window()), focused_in(arrangement)
        self._arrangements.setCurrentWidget(arrangement)
        if before is None and focused is not None and self.isAncestorOf(focused):
            # else Qt gives the keyboard to whatever was made after the one that had it
            self.setFocus()
        main = arrangement is self.grid
        for bar in (self.checks, self.crumbs):
            bar.setVisible(main)
        self.block_bar.setMaximumHeight(_NO_LIMIT if main else 0)
        self._context.actions.refresh()
        self.arranged.emit()

    @property
    def compare_area(self) -> CompareArea:
        """Compare; made at the first call."""
        if self._compare is None:
            from tripscope_gui.compare.area import CompareArea

            self._compare = CompareArea(self._context, self.comparison)
            self._arrangements.addWidget(self._compare)
        return self._compare

    def toggle_compare(self) -> None:
        """Show the run that is looked at against another one, or go back to it alone."""
        area: QWidget = self.grid
        if not self.comparing:
            area = self.compare_area
            pair = self._pair()
            if pair != self.comparison.runs or self.comparison.compared is None:
                self.comparison.set_pair(*pair)
            else:
                self.comparison.changed.emit()
        self._arrange(area)

    def _pair(self) -> tuple[Run | None, Run | None]:
        """What a person means by "compare" now."""
        workspace, current = self._context.workspace, self._context.run
        runs = self.comparison.runs
        if current is None or (runs is not None and current in runs):
            return runs or (None, None)
        before = workspace.baseline if workspace.baseline is not current else None
        before = before or workspace.by_number(current.parent)
        others = [run for run in workspace if run is not current]
        return before or (others[-1] if others else None), current

    def _register(self) -> None:
        context = self._context
        context.actions.add(
            Command(
                "run.compare",
                "Compare runs",
                "Run",
                self.toggle_compare,
                ("Ctrl+D",),
                enabled=lambda: self.comparing or len(context.workspace.runs) > 1,
                checked=lambda: self.comparing,
                group=1,
                hint="Set this run against the baseline, or the run that it replays",
            )
        )
        context.actions.add(
            Command(
                "view.rule_lab",
                "Rule lab",
                "View",
                self.toggle_lab,
                ("Ctrl+L",),
                enabled=lambda: self.in_lab or context.session.session is not None,
                checked=lambda: self.in_lab,
                hint="Work on rules: pattern, preview, matches, tests, side by side",
            )
        )

    def _show_pane(self, title: str) -> None:
        if self.comparing and self.compare_area.grid.show_pane(title):
            return
        if self.in_lab and self.rule_lab.grid.show_pane(title):
            return
        if self.grid.pane(title) is None:
            self._arrange(self.rule_lab)
            self.rule_lab.grid.show_pane(title)
            return
        if self._shown() is not self.grid:
            self._arrange(self.grid)
        self.grid.show_pane(title)

    def _go_to(self, title: str) -> None:
        """Bring a pane to the front and give it the keyboard."""
        focused = focused_in(self.window())
        self._context.show_pane(title)
        for widget in self.findChildren(QWidget):
            if isinstance(widget, Pane) and title == widget.TITLE and widget.isVisible():
                focus_within(widget, focused)

    def reset_docks(self) -> None:
        """Put all docks back, and forget where they were."""
        self.grid.reset()
        window_state.forget_docks(self._context.settings)
        if self._lab is not None:
            self._lab.reset()
        if self._compare is not None:
            self._compare.reset()

    def _keep_docks(self) -> None:
        window_state.keep_docks(self._context.settings, self.grid)

    def _turn_pages(self, run: Run | None) -> None:
        """A run that was blocked before the model has no chunks: its hooks tell more.

        What stood in their place comes back with the next run, or session, that is another.
        """
        grid = self.grid
        early = run is not None and run.store.status == "blocked" and not len(run.store.rows)
        if early and not self._turned:
            before = {dock: dock.pane for dock in grid.docks.values()}
            for title in _OF_BLOCKED:
                grid.show_pane(title)
                dock = grid.dock_of(title)
                stood = before[dock] if dock is not None else None
                if stood is not None and title != stood.TITLE:
                    self._turned[title] = stood.TITLE
        elif not early:
            for title, stood_there in self._turned.items():
                dock = grid.dock_of(title)
                if dock is not None and dock.pane is not None and title == dock.pane.TITLE:
                    grid.show_pane(stood_there)
            self._turned.clear()

    def _on_finished(self, run: Run) -> None:
        if len(self._context.workspace.runs) > 1:
            self.changes.show_run(run)
        if run is self._context.run:
            self._turn_pages(run)
        selection = self._context.selection
        if run is not self._context.run or selection.current != Selection(run=run.number):
            return
        found = selection_at_end(self._context, run, self.checks.results)
        if isinstance(found, Check):
            self.checks.follow(found.name)
        elif found is not None:
            selection.set(found, remember=False)
