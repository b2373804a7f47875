"""Re-chunk: would the same text, cut otherwise by the model, have left the same?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QProgressBar, QStackedLayout, QVBoxLayout, QWidget

from tripscope.wording import many
from tripscope_gui.actions import Command
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.fonts import REGULAR, SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel
from tripscope_gui.panes import Pane
from tripscope_gui.rechunk_runner import RechunkRunner
from tripscope_gui.store.attempts import attempt_words
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel
from tripscope_gui.widgets.tables import TableView

if TYPE_CHECKING:
    from tripscope.trace.rechunk import BlockResult, FailedCut

_HINT: Final = (
    "Sends the text of this run through the output chain again: cut near every match, one"
    " character at a time, at random. Asks no model and runs no tool."
)


class RechunkRow(Struct, frozen=True):
    """A block with its result, or one of its failing cuts."""

    result: BlockResult
    cut: FailedCut | None = None

    @property
    def verdict(self) -> str:
        """``pass``, ``FAIL`` or ``not made``."""
        if self.result.not_made:
            return "not made"
        return "pass" if self.result.passed else "FAIL"


class RechunkPane(Pane):
    """A row for each text block, and below it its failing cuts."""

    TITLE = "Re-chunk"
    PLACE = "bottom-left"
    ORDER = 40

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.runner = RechunkRunner(context, self)
        self.runner.changed.connect(self._show)
        self.model: ListModel[RechunkRow] = ListModel(_columns(), (), self)
        self.table = TableView(theme, "text blocks and their failing cuts")
        self.table.setModel(self.model)
        self.table.set_column_widths([column.width for column in self.model.columns], 3)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.doubleClicked.connect(self._on_open)
        self.table.activated.connect(self._on_open)
        self.empty = EmptyState(theme, "Re-chunk", _HINT, ("Re-chunk this run",))
        self.empty.button_clicked.connect(lambda _n: self._begin())
        self.progress = QProgressBar()
        self.progress.setAccessibleName("cuts tried")
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(4)
        waiting = QWidget()
        column = QVBoxLayout(waiting)
        self._waiting = PlainLabel("", "t2")
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.cancel = Button(theme, "Cancel", small=True)
        self.cancel.clicked.connect(self.runner.cancel)
        column.addStretch(1)
        column.addWidget(self._waiting)
        column.addWidget(self.progress)
        column.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self._stack = QStackedLayout(self)
        for page in (self.empty, waiting, self.table):
            self._stack.addWidget(page)
        # the dock is as wide as its neighbour lets it be: the words give way
        self.words = ElidedLabel(theme, tone="t3", px=11)
        self.open_cut = Button(theme, "open as a run", kind=Kind.LINK, small=True)
        self.open_cut.setToolTip("Makes a run of the selected cut, to look at")
        self.open_cut.clicked.connect(lambda _=False: self._on_open())
        self.again = Button(theme, "Re-chunk", Icon.REPLAY, kind=Kind.QUIET, small=True)
        self.again.setToolTip(_HINT)
        self.again.clicked.connect(lambda _=False: self._begin())
        context.runs_changed.connect(self._show)
        context.actions.add(
            Command(
                "run.rechunk",
                "Re-chunk this run",
                "Run",
                self._begin,
                enabled=self._can_begin,
                group=1,
                hint=_HINT,
            )
        )

    def head_widgets(self) -> list[QWidget]:
        return [self.words, self.open_cut, self.again]

    def reset(self) -> None:
        self.runner.forget()
        self._show()

    def count(self) -> None:
        mine = self.runner.concerns_current
        failed = sum(result.failed > 0 for result in self.runner.results) if mine else 0
        self.set_badge(str(failed) if failed else "")

    def _can_begin(self) -> bool:
        store = self.store
        return store is not None and store.over and bool(store.rows) and not self.runner.running

    def _begin(self) -> None:
        self.context.show_pane(self.TITLE)
        self.runner.start()

    def _show(self) -> None:
        runner = self.runner
        self.count()
        self.again.setEnabled(self._can_begin())
        self.empty.buttons[0].setEnabled(self._can_begin())
        if runner.running:
            self.progress.setMaximum(max(1, runner.total))
            self.progress.setValue(runner.done)
            self._waiting.setText(f"{runner.done:,} of {many(runner.total, 'cut')} tried")
            self.words.set_text("")
            self._stack.setCurrentIndex(1)
            return
        rows: list[RechunkRow] = []
        for result in runner.results:
            rows.append(RechunkRow(result))
            cuts = sorted(result.failures, key=lambda cut: not cut.cutting.simple)
            rows += [RechunkRow(result, cut) for cut in cuts]
        if rows != [self.model.row(n) for n in range(self.model.rowCount())]:
            self.model.reset(rows)
            failing = next((n for n, row in enumerate(rows) if row.cut is not None), None)
            if failing is not None:
                self.table.selectRow(failing)
        made = sum(result.made for result in runner.results)
        self.words.set_text(f"{many(made, 'cut')} in {runner.seconds:.1f} s" if rows else "")
        self.open_cut.setVisible(any(row.cut is not None for row in rows))
        self._on_current(self.table.currentIndex())
        self._stack.setCurrentIndex(2 if rows else 0)

    def _on_current(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        row = index.data(ROW_ROLE) if index.isValid() else None
        self.open_cut.setEnabled(isinstance(row, RechunkRow) and row.cut is not None)

    def _on_open(self, _index: QModelIndex | None = None) -> None:
        row = self.table.currentIndex().data(ROW_ROLE)
        if isinstance(row, RechunkRow) and row.cut is not None:
            self.runner.open(row.result, row.cut)


def _columns() -> list[Column[RechunkRow]]:
    return [
        Column(
            "text block",
            _block_words,
            132,
            roles={
                CellRole.WEIGHT: lambda row: REGULAR if row.cut else SEMIBOLD,
                CellRole.GROUND: lambda row: None if row.cut else "head",
            },
        ),
        Column(
            "result, cut",
            _cut_words,
            164,
            roles={
                CellRole.ICON: _icon,
                CellRole.TONE: _tone,
                CellRole.GROUND: lambda row: None if row.cut else "head",
            },
        ),
        Column(
            "processor",
            lambda row: row.cut.processor if row.cut else "",
            96,
            roles={CellRole.GROUND: lambda row: None if row.cut else "head"},
        ),
        Column(
            "why",
            lambda row: row.cut.why if row.cut else _about(row.result),
            220,
            roles={CellRole.GROUND: lambda row: None if row.cut else "head"},
        ),
    ]


def _block_words(row: RechunkRow) -> str:
    if row.cut is not None:
        return ""
    return attempt_words(*row.result.key[:2])


def _cut_words(row: RechunkRow) -> str:
    if row.cut is not None:
        unit = " UTF-16" if row.cut.cutting.name.startswith("cut at") else ""
        return f"{row.cut.cutting.name}{unit}"
    result = row.result
    if result.not_made:
        return row.verdict
    if result.failed:
        return f"{row.verdict}  {result.failed:,} of {result.made:,}"
    return f"{row.verdict}  {many(result.made, 'cut')}"


def _about(result: BlockResult) -> str:
    if result.not_made:
        return result.not_made
    if result.unchecked:
        return f"not made for {', '.join(result.unchecked)}"
    hidden = result.failed - len(result.failures)
    return f"{hidden:,} more failing cuts are not listed" if hidden > 0 else ""


def _icon(row: RechunkRow) -> str | None:
    if row.cut is not None:
        return None
    return {"pass": Icon.CHECK, "FAIL": Icon.CROSS}.get(row.verdict, Icon.MORE)


def _tone(row: RechunkRow) -> str:
    if row.cut is not None:
        return "t1"
    return {"pass": "pass", "FAIL": "blocked"}.get(row.verdict, "t3")
