"""Rules: the patterns of a processor, edited with undo; Replay shows at once what an edit does."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QStackedLayout, QVBoxLayout, QWidget

from tripscope.session.model import ProcessorSpec, SessionRule
from tripscope_gui.context import PaneContext
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import ROW_ROLE, ListModel
from tripscope_gui.models.rule_table import ENABLED, PATTERN, WIDTHS, rule_columns
from tripscope_gui.panes import Pane
from tripscope_gui.store.rule_edits import (
    RuleRow,
    added_rule,
    changed_rule,
    moved_rule,
    outgrows_window,
    processors_with_rules,
    removed_rule,
    rule_rows,
    window_of,
    with_option,
)
from tripscope_gui.store.rule_order import RuleOrder
from tripscope_gui.widgets.buttons import IconButton
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.notice import Severity
from tripscope_gui.widgets.rule_form import RuleForm
from tripscope_gui.widgets.tables import TableView

NEW_RULE: Final = SessionRule(name="new-rule", pattern="text to find", replacement="[REDACTED]")


class RulesPane(Pane):
    """The rules of one processor at a time; those of presets are read only and can be copied."""

    TITLE = "Rules"
    PLACE = "bottom-right"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._rows: list[RuleRow] = []
        self._numbers = RuleOrder()
        self._wanted: tuple[str, str] | None = None
        self.model: ListModel[RuleRow] = ListModel(rule_columns(self._number), (), self)
        self.table = TableView(theme, "rules")
        self.table.setModel(self.model)
        self.table.set_column_widths(WIDTHS, PATTERN)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.clicked.connect(self._on_clicked)
        self.form = RuleForm(theme)
        self.form.edited.connect(self._on_edited)
        self.form.link_activated.connect(self._on_link)
        self.processor = QComboBox(self)
        self.processor.setAccessibleName("processor whose rules are shown")
        self.processor.setProperty("small", True)
        self.processor.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.processor.setMinimumWidth(136)
        self.processor.currentIndexChanged.connect(lambda _index: self._fill())
        self.add = IconButton(theme, Icon.PLUS, "Add a rule", parent=self)
        self.add.clicked.connect(lambda: self._add(NEW_RULE))
        self.remove = IconButton(theme, Icon.TRASH, "Remove the selected rule", parent=self)
        self.remove.clicked.connect(self._remove)
        self.undo = IconButton(theme, Icon.UNDO, "Undo the last edit", parent=self)
        self.undo.clicked.connect(context.session.undo_stack.undo)
        context.session.undo_stack.canUndoChanged.connect(self.undo.setEnabled)
        self.undo.setEnabled(False)
        self.empty = EmptyState(theme, "No rules here", "", ("Add a rule",))
        self.empty.button_clicked.connect(lambda _number: self._add(NEW_RULE))
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._stack, 1)
        column.addWidget(self.form)
        context.session.changed.connect(self._on_session)
        for keys, move in (("Alt+Up", -1), ("Alt+Down", 1)):
            shortcut = QShortcut(QKeySequence(keys), self.table)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(lambda move=move: self._move(move))
        toggle = QShortcut(QKeySequence("Space"), self.table)
        toggle.setContext(Qt.ShortcutContext.WidgetShortcut)
        toggle.activated.connect(self._toggle)
        self._on_session()

    def head_widgets(self) -> list[QWidget]:
        return [self.processor, self.add, self.remove, self.undo]

    # what is shown

    def reset(self) -> None:
        self._fill()

    def grow(self, first: int, end: int) -> None:
        if any(event.kind == "finding" for event in self.store.events[first:end]):  # type: ignore[union-attr]
            self._fill()

    def follow(self) -> None:
        store, selection = self.store, self.context.selection.current
        if store is None or selection.finding is None:
            return
        finding = next((f for f in store.findings if f.seq == selection.finding), None)
        if finding is not None and finding.processor is not None:
            self.show_rule(finding.processor, finding.rule)

    def show_rule(self, processor: str, rule: str) -> None:
        """Select a rule of a processor; nothing happens if the session has no such rule."""
        index = self.processor.findData(processor)
        if index >= 0:
            self._wanted = (processor, rule)
            self.processor.setCurrentIndex(index)
            self._fill()

    @property
    def spec(self) -> ProcessorSpec | None:
        """The processor whose rules are shown, as the session has it now."""
        session = self.context.session.session
        wanted = self.processor.currentData()
        if session is None:
            return None
        return next((s for s in processors_with_rules(session) if s.id == wanted), None)

    @property
    def row(self) -> RuleRow | None:
        """The selected rule."""
        found: RuleRow | None = self.table.currentIndex().data(ROW_ROLE)
        return found

    def _number(self, rule: str) -> int:
        store = self.store
        return (store.rules if store is not None else self._numbers).number(rule)

    def _on_session(self) -> None:
        session = self.context.session.session
        specs = processors_with_rules(session) if session is not None else []
        kept = self.processor.currentData()
        with QSignalBlocker(self.processor):
            self.processor.clear()
            for spec in specs:
                strategy = spec.options.get("strategy")
                self.processor.addItem(f"{spec.id} · {strategy}" if strategy else spec.id, spec.id)
            self.processor.setCurrentIndex(max(self.processor.findData(kept), 0) if specs else -1)
        self.add.setEnabled(bool(specs))
        for button in self.empty.buttons:
            button.setEnabled(bool(specs))
        self._fill()

    def _fill(self) -> None:
        """Show the rules anew; the selection stays on the rule of the same name."""
        spec = self.spec
        selected = self.row
        keep = self._wanted or ((selected.processor, selected.rule.name) if selected else None)
        self._wanted = None
        store = self.store
        self._rows = rule_rows(spec, store.findings if store is not None else ()) if spec else []
        with QSignalBlocker(self.table.selectionModel()):
            self.model.reset(self._rows)
            at = next(
                (n for n, r in enumerate(self._rows) if (r.processor, r.rule.name) == keep), 0
            )
            if self._rows:
                self.table.setCurrentIndex(self.model.index(at, 0))
        self._stack.setCurrentIndex(1 if self._rows else 0)
        self.set_badge(str(len(self._rows)) if self._rows else "")
        self._show_form()

    def _show_form(self) -> None:
        row, spec = self.row, self.spec
        editable = row is not None and row.preset is None
        self.remove.setEnabled(editable)
        self.form.show_rule(row.rule if row is not None else None, editable=editable)
        if row is None or spec is None or self.form.problem() is not None:
            return
        shortest = outgrows_window(spec, row.rule)
        if shortest is not None:
            self.form.say(
                Severity.WARNING,
                f"Shortest match {shortest} > window {window_of(spec)}",
                "its start can leave undecided",
                f"set window to {_roomy(shortest)}",
            )
        elif row.preset is not None:
            preset = f"From preset {row.preset}"
            self.form.say(Severity.CHANGE, preset, "read only", "copy to edit")
        else:
            self.form.notice.hide()

    # what is done

    def _on_current(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_form()

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == ENABLED:
            self._toggle()

    def _on_edited(self, field: str, value: object) -> None:
        row, spec, access = self.row, self.spec, self.context.session
        if row is None or spec is None or access.session is None or row.place < 0:
            return
        changes: dict[str, object] = {field: value}
        if isinstance(value, tuple):
            changes = {"pattern": value[0], "flags": value[1]}
        if field == "name":
            self._wanted = (row.processor, str(value))
        words = f"edit {field} of {row.rule.name}"
        session = changed_rule(access.session, spec, row.place, **changes)
        access.edit(words, session, merge=f"{field} {row.processor} {row.place}")

    def _on_link(self) -> None:
        row, spec, access = self.row, self.spec, self.context.session
        if row is None or spec is None or access.session is None:
            return
        shortest = outgrows_window(spec, row.rule)
        if shortest is not None:
            window = _roomy(shortest)
            session = with_option(access.session, spec, "streamCarryoverSize", window)
            access.edit(f"set window of {spec.id} to {window}", session)
        elif row.preset is not None:
            self._add(row.rule)

    def _toggle(self) -> None:
        row, spec, access = self.row, self.spec, self.context.session
        if row is None or spec is None or access.session is None:
            return
        if row.preset is not None:
            self.context.say(
                f"{row.rule.name} is part of preset {row.preset}; copy it to change it"
            )
            return
        enabled = not row.rule.enabled
        session = changed_rule(access.session, spec, row.place, enabled=enabled)
        access.edit(f"switch {row.rule.name} {'on' if enabled else 'off'}", session)

    def _add(self, rule: SessionRule) -> None:
        spec, access = self.spec, self.context.session
        if spec is None or access.session is None:
            return
        session = added_rule(access.session, spec, rule)
        added = next(s for s in session.chain if s.id == spec.id).rules[-1]
        self._wanted = (spec.id, added.name)
        access.edit(f"add rule {added.name}", session)
        self.form.pattern.setFocus()

    def _remove(self) -> None:
        row, spec, access = self.row, self.spec, self.context.session
        if row is not None and row.place >= 0 and spec is not None and access.session is not None:
            session = removed_rule(access.session, spec, row.place)
            access.edit(f"remove rule {row.rule.name}", session)

    def _move(self, by: int) -> None:
        row, spec, access = self.row, self.spec, self.context.session
        if row is None or row.place < 0 or spec is None or access.session is None:
            return
        to = row.place + by
        if 0 <= to < len(spec.rules):
            session = moved_rule(access.session, spec, row.place, to)
            access.edit(f"move rule {row.rule.name}", session)


def _roomy(units: int) -> int:
    """The next power of two that holds a match of ``units`` UTF-16 units."""
    return 1 << (units - 1).bit_length()
