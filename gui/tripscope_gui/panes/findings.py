"""Findings: every match of every rule, where it is in all units, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QSpacerItem,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.advice_desk import AdviceDesk
from tripscope_gui.context import UNITS, PaneContext, Unit
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.icons import Icon
from tripscope_gui.leak_watch import LeakWatch
from tripscope_gui.models.base import ROW_ROLE, ListModel
from tripscope_gui.models.finding_copy import as_test_case, row_as_text
from tripscope_gui.models.finding_table import (
    CHUNKS,
    PLACES,
    REPLACEMENT,
    VALUE,
    WHERE,
    finding_columns,
)
from tripscope_gui.panes import Pane
from tripscope_gui.selection import Selection, Span
from tripscope_gui.store.finding_rows import FindingRow, FindingRows
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.throttle import Throttle
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.advice_list import AdviceList
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import ElidedLabel
from tripscope_gui.widgets.tables import TableView

NARROW: Final = 660
"""Width in logical pixels under which only the unit in use has a column."""
_FAR_UNITS: Final = 1000
"""Offset from which a span does not fit into the usual width of its column."""
_LEAST_ADVICE: Final = 44
"""Its title and one line, in logical pixels."""
_FOOTER: Final = 24
_BESIDE_ROWS: Final = _FOOTER + Height.TABLE_HEAD
_LEAST_TABLE: Final = _BESIDE_ROWS + 3 * Height.ROW
"""Footer, head and three rows, in logical pixels."""
LIVE_MS: Final = 100
"""Least time between two pictures of a growing run."""


class FindingsPane(Pane):
    """A row per finding, and one per match that left before it was decided."""

    TITLE = "Findings"
    PLACE = "bottom-left"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._rows: FindingRows | None = None
        self._leaks = LeakWatch(self)
        self._leaks.known.connect(self._add_leaks)
        self._layout: tuple[object, ...] = ()
        self._measured, self._far = 0, False
        self._following = False
        self._growth = Throttle(self._take, LIVE_MS, self)
        self.model: ListModel[FindingRow] = ListModel((), (), self)
        self.table = TableView(theme, "findings")
        self.table.setModel(self.model)
        self.table.setMinimumHeight(Height.TABLE_HEAD + Height.ROW)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.clicked.connect(self._on_current)
        # the layout has no parent yet, and what it shows would be a window
        self.empty = EmptyState(theme, "No run yet", parent=self)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self.reveal = Button(theme, "hold to reveal", Icon.EYE_CROSSED, kind=Kind.QUIET, small=True)
        self.reveal.setToolTip("Shows the matched text while it is pressed")
        self.reveal.pressed.connect(self._on_reveal)
        self.reveal.released.connect(self._on_reveal)
        self._masked = ElidedLabel(theme, "values masked", tone="t3", px=11)
        self._hint = ElidedLabel(theme, tone="t2", px=11)
        self.copy_test = Button(theme, "copy as test case", kind=Kind.LINK, small=True)
        self.copy_test.setToolTip(
            "Copies the text, the rule and the span of the selected finding; holds raw text"
        )
        self.copy_test.clicked.connect(self._copy_test)
        self.desk = AdviceDesk(context, self)
        self.advice = AdviceList(theme)
        self.desk.changed.connect(self._show_advice)
        self.advice.chosen.connect(self._on_advice)
        self.advice.undo_wanted.connect(self.desk.undo)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._stack, 1)
        self._gap = QSpacerItem(0, 0)
        column.addItem(self._gap)
        column.addWidget(self.advice)
        column.addWidget(self._make_footer())
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self._copy_row)
        context.units_changed.connect(self._lay_out)
        context.stretch_changed.connect(self._on_stretch)
        context.runs.finished.connect(self._on_finished)

    def head_widgets(self) -> list[QWidget]:
        return [self._masked, self.reveal]

    # the run

    def reset(self) -> None:
        self._growth.cancel()
        self._measured, self._far = 0, False
        store = self.store
        self._rows = FindingRows(store) if store is not None else None
        self._layout = ()
        self._take()
        self.desk.forget()
        self._leaks.watch(store)

    def grow(self, first: int, end: int) -> None:
        store, rows = self.store, self._rows
        if store is not None and store.over:
            self._growth.cancel()
            self._take()
        elif rows is None or len(rows.store.findings) > rows.taken or not self.model.rowCount():
            self._growth.ask()
        self._leaks.check()

    def count(self) -> None:
        store = self.store
        rows = self._rows
        leaks = rows.leaks if rows is not None and rows.store is store else 0
        self.set_badge(str(len(store.findings) + leaks) if store is not None else "")

    def follow(self) -> None:
        number = self._place_of(self.context.selection.current)
        self._following = True
        if number is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(number)
            self.table.scrollTo(self.model.index(number, 0))
        self._following = False
        self.copy_test.setEnabled(number is not None)
        self._ask_advice()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_advice()

    def _take(self) -> None:
        if self._rows is not None:
            self._rows.grow()
        self._lay_out()
        if self.context.stretch is None:
            self.model.sync()
        self._show_words()
        self.count()

    def _add_leaks(self, leaks: Leaks) -> None:
        """Rows for text that left too early; known once a run is over."""
        rows = self._rows
        if rows is None:
            return
        rows.add_leaks([leak for found in leaks.by_block.values() for leak in found])
        if rows.leaks:
            self._lay_out(anew=True)
            self._show_words()
            self.count()
        else:
            self.model.touch(0, len(rows) - 1)
        self._ask_advice()

    def _on_finished(self, _run: object) -> None:
        if self.isVisible():
            self._show_words()

    # the table

    def _lay_out(self, anew: bool = False) -> None:
        rows = self._rows
        units: tuple[Unit, ...] = UNITS if self.width() >= NARROW else (self.context.unit,)
        place = _place_title(rows)
        layout = (units, place, self.reveal.isDown(), id(rows), self._is_far())
        if layout == self._layout and not anew:
            return
        self._layout = layout
        store = self.store
        columns = finding_columns(
            units=units,
            place=place,
            number=store.rules.number if store is not None else lambda _rule: 0,
            revealed=self.reveal.isDown,
            far=self._far,
        )
        self.model.reset(self._source(), columns)
        titles = [column.title for column in columns]
        stretched = titles.index(VALUE if VALUE in titles else REPLACEMENT)
        self.table.set_column_widths([column.width for column in columns], stretched)
        self.follow()

    def _is_far(self) -> bool:
        """Whether a span is too long for the usual width of its column; a new one is asked once."""
        found = self.store.findings if self.store is not None else []
        self._far = self._far or any(f.end >= _FAR_UNITS for f in found[self._measured :])
        self._measured = len(found)
        return self._far

    def _source(self) -> Sequence[FindingRow]:
        """The rows that are shown: all, or those of the stretch that a person chose."""
        rows, stretch = self._rows, self.context.stretch
        if rows is None:
            return ()
        if stretch is None:
            return rows
        return [row for row in rows if stretch[0] <= row.at_seq <= stretch[1]]

    def _on_stretch(self) -> None:
        if self.isVisible():
            self._lay_out(anew=True)
            self._show_words()
        else:
            self._layout = ()

    def _on_reveal(self) -> None:
        self._masked.set_text("values shown" if self.reveal.isDown() else "values masked")
        self._lay_out()

    def _show_words(self) -> None:
        store = self.store
        filled = self.model.rowCount() > 0
        self._stack.setCurrentIndex(1 if filled else 0)
        if store is None:
            self.empty.set_text("No run yet", "Matches of rules show up here.")
        elif not filled:
            rules = len(store.rules.names)
            spent = sum(store.calls.time.values()) / 1e6
            asked = f"{rules} rules, {spent:.1f} ms" if rules else "this chain has no rules"
            words = "No rule matched" if store.over else "No rule matched so far"
            if self.model_rows:
                words, asked = "No rule matched in this stretch", "Escape in the timeline ends it"
            self.empty.set_text(words, asked)
        rows = self._rows
        stream = rows is not None and rows.has_chunks
        self._hint.set_text(
            "Spans count in all text this processor was given in the block. "
            "1.2 = step 1, attempt 2."
            if stream or not filled
            else "Spans count in the text that the hook was given."
        )

    @property
    def model_rows(self) -> list[FindingRow]:
        """The rows of the table."""
        return self._rows.rows if self._rows is not None else []

    def _make_footer(self) -> QFrame:
        footer = QFrame()
        footer.setProperty("kind", "footer")
        footer.setFixedHeight(_FOOTER)
        line = QHBoxLayout(footer)
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self._hint, 1)
        line.addWidget(self.copy_test)
        return footer

    # the selection

    def _place_of(self, selection: Selection) -> int | None:
        rows = self._rows
        if rows is None:
            return None
        shown = self._source()
        row = rows.of_seq(selection.finding)
        if row is not None:
            return shown.index(row) if row in shown else None
        if selection.rule is None or selection.span is None:
            return None
        for number, other in enumerate(shown):
            if other.leak is not None and _selection_of_leak(other, selection.run) == selection:
                return number
        return None

    def _on_current(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        row = index.data(ROW_ROLE) if index.isValid() else None
        store, run = self.store, self.context.run
        if self._following or not isinstance(row, FindingRow) or store is None or run is None:
            return
        if row.leak is not None:
            self.context.selection.set(_selection_of_leak(row, run.number))
        else:
            self.context.selection.set(selection_of(run.number, store, row.event))

    # what helps

    def _share_height(self) -> None:
        """Some rows of the table stay in sight over the advice, none of them cut in two."""
        self.advice.setMaximumHeight(max(_LEAST_ADVICE, self.height() - _LEAST_TABLE))
        rows = self.height() - _BESIDE_ROWS - self.advice.sizeHint().height()
        cut = max(0, rows) % Height.ROW if not self.advice.isHidden() else 0
        self._gap.changeSize(0, cut, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Maximum)
        self._column.invalidate()

    def _ask_advice(self) -> None:
        # until then the blocks of a long run are not put together
        if self.isVisible() and self._leaks.told:
            self.desk.ask(self._current_row())

    def _show_advice(self) -> None:
        found = self.desk.advice
        remedies = found.remedies if found is not None else ()
        undo = self.desk.undo_words if found is not None else ""
        lines = [(one.before, one.link, one.after) for one in remedies]
        self.advice.set_lines(found.why if found is not None else "", lines, undo)
        self._share_height()
        self._column.activate()
        current = self.table.currentIndex()
        if current.isValid():
            self.table.scrollTo(current)

    def _on_advice(self, number: int) -> None:
        found = self.desk.advice
        if found is not None and number < len(found.remedies):
            self.desk.apply(found.remedies[number])

    # copying

    def _current_row(self) -> FindingRow | None:
        row = self.table.currentIndex().data(ROW_ROLE)
        return row if isinstance(row, FindingRow) else None

    def _copy_row(self) -> None:
        row = self._current_row()
        if row is not None:
            QGuiApplication.clipboard().setText(row_as_text(row))
            self.context.say("Finding copied, its value masked")

    def _copy_test(self) -> None:
        row = self._current_row()
        case = as_test_case(row) if row is not None else None
        if case is None:
            self.context.say("The text of this finding is not on record")
            return
        QGuiApplication.clipboard().setText(case)
        self.context.say("Test case copied; it holds the matched text")


def _place_title(rows: FindingRows | None) -> str:
    if rows is None or not rows.has_messages:
        return CHUNKS
    return PLACES if rows.has_chunks else WHERE


def _selection_of_leak(row: FindingRow, run: int | None) -> Selection:
    event, chunk = row.event, row.store.rows.of_index(row.event.index)
    return Selection(
        run=run,
        step=event.step,
        attempt=event.attempt,
        hook=event.hook,
        processor=event.processor,
        row=chunk.number if chunk is not None else None,
        rule=event.rule,
        span=Span(event.start, event.end, column=event.processor or "", block=event.block),
    )
