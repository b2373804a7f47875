"""Checks of both runs side by side."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct
from PySide6.QtWidgets import QStackedLayout, QWidget

from tripscope.trace.checks import Check
from tripscope_gui.bars.checks_strip import TITLES
from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import Column, ListModel
from tripscope_gui.panes import Place
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.tables import TableView

_ICONS: Final = {
    "pass": Icon.CHECK, "fail": Icon.CROSS, "not made": Icon.MORE, "unscanned": Icon.EYE_CROSSED
}  # fmt: skip
_TONES: Final = {"pass": "pass", "fail": "blocked", "not made": "t3", "unscanned": "flagged"}


class CheckRow(Struct, frozen=True):
    """One check of both runs."""

    before: Check
    after: Check

    @property
    def same(self) -> bool:
        """Whether both have the same result."""
        return (self.before.verdict, self.before.detail) == (self.after.verdict, self.after.detail)


class ChangedChecksPane(ComparePane):
    """The four checks on the stream; all are always shown."""

    TITLE: ClassVar[str] = "Checks"
    PLACE: ClassVar[Place] = "bottom-left"
    ORDER: ClassVar[int] = 20

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        self.model: ListModel[CheckRow] = ListModel(self._columns(), (), self)
        self.table = TableView(context.theme, "checks of both runs")
        self.table.setModel(self.model)
        self.table.set_column_widths([column.width for column in self.model.columns], 4)
        self.empty = EmptyState(context.theme, "Comparing")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)

    def count(self) -> None:
        changed = sum(a.verdict != b.verdict for a, b in self._pairs())
        self.set_badge(str(changed) if changed else "")

    def show_comparison(self) -> None:
        self.model.reset([CheckRow(*pair) for pair in self._pairs()], self._columns())
        self._stack.setCurrentIndex(1 if self.model.rowCount() else 0)

    def _pairs(self) -> list[tuple[Check, Check]]:
        found = self.compared
        return list(zip(*found.checks, strict=True)) if found is not None else []

    def _columns(self) -> list[Column[CheckRow]]:
        runs = self.runs
        titles = [run.title.lower() for run in runs] if runs is not None else ["before", "after"]

        def verdict(side: str, title: str) -> Column[CheckRow]:
            return Column(
                title,
                lambda row: getattr(row, side).verdict.replace("fail", "FAIL"),
                108,
                roles={
                    CellRole.ICON: lambda row: _ICONS[getattr(row, side).verdict],
                    CellRole.TONE: lambda row: _TONES[getattr(row, side).verdict],
                    CellRole.WEIGHT: lambda _row: SEMIBOLD,
                },
            )

        def detail(side: str) -> Column[CheckRow]:
            return Column("", lambda row: getattr(row, side).detail, 250)

        return [
            Column("check", lambda row: TITLES.get(row.after.name, row.after.name), 190),
            verdict("before", titles[0]),
            detail("before"),
            verdict("after", titles[1]),
            detail("after"),
        ]
