"""Matches: what the rules find in the text of the preview, with groups and overlaps."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSignalBlocker
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from tripscope.patterns.units import join_surrogates
from tripscope_gui.context import UNITS, PaneContext, Unit
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.models.base import Column, ListModel
from tripscope_gui.models.match_table import (
    TEXT,
    WIDTHS,
    MatchLine,
    MatchLines,
    group_names,
    match_columns,
)
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.widgets.caret_bar import in_units
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.segmented import SegmentedControl
from tripscope_gui.widgets.tables import TableView


class MatchesPane(Pane):
    """A row a match, in the order of the text; click one and the preview shows it."""

    TITLE = "Matches"
    PLACE = "lab-bottom"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.desk = desk_of(context)
        self.runner = self.desk.preview
        self._lines = MatchLines(self.runner.preview, None)
        self.model: ListModel[MatchLine] = ListModel(self._columns(), (), self)
        self.table = TableView(context.theme, "matches")
        self.table.setModel(self.model)
        self.table.set_column_widths(WIDTHS, TEXT)
        self.unit = SegmentedControl([(u, u) for u in UNITS], "offsets in", context.unit)
        self.empty = EmptyState(context.theme, "No rule matches this text", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self.unit.selected.connect(lambda unit: context.set_unit(_unit(unit)))
        context.units_changed.connect(self._on_unit)
        self.runner.done.connect(self._show)
        self.desk.draft_changed.connect(self._show)
        self.table.clicked.connect(self._on_clicked)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)

    def head_widgets(self) -> list[QWidget]:
        return [self.unit]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.runner.watch(self, True)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.runner.watch(self, False)

    def _columns(self) -> tuple[Column[MatchLine], ...]:
        context = self.context
        place = UNITS.index(context.unit)

        def span(text: str, start: int, end: int) -> str:
            if context.unit == "UTF-16":
                return f"{start}\N{EN DASH}{end}"
            return f"{in_units(text, start)[place]}\N{EN DASH}{in_units(text, end)[place]}"

        return match_columns(context.rule_number, span, context.unit, self._value)

    def _value(self, line: MatchLine) -> str:
        start, end = line.match.start, min(line.match.end, line.match.start + 400)
        return one_line(join_surrogates(self.runner.preview.units[start:end]))

    def _on_unit(self) -> None:
        self.unit.set_current(self.context.unit)
        self.model.reset(self._lines, self._columns())

    def _show(self) -> None:
        preview, draft = self.runner.preview, self.desk.draft
        self.set_badge(str(len(preview.matches)) if preview.matches else "")
        if not self.isVisible():
            return
        dimmed = draft.key[1] if draft is not None else None
        self._lines = MatchLines(preview, dimmed)
        with QSignalBlocker(self.table.selectionModel()):
            self.model.reset(self._lines)
        self._stack.setCurrentIndex(1 if self._lines else 0)

    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        self._point_to(index)

    def _on_clicked(self, index: QModelIndex) -> None:
        self._point_to(index)
        line = self.model.row(index.row())
        if line is not None:
            self.desk.choose(line.match.processor, line.match.rule.name)

    def _point_to(self, index: QModelIndex) -> None:
        line = self.model.row(index.row())
        if line is not None:
            self.runner.point_to(line.match)


class GroupsPane(Pane):
    """Groups of the match that was pointed to last."""

    TITLE = "Groups"
    PLACE = "lab-bottom"
    ORDER = 20

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.runner = desk_of(context).preview
        self.model: ListModel[tuple[str, str, str | None]] = ListModel(
            (
                Column("group", lambda row: row[0], number=True),
                Column("name", lambda row: row[1]),
                Column(
                    "text",
                    lambda row: one_line(row[2][:400]) if row[2] is not None else "took no part",
                    mono=True,
                    roles={CellRole.TONE: lambda row: "t3" if row[2] is None else "t1"},
                ),
            ),
            (),
            self,
        )
        self.table = TableView(context.theme, "groups of the match")
        self.table.setModel(self.model)
        self.table.set_column_widths((60, 120, 200), 2)
        self.empty = EmptyState(context.theme, "Select a match", "Its groups stand here.")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self.runner.pointed.connect(self._show)
        self.runner.done.connect(self._show)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        if not self.isVisible():
            return
        match, found = self.runner.pointed_to, self.runner.groups()
        rows: list[tuple[str, str, str | None]] = []
        if match is not None and found is not None:
            names = dict(group_names(match))
            rows = [("0", "whole match", found.text)]
            rows += [(str(n), names.get(n, ""), text) for n, text in enumerate(found.groups, 1)]
        self.model.reset(rows)
        self._stack.setCurrentIndex(1 if rows else 0)


def _unit(name: str) -> Unit:
    return next(unit for unit in UNITS if unit == name)
