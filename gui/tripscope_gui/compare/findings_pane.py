"""Findings of both runs: added, removed, moved, replaced, and why."""

from __future__ import annotations

import json
from collections import Counter
from typing import ClassVar, Final

from msgspec import Struct
from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from tripscope.trace.diff import FindingChange
from tripscope.trace.events import FindingMade
from tripscope.wire import JSON
from tripscope.wording import many
from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel
from tripscope_gui.models.finding_table import span
from tripscope_gui.panes import Place
from tripscope_gui.store.given_text import GivenTexts, Offsets
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.tables import TableView

SIGNS: Final = {
    "added": "+",
    "removed": "\N{MINUS SIGN}",
    "moved": "\N{RIGHTWARDS ARROW}",
    "replaced": "\N{NOT EQUAL TO}",
    "same": "=",
}
_TONES: Final = {
    "added": "added", "removed": "removed", "moved": "changed", "replaced": "changed", "same": "t3"
}  # fmt: skip
_PROCESSOR: Final = 2
_WIDE: Final = 860
"""Width from which there is room for the column of processors."""
_ORDER: Final = ("added", "removed", "moved", "replaced", "same")


class ChangeRow(Struct, frozen=True):
    """One row: a change and its reason."""

    change: FindingChange
    why: str

    @property
    def finding(self) -> FindingMade:
        """The newer of its findings."""
        found = self.change.after or self.change.before
        assert found is not None
        return found


class ChangedFindingsPane(ComparePane):
    """A row for each finding; those that are the same can be left out."""

    TITLE: ClassVar[str] = "Findings"
    PLACE: ClassVar[Place] = "bottom-left"
    ORDER: ClassVar[int] = 10

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        theme = context.theme
        self.model: ListModel[ChangeRow] = ListModel(self._columns(), (), self)
        self.table = TableView(theme, "changed findings")
        self.table.setModel(self.model)
        self.table.set_column_widths([column.width for column in self.model.columns], 6)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self._texts: list[GivenTexts] = []
        context.units_changed.connect(self.renew)
        # the layout has no parent yet, and what it shows would be a window
        self.empty = EmptyState(theme, "No finding differs", parent=self)
        self._totals = [PlainLabel(px=TypeSize.LABEL, tone=tone) for tone in ("pass", "fail")]
        self._totals += [
            PlainLabel(px=TypeSize.LABEL, tone=t) for t in ("changed", "changed", "t2")
        ]
        self.copy_tests = Button(theme, "copy as test cases", kind=Kind.LINK, small=True)
        self.copy_tests.setToolTip("Copies rule, text and span of each row; holds matched text")
        self.copy_tests.clicked.connect(self._copy_tests)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._stack, 1)
        column.addWidget(self._footer())

    def count(self) -> None:
        found = self.compared
        changed = sum(c.change != "same" for c in found.diff.findings) if found is not None else 0
        self.set_badge(str(changed) if found is not None else "")

    def show_comparison(self) -> None:
        found, runs = self.compared, self.runs
        self._texts = [GivenTexts(run.store) for run in runs] if runs is not None else []
        rows: list[ChangeRow] = []
        if found is not None:
            rows = [
                ChangeRow(change, why)
                for change, why in zip(found.diff.findings, found.reasons, strict=True)
                if change.change != "same" or not self.comparison.different_only
            ]
            rows.sort(key=lambda row: _ORDER.index(row.change.change))
        self.model.reset(rows, self._columns())
        self.table.set_column_widths([column.width for column in self.model.columns], 6)
        self._stack.setCurrentIndex(1 if rows else 0)
        if found is None:
            self.empty.set_text("Comparing" if self.runs is not None else "Pick two runs above")
        else:
            total = len(found.diff.findings)
            self.empty.set_text("No finding differs", f"{total} are the same in both runs")
        self._show_totals()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.table.setColumnHidden(_PROCESSOR, self.width() < _WIDE)

    def _show_totals(self) -> None:
        found = self.compared
        counts: Counter[str] = Counter()
        if found is not None:
            counts.update(change.change for change in found.diff.findings)
        hidden = ", hidden" if self.comparison.different_only else ""
        words = {
            "added": "added", "removed": "removed", "moved": "moved",
            "replaced": "new replacement or outcome", "same": f"same{hidden}",
        }  # fmt: skip
        for label, change in zip(self._totals, _ORDER, strict=True):
            number = counts[change]
            sign = "" if change == "same" else SIGNS[change]
            label.setText(f"{sign}{number} {words[change]}")
            label.setVisible(bool(number))
        self.copy_tests.setEnabled(self.model.rowCount() > 0)

    def _columns(self) -> list[Column[ChangeRow]]:
        runs = self.runs
        titles = [run.title.lower() for run in runs] if runs is not None else ["before", "after"]
        unit = self.context.unit
        widths = (118, 124) if unit == "code points" else (88, 96)
        return [
            Column(
                "",
                lambda row: SIGNS[row.change.change],
                26,
                roles={
                    CellRole.TONE: lambda row: _TONES[row.change.change],
                    CellRole.WEIGHT: lambda _row: SEMIBOLD,
                },
                tooltip=lambda row: row.change.change,
            ),
            Column("rule", lambda row: row.finding.rule, 112, roles={CellRole.RULE: self._number}),
            Column("processor", lambda row: row.finding.processor or "", 86),
            Column("where", _where, 88),
            Column(f"{titles[0]}, {unit}", self._before, widths[0], mono=True),
            Column(f"{titles[1]}, {unit}", self._after, widths[1], mono=True),
            Column("replacement", _replacement, 150, mono=True),
            Column("why", lambda row: row.why, 160),
            Column("outcome", _outcome, 92, roles={CellRole.OUTCOME: _badge}),
        ]

    def _before(self, row: ChangeRow) -> str:
        return span(self._offsets(row.change.before, 0)) if row.change.before is not None else ""

    def _after(self, row: ChangeRow) -> str:
        """The span in the later run, and how far it moved."""
        one, other = row.change.before, row.change.after
        if other is None:
            return ""
        now = self._offsets(other, 1)
        was = self._offsets(one, 0) if row.change.change == "moved" and one is not None else None
        if was is None or now is None:
            return span(now)
        by = now[0] - was[0]
        return f"{span(now)}  {'+' if by > 0 else chr(0x2212)}{abs(by)}"

    def _offsets(self, finding: FindingMade | None, side: int) -> Offsets | None:
        """Start and end in the unit of the window; None where its text is not on record."""
        if finding is None:
            return None
        if self.context.unit == "UTF-16":
            return finding.start, finding.end
        texts = self._texts[side]
        return (
            texts.code_points(finding)
            if self.context.unit == "code points"
            else (texts.utf8(finding))
        )

    def _number(self, row: ChangeRow) -> int:
        return self.compared.rules.number(row.finding.rule) if self.compared is not None else 0

    def _footer(self) -> QFrame:
        footer = QFrame()
        footer.setProperty("kind", "footer")
        footer.setFixedHeight(24)
        line = QHBoxLayout(footer)
        line.setContentsMargins(10, 0, 8, 0)
        line.setSpacing(12)
        for label in self._totals:
            line.addWidget(label)
        line.addStretch(1)
        line.addWidget(self.copy_tests)
        return footer

    def _on_current(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        """Look at the first differing event of the finding's call."""
        row = index.data(ROW_ROLE) if index.isValid() else None
        if isinstance(row, ChangeRow):
            self.comparison.follow_finding(row.finding)

    def _copy_tests(self) -> None:
        runs = self.runs
        if runs is None:
            return
        texts = self._texts
        cases: list[JSON] = []
        for number in range(self.model.rowCount()):
            row = self.model.row(number)
            case = _test_case(row, texts[row.change.after is not None]) if row is not None else None
            if case is not None:
                cases.append(case)
        QGuiApplication.clipboard().setText(json.dumps(cases, indent=2))
        words = many(len(cases), "test case")
        self.context.say(f"{words} copied; matched text included")


def _test_case(row: ChangeRow, texts: GivenTexts) -> JSON:
    """A rule test as in session files; None if the text isn't on record."""
    finding = row.finding
    if row.change.change == "removed":
        value = texts.value(finding)
        test: JSON = {"text": value, "match": False}
        return {"rule": finding.rule, "test": test} if value is not None else None
    text = texts.of(finding)
    test = {"text": text, "match": True, "span": [finding.start, finding.end]}
    return {"rule": finding.rule, "test": test} if text is not None else None


def _where(row: ChangeRow) -> str:
    finding = row.finding
    if finding.step is None:
        return finding.hook or ""
    place = f"{finding.step}.{(finding.attempt or 0) + 1}"
    return f"{place} \N{MIDDLE DOT} {finding.message_id}" if finding.message_id else place


def _replacement(row: ChangeRow) -> str:
    one, other = row.change.before, row.change.after
    if one is not None and other is not None and one.replacement != other.replacement:
        return f"{one.replacement} \N{RIGHTWARDS ARROW} {other.replacement}"
    finding = row.finding
    return finding.replacement or (f"covered by {finding.winner}" if finding.winner else "")


def _outcome(row: ChangeRow) -> str:
    if row.change.change == "removed":
        return "gone"
    return "same" if row.change.change in ("moved", "same") else row.finding.outcome


def _badge(row: ChangeRow) -> str | None:
    return row.finding.outcome if row.change.change in ("added", "replaced") else None
