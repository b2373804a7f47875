"""Hooks: what every processor did in each of the nine hooks, and what was not run."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedLayout, QVBoxLayout, QWidget

from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.hook_cells import ROW_HEIGHT, HookCellDelegate
from tripscope_gui.models.hook_matrix import FACT_ROLE, HOOK_NAMES, HookMatrix
from tripscope_gui.panes import Pane
from tripscope_gui.store.hook_facts import FACTS, HookFact, counts
from tripscope_gui.throttle import Throttle
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.hook_header import HookHeader
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.outcome_legend import OutcomeLegend
from tripscope_gui.widgets.tables import TableView

LIVE_MS: Final = 100
"""Least time between two pictures of a growing run."""


class HooksPane(Pane):
    """A matrix of outcomes; pick a cell to select the call behind it."""

    TITLE = "Hooks"
    PLACE = "middle-left"
    ORDER = 20

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._following = False
        self._growth = Throttle(self._grow, LIVE_MS, self)
        self.model = HookMatrix(self)
        self.table = TableView(theme, "hooks", row_height=ROW_HEIGHT)
        self.table.setHorizontalHeader(HookHeader(theme, self.table))
        self.delegate = HookCellDelegate(theme, self.table)
        self.table.setItemDelegate(self.delegate)
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.selectionModel().currentChanged.connect(self._on_current)
        self.table.clicked.connect(self._on_current)
        self.table.viewport().installEventFilter(self)
        self.empty = EmptyState(theme, "No run yet", "Outcomes of all hooks show up here.")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(OutcomeLegend(theme, "\N{MIDDLE DOT} skipped: no such hook"))
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(body)
        self._summary = PlainLabel("", "t2", px=11)

    def head_widgets(self) -> list[QWidget]:
        return [self._summary]

    def reset(self) -> None:
        self._growth.cancel()
        self.model.show(self.store)
        self._refresh()

    def grow(self, first: int, end: int) -> None:
        if self.context.turns.on or (self.store is not None and self.store.over):
            # a turn comes when there is time for it
            self._growth.cancel()
            self._grow()
        else:
            self._growth.ask()

    def follow(self) -> None:
        chosen = self.context.selection.current
        self.delegate.processor = chosen.processor
        place = self.model.place(chosen.processor, chosen.hook)
        self._following = True
        if place is None or place[1] == 0:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.table.selectionModel().setCurrentIndex(self.model.index(*place), flag)
        self._following = False
        self.table.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.table.viewport():
            self._lay_out()
        return super().eventFilter(watched, event)

    def _grow(self) -> None:
        self.model.refresh()
        self._refresh()

    def _refresh(self) -> None:
        store = self.store
        filled = store is not None and bool(store.events)
        self._stack.setCurrentIndex(1 if filled else 0)
        if store is not None and filled:
            ran, waited = counts(store)
            words = f"{ran} ran" + (f", {waited} not run" if store.over else " so far")
            self._summary.setText(words)
        else:
            self._summary.setText("")
        self._lay_out()

    def _lay_out(self) -> None:
        width = max(self.table.viewport().width(), 300)
        name = min(190, max(128, width // 6))
        each = (width - name) // len(HOOK_NAMES)
        widths = [width - each * len(HOOK_NAMES), *[each] * len(HOOK_NAMES)]
        self.table.set_column_widths(widths)
        first = len(self.model.processors)
        if self.table.columnSpan(first, 1) == 1 and self.model.rowCount():
            self.table.clearSpans()
            for row in range(first, first + len(FACTS)):
                self.table.setSpan(row, 1, 1, len(HOOK_NAMES))

    def _on_current(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        if self._following or not index.isValid() or self.model.is_fact(index.row()):
            return
        processor = self.model.processors[index.row()].id
        found = index.data(FACT_ROLE)
        if not isinstance(found, HookFact):
            self.context.selection.select(processor=processor)
            return
        store = self.store
        event = store.event(found.seq) if store is not None else None
        self.context.selection.select(
            processor=processor,
            hook=HOOK_NAMES[index.column() - 1],
            step=event.step if event is not None else None,
            attempt=event.attempt if event is not None else None,
            seq=found.seq,
        )
