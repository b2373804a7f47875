"""Runs: all runs of the window, replays beside the run that they replay."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QMenu, QStackedLayout, QWidget

from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel
from tripscope_gui.panes import Pane
from tripscope_gui.store.statuses import OUTCOME_OF_STATUS, status_words
from tripscope_gui.store.workspace import Run, Workspace
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.tables import TableView

_ON_ANOTHER: Final = {
    "run.compare": "Compare",
    "run.forget": "Forget this run",
}
"""Commands that the menu of a run offers, where there are such."""


def in_families(workspace: Workspace) -> list[Run]:
    """Runs in the order of their numbers, each followed by its replays."""
    children: dict[int | None, list[Run]] = {}
    numbers = {run.number for run in workspace}
    for run in workspace:
        parent = run.parent if run.parent in numbers else None
        children.setdefault(parent, []).append(run)
    found: list[Run] = []
    stack = list(reversed(children.get(None, [])))
    while stack:
        run = stack.pop()
        found.append(run)
        stack.extend(reversed(children.get(run.number, [])))
    return found


class RunsPane(Pane):
    """Picking a run looks at it; nothing is run by that."""

    TITLE = "Runs"
    PLACE = "bottom-left"
    ORDER = 30

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._following = False
        self.model: ListModel[Run] = ListModel(self._columns(), (), self)
        self.table = TableView(theme, "runs")
        self.table.setModel(self.model)
        self.table.set_column_widths([column.width for column in self.model.columns], 3)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.empty = EmptyState(theme, "No run yet", "Run or replay; each run is kept here.")
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self.pin = Button(theme, "pin as baseline", Icon.PIN, kind=Kind.QUIET, small=True)
        self.pin.setToolTip("Other runs are compared to the baseline")
        self.pin.clicked.connect(self._on_pin)
        context.runs_changed.connect(self._on_runs_changed)
        self.count()

    def head_widgets(self) -> list[QWidget]:
        return [self.pin]

    def reset(self) -> None:
        self._refresh()

    def grow(self, first: int, end: int) -> None:
        place = self._place()
        if place is not None:
            self.model.touch(place)

    def count(self) -> None:
        runs = len(self.context.workspace.runs)
        self.set_badge(str(runs) if runs else "")

    def _columns(self) -> list[Column[Run]]:
        workspace = self.context.workspace
        return [
            Column(
                "run",
                lambda run: f"{_indent(run)}{run.title}",
                90,
                roles={
                    CellRole.WEIGHT: lambda run: 600 if run is workspace.current else 400,
                    CellRole.ICON: lambda run: "pin" if run is workspace.baseline else None,
                },
            ),
            Column(
                "status",
                lambda run: status_words(run.status),
                168,
                roles={
                    CellRole.OUTCOME: lambda run: OUTCOME_OF_STATUS.get(run.status),
                    CellRole.TONE: lambda run: OUTCOME_OF_STATUS.get(run.status, "t2"),
                },
            ),
            Column("kind", lambda run: run.kind, 92),
            Column(
                "model",
                lambda run: run.model,
                110,
                mono=True,
            ),
            Column("chunks", lambda run: f"{run.chunks:,}", 60, number=True),
            Column("time", _time, 76, number=True),
            Column("at", lambda run: run.clock, 84, number=True),
        ]

    def _on_runs_changed(self) -> None:
        self.count()
        if self.isVisible():
            self._refresh()
        else:
            self._stale = True

    def _refresh(self) -> None:
        self.model.reset(in_families(self.context.workspace))
        self._stack.setCurrentIndex(1 if self.context.workspace.runs else 0)
        place = self._place()
        self._following = True
        if place is not None:
            self.table.selectRow(place)
        self._following = False
        current = self.context.run
        self.pin.setEnabled(current is not None)
        pinned = current is not None and current is self.context.workspace.baseline
        self.pin.setText("unpin baseline" if pinned else "pin as baseline")

    def _place(self) -> int | None:
        current = self.context.run
        rows = [self.model.row(number) for number in range(self.model.rowCount())]
        return rows.index(current) if current in rows else None

    def _on_current(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        run = index.data(ROW_ROLE) if index.isValid() else None
        if not self._following and isinstance(run, Run):
            self.context.look_at(run)

    def _on_pin(self) -> None:
        current = self.context.run
        pinned = current is self.context.workspace.baseline
        self.context.set_baseline(None if pinned else current)

    def _open_menu(self, where: QPoint) -> None:
        run = self.table.indexAt(where).data(ROW_ROLE)
        if not isinstance(run, Run):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Look at this run").triggered.connect(lambda: self.context.look_at(run))
        pinned = run is self.context.workspace.baseline
        menu.addAction("Unpin baseline" if pinned else "Pin as baseline").triggered.connect(
            lambda: self.context.set_baseline(None if pinned else run)
        )
        actions = self.context.actions
        for command, words in _ON_ANOTHER.items():
            if command in actions:
                menu.addAction(words).triggered.connect(
                    lambda _=False, c=command: self._look_and_do(run, c)
                )
        menu.popup(self.table.viewport().mapToGlobal(where))

    def _look_and_do(self, run: Run, command: str) -> None:
        self.context.look_at(run)
        self.context.actions.trigger(command)


def _indent(run: Run) -> str:
    return "\N{DOWNWARDS ARROW WITH TIP RIGHTWARDS} " if run.parent is not None else ""


def _time(run: Run) -> str:
    ns = run.time
    return f"{ns / 1e6:,.1f} ms" if ns < 1_000_000_000 else f"{ns / 1e9:,.2f} s"
