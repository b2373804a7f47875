"""Tests of the rule that is worked on: run at each edit of the rule or of a test."""

from __future__ import annotations

import re
from time import perf_counter_ns
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QHideEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from tripscope.patterns.units import join_surrogates, spread
from tripscope.session.model import RuleTest
from tripscope_gui.bars.formats import duration
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import shown
from tripscope_gui.fonts import mono_font
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import ListModel
from tripscope_gui.models.rule_test_table import TEXT, WIDTHS, TestLine, line_columns
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.store.given_text import GivenTexts
from tripscope_gui.store.rule_edits import test_results
from tripscope_gui.store.rule_test_words import failure_words, misses, nearest, span_words
from tripscope_gui.theme import set_style_property
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.buttons import Button, IconButton, Kind
from tripscope_gui.widgets.chip import Chip
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.failure_box import FailureBox
from tripscope_gui.widgets.labels import ElidedLabel
from tripscope_gui.widgets.segmented import SegmentedControl
from tripscope_gui.widgets.tables import TableView
from tripscope_gui.widgets.text_field import TextField

_SPAN: Final = re.compile(r"\s*(\d+)\s*[-\u2013,]\s*(\d+)\s*")
_ROOMY: Final = 200
_AROUND: Final = 80
"""UTF-16 units on both sides of a match that become part of its test."""


class TestsPane(Pane):
    """A table, the fields of the selected test, and why it fails."""

    TITLE = "Tests"
    PLACE = "bottom-right"
    ORDER = 20
    LAB = "lab-right"

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.desk = desk_of(context)
        self._all: list[TestLine] = []
        self._lines: list[TestLine] = []
        self._wanted: int | None = None
        self.model: ListModel[TestLine] = ListModel(line_columns(), (), self)
        self.table = TableView(theme, "tests of the rule")
        self.table.setModel(self.model)
        self.table.set_column_widths(WIDTHS, TEXT)
        self.failing = Chip("failing only", parent=self)
        self.add = IconButton(theme, Icon.PLUS, "Add a test", parent=self)
        self.remove = IconButton(theme, Icon.TRASH, "Remove the selected test", parent=self)
        self.text = TextField(theme, "text of the test")
        self.should = SegmentedControl(
            (("match", "match"), ("none", "no match")), "the rule should", "match"
        )
        self.span = _field("span in UTF-16 units, such as 0-19", "span, UTF-16")
        self.span.setFixedWidth(84)
        self.replacement = _field("text after the replacement", "text after replacement")
        self.box = FailureBox(theme)
        self.summary = ElidedLabel(theme, tone="t2", px=TypeSize.LABEL)
        self.from_selection = Button(theme, "add from selection", kind=Kind.LINK, small=True)
        self.from_selection.setToolTip(
            "A test from what is selected in the preview, or from the selected finding"
        )
        self.empty = EmptyState(theme, "No tests", "", ("Add a test",))
        self._lay_out()
        self._connect()
        self._on_rows()

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.setMinimumHeight(42)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self._fields = QWidget()
        fields = QHBoxLayout(self._fields)
        fields.setContentsMargins(Space.BASE, 3, Space.BASE, 3)
        fields.setSpacing(Space.SNUG)
        fields.addWidget(self.text, 3)
        fields.addWidget(self.should)
        fields.addWidget(self.span)
        fields.addWidget(self.replacement, 2)
        footer = QFrame()
        footer.setProperty("kind", "footer")
        line = QHBoxLayout(footer)
        line.setContentsMargins(Space.BASE, 2, Space.BASE, 2)
        line.addWidget(self.summary, 1)
        line.addWidget(self.from_selection)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self.box)
        column.addWidget(self._fields)
        column.addWidget(footer)
        self.setMinimumSize(200, 60)

    def _connect(self) -> None:
        self.desk.rows_changed.connect(self._on_rows)
        self.desk.chosen.connect(self._on_rows)
        self.desk.draft_changed.connect(self._show_summary)
        self.desk.stop.changed.connect(self._show_failure)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.failing.toggled.connect(lambda _on: self._on_rows())
        self.add.clicked.connect(lambda: self.add_test(RuleTest(text="")))
        self.empty.button_clicked.connect(lambda _n: self.add_test(RuleTest(text="")))
        self.remove.clicked.connect(self._remove)
        self.from_selection.clicked.connect(self._add_from_selection)
        self.text.edited.connect(lambda text: self._change("text", text=text))
        self.should.selected.connect(self._on_should)
        self.span.textEdited.connect(self._on_span)
        self.replacement.textEdited.connect(
            lambda text: self._change("replacement", replacement=text or None)
        )
        shortcut = QShortcut(QKeySequence("Delete"), self.table)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(self._remove)

    def head_widgets(self) -> list[QWidget]:
        return [self.failing, self.add, self.remove]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_failure()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_failure()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ask_stop()

    # what is shown

    @property
    def line(self) -> TestLine | None:
        """The selected test."""
        return self.model.row(self.table.currentIndex().row())

    def _on_rows(self) -> None:
        row = self.desk.row
        begun = perf_counter_ns()
        results = test_results(row.rule) if row is not None else []
        self._took = perf_counter_ns() - begun
        tests = row.rule.tests if row is not None else []
        self._all = [TestLine(n, t, r) for n, (t, r) in enumerate(zip(tests, results, strict=True))]
        kept = self._wanted if self._wanted is not None else (self.line.place if self.line else 0)
        self._wanted = None
        only = self.failing.isChecked()
        self._lines = [t for t in self._all if not (only and t.result.passed)]
        with QSignalBlocker(self.table.selectionModel()):
            self.model.reset(self._lines)
            places = [line.place for line in self._lines]
            if places:
                at = places.index(kept) if kept in places else min(kept, len(places) - 1)
                self.table.setCurrentIndex(self.model.index(at, 0))
        self._show_empty()
        passed = sum(line.result.passed for line in self._all)
        self.set_badge(f"{passed}/{len(self._all)}" if self._all else "")
        self.failing.setEnabled(bool(self._all))
        self._show_line()
        self._show_summary()

    def _show_empty(self) -> None:
        row = self.desk.row
        self._stack.setCurrentIndex(1 if self._lines else 0)
        editable = row is not None and row.place >= 0
        if row is None:
            self.empty.set_text("No rule is selected", "Tests belong to a rule.")
        elif not editable:
            self.empty.set_text(
                "Rules of presets have no tests here", f"Copy preset {row.preset} to edit it."
            )
        elif self._all:
            self.empty.set_text("No test fails", "")
        else:
            self.empty.set_text("No tests", "They run at each edit of the rule.")
        for button in self.empty.buttons:
            button.setVisible(editable and not self._all)
        self.add.setEnabled(editable)
        self.from_selection.setEnabled(editable)

    def _show_line(self) -> None:
        line = self.line
        self.remove.setEnabled(line is not None)
        self._fields.setVisible(line is not None)
        if line is not None:
            self.text.set_text(shown(line.test.text))
            with QSignalBlocker(self.should):
                self.should.set_current("match" if line.test.match else "none")
            self.span.setEnabled(line.test.match)
            if not self.span.hasFocus():
                self.span.setText(span_words(line.test.span) if line.test.span else "")
                set_style_property(self.span, "invalid", False)
            replacement = shown(line.test.replacement or "")
            if self.replacement.text() != replacement:
                self.replacement.setText(replacement)
                self.replacement.setCursorPosition(0)
        self._show_failure()

    def _show_failure(self) -> None:
        line, row = self.line, self.desk.row
        fails = line is not None and not line.result.passed
        self.box.setVisible(fails and self.height() >= _ROOMY)
        self._ask_stop()
        if line is None or row is None or not fails:
            self._show_summary()
            return
        what, expected = self._failure(line)
        want = line.test.span if line.test.match else None
        found = self.desk.stop.found
        reached = found.stop.matched if found is not None and found.stop is not None else None
        got = nearest(line.test, line.result) or reached
        look = self.context.rule_number(row.rule.name)
        self.box.show_failure(line.place + 1, what, expected, line.test.text, want, got, look)
        self._show_summary()

    def _ask_stop(self) -> None:
        """Where does the rule stop in a text that it should match and does not?"""
        line, row = self.line, self.desk.row
        if (
            line is None
            or row is None
            or not self.isVisible()
            or not misses(line.test, line.result)
        ):
            self.desk.stop.ask(self, None)
        else:
            self.desk.stop.ask(self, (row.rule.pattern, row.rule.flags, line.test.text))

    def _failure(self, line: TestLine) -> tuple[str, str]:
        """(what is wrong: where it stops, if that is known; what was expected)."""
        what, expected = failure_words(line.test, line.result)
        found = self.desk.stop.found
        return (found.words if found is not None else what), expected

    def _show_summary(self) -> None:
        line = self.line
        if line is not None and not line.result.passed and self.height() < _ROOMY:
            what, expected = self._failure(line)
            self.summary.set_text(f"Test {line.place + 1} fails: {what}; {expected}")
            self.summary.set_tone("blocked")
            return
        failed = sum(not line.result.passed for line in self._all)
        passed = len(self._all) - failed
        words = f"{passed} pass" + (f" \u00b7 {failed} fail" if failed else "")
        on = "run on the last good pattern" if self.desk.draft is not None else "run at each edit"
        self.summary.set_text(f"{words} \u00b7 {on}, {duration(self._took)}" if self._all else "")
        self.summary.set_tone("blocked" if failed else "t2")

    # what is done

    def _on_current(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_line()

    def add_test(self, test: RuleTest) -> None:
        """Add a test at the end and select it."""
        row = self.desk.row
        if row is None or row.place < 0:
            return
        self._wanted = len(row.rule.tests)
        self.desk.set_tests([*row.rule.tests, test], f"add a test of {row.rule.name}")
        self.text.setFocus()

    def _remove(self) -> None:
        line, row = self.line, self.desk.row
        if line is not None and row is not None:
            tests = [test for n, test in enumerate(row.rule.tests) if n != line.place]
            self.desk.set_tests(tests, f"remove test {line.place + 1} of {row.rule.name}")

    def _change(self, what: str, **fields: Any) -> None:
        line, row = self.line, self.desk.row
        if line is None or row is None:
            return
        self._wanted = line.place
        tests = list(row.rule.tests)
        tests[line.place] = line.test.model_copy(update=fields)
        self.desk.set_tests(
            tests,
            f"edit {what} of test {line.place + 1}",
            f"test {row.processor} {row.rule.name} {line.place} {what}",
        )

    def _on_should(self, key: str) -> None:
        if key == "match":
            self._change("expectation", match=True)
        else:
            self._change("expectation", match=False, span=None)

    def _on_span(self, text: str) -> None:
        found = _SPAN.fullmatch(text)
        span = (int(found.group(1)), int(found.group(2))) if found is not None else None
        right = not text.strip() or (span is not None and span[0] <= span[1])
        set_style_property(self.span, "invalid", not right)
        if right:
            self._change("span", span=span)

    def _add_from_selection(self) -> None:
        test = self._selected_text() or self._selected_finding()
        if test is None:
            self.context.say("Select text in the preview, or a finding, to make a test of it")
        else:
            self.add_test(test)

    def _selected_text(self) -> RuleTest | None:
        preview = self.desk.preview
        if preview.selected is None or not self.desk.preview.watched:
            return None
        return around(preview.text, *preview.selected)

    def _selected_finding(self) -> RuleTest | None:
        store, seq = self.store, self.context.selection.current.finding
        finding = next((f for f in store.findings if f.seq == seq), None) if store else None
        text = GivenTexts(store).of(finding) if store is not None and finding is not None else None
        if finding is None or text is None:
            return None
        return around(text, finding.start, finding.end)


def around(text: str, start: int, end: int) -> RuleTest:
    """A test of ``[start, end)`` with a little of the text on both sides; UTF-16 units."""
    units = spread(text)
    low = max(units.rfind("\n", 0, start) + 1, start - _AROUND)
    line_end = units.find("\n", end)
    high = min(line_end if line_end >= 0 else len(units), end + _AROUND)
    return RuleTest(text=join_surrogates(units[low:high]), span=(start - low, end - low))


def _field(name: str, hint: str) -> QLineEdit:
    edit = QLineEdit()
    edit.setAccessibleName(name)
    edit.setPlaceholderText(hint)
    edit.setFont(mono_font(TypeSize.CELL_MONO))
    edit.setToolTip(name)
    return edit
