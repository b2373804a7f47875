"""Advisories: where the deployed runtime would go another way."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QStackedLayout, QWidget

from tripscope.trace.events import AdvisoryRaised, AnyEvent
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.event_selection import selection_for
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel
from tripscope_gui.panes import Pane
from tripscope_gui.run_store import RunStore
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import plain_tooltip
from tripscope_gui.widgets.tables import TableView


class AdvisoriesPane(Pane):
    """A row per advisory; picking one goes to the event that it is about."""

    TITLE = "Advisories"
    PLACE = "bottom-left"
    ORDER = 20

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._following = False
        columns: list[Column[AdvisoryRaised]] = [
            Column(
                "row",
                lambda event: event.row,
                72,
                roles={
                    CellRole.ICON: lambda _: "warning",
                    int(Qt.ItemDataRole.AccessibleTextRole): lambda event: f"advisory {event.row}",
                },
                tooltip=lambda event: plain_tooltip(f"docs/rules.md, {event.row}"),
            ),
            Column(
                "what the deployed runtime would do",
                lambda event: event.sentence,
                320,
                tooltip=lambda event: plain_tooltip(event.sentence),
            ),
            Column(
                "where",
                self._where,
                210,
                tooltip=lambda event: plain_tooltip(self._where(event)),
                roles={CellRole.TONE: lambda _: "t2"},
            ),
        ]
        self.model: ListModel[AdvisoryRaised] = ListModel(columns, (), self)
        self.table = TableView(theme, "advisories")
        self.table.setModel(self.model)
        self.table.set_column_widths([column.width for column in columns], 1)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.clicked.connect(self._on_current)
        self.empty = EmptyState(theme, "No run yet")
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        context.stretch_changed.connect(self.lag_behind)

    def reset(self) -> None:
        self.model.reset(self._listed())
        self._show_words()

    def grow(self, first: int, end: int) -> None:
        store = self.store
        if self.context.stretch is None and store is not None and store.advisories:
            self.model.sync()
        self._show_words()

    def _listed(self) -> Sequence[AdvisoryRaised]:
        """All advisories, or those about the stretch that a person chose."""
        store, stretch = self.store, self.context.stretch
        if store is None:
            return ()
        if stretch is None:
            return store.advisories
        low, high = stretch
        return [found for found in store.advisories if low <= self._about(found).seq <= high]

    def count(self) -> None:
        store = self.store
        self.set_badge(str(len(store.advisories)) if store is not None else "")

    def follow(self) -> None:
        seq = self.context.selection.current.seq
        row = self.table.currentIndex().data(ROW_ROLE)
        if isinstance(row, AdvisoryRaised) and seq in (row.about, row.seq):
            return
        self._following = True
        self.table.clearSelection()
        self.table.setCurrentIndex(QModelIndex())
        self._following = False

    def _show_words(self) -> None:
        store = self.store
        self._stack.setCurrentIndex(1 if self.model.rowCount() else 0)
        if store is not None and store.advisories and not self.model.rowCount():
            self.empty.set_text("No advisory in this stretch", "Escape in the timeline ends it")
        elif store is None:
            self.empty.set_text("No run yet", "Where Mastra would go another way shows up here.")
        else:
            words = "Mastra would go the same way" if store.over else "So far"
            self.empty.set_text("No advisory", words)

    def _about(self, advisory: AdvisoryRaised) -> AnyEvent:
        store = self.store
        return (store.event(advisory.about) if store is not None else None) or advisory

    def _where(self, advisory: AdvisoryRaised) -> str:
        return place_words(self.store, self._about(advisory))

    def _on_current(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        row, store, run = index.data(ROW_ROLE), self.store, self.context.run
        if self._following or store is None or run is None or not isinstance(row, AdvisoryRaised):
            return
        self.context.selection.set(selection_for(store, run.number, self._about(row)))


def place_words(store: RunStore | None, event: AnyEvent) -> str:
    """``step 1, attempt 2 · processOutputStep · quality-guardrail``."""
    parts = []
    if event.step is not None:
        attempt = f", attempt {event.attempt + 1}" if event.attempt is not None else ""
        parts.append(f"step {event.step}{attempt}")
    parts += [part for part in (event.processor, event.hook) if part]
    row = store.rows.of_index(getattr(event, "index", None)) if store is not None else None
    if row is not None:
        parts.append(f"chunk {row.label}")
    return " \N{MIDDLE DOT} ".join(parts) or f"event {event.seq}"
