"""Rules: the patterns of a processor, edited with undo; Replay shows at once what an edit does."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from tripscope.session.filters import window_of
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import in_place
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.icons import Icon
from tripscope_gui.models.rule_table import (
    ENABLED,
    GroupRow,
    RuleLooks,
    TableRow,
    dock_columns,
    lab_columns,
    make_model,
)
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.rule_editor import RuleEditor
from tripscope_gui.store.rule_edits import RuleRow, outgrows_window, processor_title
from tripscope_gui.store.rule_facts import rule_facts
from tripscope_gui.tokens import Height
from tripscope_gui.trace_session import OF_RUN, can_make_session
from tripscope_gui.widgets.buttons import IconButton
from tripscope_gui.widgets.elided_combo import ElidedCombo
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.fact_list import FactList
from tripscope_gui.widgets.preset_list import PresetList
from tripscope_gui.widgets.reorder_table import ReorderTable

_ADD: Final = "Add a rule"
_EDIT_TRACE: Final = "Edit the chain of this trace"
_TRACE: Final = ("A trace without a session", "Its chain can be edited and replayed.")
_LOW: Final = 150
"""Height under which the notice stands beside the pattern, so that four rules stay in view."""
_LETTERS: Final = 11
"""Of the processor whose rules are shown, where there is room."""
_SLACK: Final = 2
"""By how much the margins of the form give way."""
_ROWS: Final = 4
"""Rules that stay in view, where the dock has the height."""


class RulesPane(Pane):
    """The rules of one processor at a time, in the rule lab of all; those of presets read only."""

    TITLE = "Rules"
    PLACE = "bottom-right"
    ORDER = 10
    LAB = "lab-left"

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.desk = desk_of(context)
        self._rows: list[TableRow] = []
        self._lab = False
        self._closed: set[str] = set()
        self._looks = RuleLooks(
            context.rule_number, self._hits, self._spent, self._time_outs, self._mark
        )
        self.model = make_model(self)
        self.table = ReorderTable(theme, "rules")
        self.table.setModel(self.model)
        self.form = RuleEditor(context, context.rule_number)
        self.processor = ElidedCombo(self)
        self.processor.setAccessibleName("processor whose rules are shown")
        self.processor.setProperty("small", True)
        adjusts = ElidedCombo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.processor.setSizeAdjustPolicy(adjusts)
        self.processor.setMinimumContentsLength(_LETTERS)
        # where tabs want the room
        self.processor.setMinimumWidth(40)
        self.add = IconButton(theme, Icon.PLUS, "Add a rule", parent=self)
        self.remove = IconButton(theme, Icon.TRASH, "Remove the selected rule", parent=self)
        self.undo = IconButton(theme, Icon.UNDO, "Undo the last edit", parent=self)
        self.undo.setEnabled(context.session.undo_stack.canUndo())
        words = (_ADD, "Paste a Mastra snippet")
        self.empty = EmptyState(theme, "No rules here", "", words)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._stack, 1)
        self._column.addWidget(self.form)
        # its height decides how the form is laid out, so the form may not decide the height
        self.setMinimumSize(200, Height.TABLE_HEAD)
        self._set_columns()
        self._connect()
        self._on_rows()

    def _connect(self) -> None:
        desk, stack = self.desk, self.context.session.undo_stack
        desk.rows_changed.connect(self._on_rows)
        desk.chosen.connect(self._on_chosen)
        desk.draft_changed.connect(self._touch)
        desk.costs.changed.connect(self._touch)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.clicked.connect(self._on_clicked)
        self.table.activated.connect(self._go_to_finding)
        self.table.row_dropped.connect(self._on_dropped)
        self.processor.currentIndexChanged.connect(self._on_processor)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(desk.remove)
        self.undo.clicked.connect(stack.undo)
        stack.canUndoChanged.connect(self.undo.setEnabled)
        self.empty.button_clicked.connect(self._on_empty)
        for keys, act in (
            ("Alt+Up", lambda: self._move(-1)),
            ("Alt+Down", lambda: self._move(1)),
            ("Space", self._toggle),
            ("Delete", desk.remove),
        ):
            shortcut = QShortcut(QKeySequence(keys), self.table)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)

    def head_widgets(self) -> list[QWidget]:
        tools: list[QWidget] = [self.add, self.remove, self.undo]
        return tools if self._lab else [self.processor, *tools]

    def settle_in_lab(self) -> None:
        self._lab = True
        self.processor.hide()
        self.form.hide()
        self.table.verticalHeader().setDefaultSectionSize(Height.RULE_ROW)
        self.presets = PresetList(self.context.theme)
        self.presets.copied.connect(self._copy_preset)
        self.facts = FactList(self.context.theme)
        self._column.addWidget(self.presets)
        self._column.addWidget(self.facts)
        for signal in (self.desk.preview.done, self.desk.costs.changed):
            signal.connect(self._on_preview)
        self._set_columns()
        self._on_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.form.set_low(self.height() < _LOW)
        if not self._lab:
            room = self.height() - self.form.sizeHint().height() - Height.TABLE_HEAD
            rows = max(1, min(_ROWS, (room + _SLACK) // Height.ROW))
            self._stack.setMinimumHeight(Height.TABLE_HEAD + rows * Height.ROW)

    def fill_menu(self, menu: QMenu) -> None:
        actions = self.context.actions
        for command in ("rules.paste", "rules.copy_typescript", "view.rule_lab", "chain.edit"):
            if command in actions:
                menu.addAction(actions.action(command))

    # what is shown

    @property
    def row(self) -> RuleRow | None:
        """The rule that is worked on."""
        return self.desk.row

    def follow(self) -> None:
        store, selection = self.store, self.context.selection.current
        if store is None:
            return
        event = store.event(selection.finding)
        processor = getattr(event, "processor", selection.processor)
        rule = getattr(event, "rule", selection.rule)
        if isinstance(processor, str) and isinstance(rule, str):
            self.desk.choose(processor, rule)

    def _set_columns(self) -> None:
        make = lab_columns if self._lab else dock_columns
        columns, widths, rest = make(self._looks)
        self.model.reset(self._rows, columns)
        self.table.set_column_widths(widths, rest)

    # In the lab hits, time and time-outs are those of the text that stands there.

    def _hits(self, row: RuleRow) -> int:
        if self._lab:
            return self.desk.preview.preview.hits.get(row.key, 0)
        return self.desk.costs.of(row).hits

    def _spent(self, row: RuleRow) -> int | None:
        if self._lab:
            return self.desk.preview.preview.spent.get(row.key)
        cost = self.desk.costs.of(row)
        return cost.nanoseconds if cost.searches else None

    def _time_outs(self, row: RuleRow) -> int:
        if self._lab:
            return int(row.key in self.desk.preview.preview.timed_out)
        return self.desk.costs.of(row).time_outs

    def _touch(self) -> None:
        if self.isVisible():
            self.model.touch(0, len(self._rows) - 1)

    def _mark(self, row: RuleRow) -> tuple[str, str, str] | None:
        """(icon, tone, words): what is wrong with a rule."""
        draft = self.desk.draft
        if draft is not None and draft.key == row.key:
            return Icon.CROSS, "blocked", "its pattern has an error; runs use the last good one"
        passed, number = row.tests
        if passed < number:
            return Icon.CROSS, "blocked", f"{number - passed} of its tests fail"
        if self.desk.costs.of(row).time_outs:
            return Icon.WARNING, "timed-out", "ran out of time in this run"
        spec = next((s for s in self.desk.specs if s.id == row.processor), None)
        shortest = outgrows_window(spec, row.rule) if spec is not None else None
        if spec is not None and shortest is not None:
            words = f"its shortest match {shortest} is longer than the window {window_of(spec)}"
            return Icon.WARNING, "flagged", f"{words}: its start can leave undecided"
        longest = self.desk.outgrown_here() if row is self.desk.row else None
        if longest is not None:
            words = f"its longest match in this run, {longest}, does not fit the window"
            return Icon.WARNING, "flagged", f"{words}: its start can leave undecided"
        return None

    def _on_rows(self) -> None:
        desk = self.desk
        with QSignalBlocker(self.processor):
            self.processor.clear()
            for spec in desk.specs:
                self.processor.addItem(in_place(processor_title(spec)), spec.id)
        self.processor.setEnabled(bool(desk.specs))
        self.add.setEnabled(desk.session is not None)
        of_trace = can_make_session(self.context) and OF_RUN in self.context.actions
        self.empty.set_text(*(_TRACE if of_trace else ("No rules here", "")))
        self.empty.buttons[0].setText(_EDIT_TRACE if of_trace else _ADD)
        for button in self.empty.buttons:
            button.setEnabled(desk.session is not None)
        self.empty.buttons[0].setEnabled(desk.session is not None or of_trace)
        self._fill()

    def _on_chosen(self) -> None:
        self._fill()

    def _fill(self) -> None:
        desk = self.desk
        spec = desk.spec
        with QSignalBlocker(self.processor):
            self.processor.setCurrentIndex(self.processor.findData(spec.id) if spec else -1)
        if self._lab:
            self._rows = self._grouped()
        else:
            self._rows = list(desk.rows_of(spec.id)) if spec is not None else []
        self._show_rows()
        self._stack.setCurrentIndex(1 if self._rows else 0)
        self.set_badge(str(len(desk.rows)) if desk.rows else "")
        self.remove.setEnabled(desk.row is not None and desk.row.place >= 0)
        self.form.setVisible(not self._lab and bool(self._rows))
        if self._lab:
            self.presets.show_presets(spec.options.get("presets") or () if spec else ())
            self._show_facts()

    def _show_rows(self) -> None:
        scroll = self.table.verticalScrollBar()
        with QSignalBlocker(self.table.selectionModel()):
            if not self.model.exchange(self._rows):
                place = scroll.value()
                self.model.reset(self._rows)
                scroll.setValue(place)
                self.table.clearSpans()
                for at, row in enumerate(self._rows):
                    if isinstance(row, GroupRow):
                        self.table.setSpan(at, 0, 1, len(self.model.columns))
            current = self.desk.row
            at = next((n for n, row in enumerate(self._rows) if row is current), -1)
            if at >= 0 and at != self.table.currentIndex().row():
                index = self.model.index(at, 0)
                self.table.setCurrentIndex(index)
                self.table.scrollTo(index)

    def _grouped(self) -> list[TableRow]:
        found: list[TableRow] = []
        for spec in self.desk.specs:
            is_open = spec.id not in self._closed
            found.append(GroupRow(spec, is_open))
            if is_open:
                found += self.desk.rows_of(spec.id)
        return found

    def _on_preview(self) -> None:
        self._touch()
        if self.isVisible():
            self._show_facts()

    def _show_facts(self) -> None:
        row, spec = self.desk.row, self.desk.spec
        if row is None or spec is None:
            self.facts.hide()
            return
        title = (
            "facts about the last good pattern" if self.desk.draft else "facts about its pattern"
        )
        cost = self.desk.costs.of(row) if self.store is not None else None
        facts = rule_facts(row, spec, self.desk.preview.preview, cost)
        self.facts.show_facts(row.rule.name, title, facts)
        self.facts.show()

    # what is done

    def _on_current(self, now: QModelIndex, _before: QModelIndex) -> None:
        row = self.model.row(now.row())
        if isinstance(row, RuleRow):
            self.desk.choose_row(row)

    def _on_processor(self, index: int) -> None:
        processor = self.processor.itemData(index)
        if processor is not None:
            self.desk.choose(processor)

    def _on_clicked(self, index: QModelIndex) -> None:
        row = self.model.row(index.row())
        if isinstance(row, GroupRow):
            self._closed ^= {row.processor}
            self._fill()
        elif index.column() == ENABLED and row is not None:
            self.desk.toggle(row)

    def _go_to_finding(self, index: QModelIndex) -> None:
        """Enter or a double click: the first match of the rule in the run."""
        row, store, run = self.model.row(index.row()), self.store, self.context.run
        if not isinstance(row, RuleRow) or store is None or run is None:
            return
        for finding in store.findings:
            if (finding.processor, finding.rule) == (row.processor, row.rule.name):
                self.context.selection.set(selection_of(run.number, store, finding))
                return
        self.context.say(f"{row.rule.name} matched nothing in this run")

    def _toggle(self) -> None:
        row = self.model.row(self.table.currentIndex().row())
        if isinstance(row, RuleRow):
            self.desk.toggle(row)

    def _add(self) -> None:
        self.desk.add()
        if not self._lab:
            self.form.pattern.setFocus()
            self.form.pattern.selectAll()

    def _on_empty(self, button: int) -> None:
        if button == 0 and self.desk.session is None:
            self.context.actions.trigger(OF_RUN)
        elif button == 0:
            self._add()
        elif "rules.paste" in self.context.actions:
            self.context.actions.trigger("rules.paste")

    def _move(self, by: int) -> None:
        row = self.desk.row
        if row is not None:
            self.desk.move(row, row.place + by)

    def _on_dropped(self, source: int, target: int) -> None:
        row = self.model.row(source)
        if not isinstance(row, RuleRow) or row.place < 0:
            return
        own = [
            at
            for at, other in enumerate(self._rows)
            if isinstance(other, RuleRow) and other.processor == row.processor and other.place >= 0
        ]
        before = sum(1 for at in own if at < target and at != source)
        self.desk.move(row, before)

    def _copy_preset(self, preset: str) -> None:
        spec = self.desk.spec
        self.desk.copy_preset(spec.id if spec is not None else None, preset)
        self.table.setFocus()
