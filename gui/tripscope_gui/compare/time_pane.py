"""Time: how long things took in either run, and the difference."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from PySide6.QtWidgets import QStackedLayout, QWidget

from tripscope_gui.bars import formats
from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.models.base import Column, ListModel
from tripscope_gui.panes import Place
from tripscope_gui.store.run_times import run_times
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.tables import TableView


class TimeRow(Struct, frozen=True):
    """One measured thing; times in ns, None where a run has none."""

    name: str
    before: int | None
    after: int | None


class TimePane(ComparePane):
    """First text, longest hold, end, and time in each processor."""

    TITLE: ClassVar[str] = "Time"
    PLACE: ClassVar[Place] = "bottom-left"
    ORDER: ClassVar[int] = 30

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        self.model: ListModel[TimeRow] = ListModel(self._columns(), (), self)
        self.table = TableView(context.theme, "times of both runs")
        self.table.setModel(self.model)
        self.table.set_column_widths([column.width for column in self.model.columns], 4)
        self.empty = EmptyState(context.theme, "Pick two runs above")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)

    def show_comparison(self) -> None:
        runs = self.runs
        rows: list[TimeRow] = []
        if runs is not None and self.compared is not None:
            before, after = (run_times(run.store) for run in runs)
            names = list(dict.fromkeys([*before, *after]))
            rows = [TimeRow(name, before.get(name), after.get(name)) for name in names]
        self.model.reset(rows, self._columns())
        self._stack.setCurrentIndex(1 if rows else 0)

    def _columns(self) -> list[Column[TimeRow]]:
        runs = self.runs
        titles = [run.title.lower() for run in runs] if runs is not None else ["before", "after"]
        return [
            Column("time", lambda row: row.name, 190),
            Column(titles[0], lambda row: _words(row.before), 96, number=True),
            Column(titles[1], lambda row: _words(row.after), 96, number=True),
            Column("difference", _difference, 104, number=True),
            Column("", lambda _row: "", 20),
        ]


def _words(time: int | None) -> str:
    return formats.NONE if time is None else formats.duration(time)


def _difference(row: TimeRow) -> str:
    if row.before is None or row.after is None:
        return formats.NONE
    by = row.after - row.before
    sign = "+" if by > 0 else "\N{MINUS SIGN}" if by < 0 else ""
    return f"{sign}{formats.duration(abs(by))}"
