"""Safety: whether the rule that is worked on can blow up in JavaScript, where it is deployed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from tripscope.patterns import PatternError
from tripscope.patterns.units import utf16_len
from tripscope.rules.diagnosis import Diagnosis, diagnose
from tripscope.rules.rule import RegexRule
from tripscope.rules.v8 import confirm_in_v8
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.fonts import mono_font
from tripscope_gui.icons import Icon
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.store.rule_edits import window_of
from tripscope_gui.threads import in_thread
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.notice import Notice, Severity

_SECONDS: Final = 1.0
_WAIT_MS: Final = 300
_NOTHING_FOUND: Final = (
    "No text was found that makes it take exponential time in JavaScript. That is no proof, and"
    " long texts may still take time that grows with the square of their length."
)


class SafetyPane(Pane):
    """The text that shows it, to copy, and the measure of it in V8 where V8 is installed."""

    TITLE = "Safety"
    PLACE = "lab-low"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.desk = desk_of(context)
        self._rule: RegexRule | None = None
        # the preview comes first: this work and that share the interpreter
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_WAIT_MS)
        self._later.timeout.connect(self._ask)
        self._asked: tuple[RegexRule, int, bool] | None = None
        self.diagnosis: Diagnosis | None = None
        self.notice = Notice(theme)
        self.attack = QLineEdit()
        self.attack.setReadOnly(True)
        self.attack.setFont(mono_font(TypeSize.EDITOR_MONO))
        self.attack.setAccessibleName("attack string")
        self.length = PlainLabel("", "t2", px=TypeSize.LABEL)
        self.copy = Button(theme, "Copy", Icon.COPY, small=True)
        self.try_it = Button(theme, "Try it in V8", Icon.PLAY, small=True)
        self.verdict = PlainLabel("", "t2")
        self.warnings = PlainLabel("", "t2")
        self.empty = EmptyState(theme, "No rule is selected", "")
        for label in (self.verdict, self.warnings):
            label.setWordWrap(True)
        self._details = QWidget()
        details = QVBoxLayout(self._details)
        details.setContentsMargins(0, 0, 0, 0)
        details.setSpacing(Space.BASE)
        line = QHBoxLayout()
        line.addWidget(self.attack, 1)
        line.addWidget(self.copy)
        second = QHBoxLayout()
        second.addWidget(self.try_it)
        second.addWidget(self.verdict, 1)
        details.addWidget(self.length)
        details.addLayout(line)
        details.addLayout(second)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.WIDE, Space.WIDE, Space.WIDE, Space.WIDE)
        column.setSpacing(Space.WIDE)
        column.addWidget(self.notice)
        column.addWidget(self._details)
        column.addWidget(self.warnings)
        column.addWidget(self.empty, 1)
        column.addStretch(1)
        self.copy.clicked.connect(self._copy)
        self.try_it.clicked.connect(context.tasks.slot(self._try, "try it in V8"))
        self.try_it.setVisible(find_spec("py_mini_racer") is not None)
        for signal in (self.desk.rows_changed, self.desk.chosen):
            signal.connect(self._later.start)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def _ask(self) -> None:
        """Diagnose the rule anew, if it or its processor's window differs."""
        row, spec = self.desk.row, self.desk.spec
        if not self.isVisible():
            return
        if row is None or spec is None:
            self._rule, self._asked = None, None
            self._show(None)
            return
        rule = row.rule
        try:
            made = RegexRule(rule.name, rule.pattern, rule.flags, rule.replacement)
        except PatternError:
            return
        complete = spec.options.get("streamHold") == "complete"
        asked = (made, window_of(spec), complete)
        if asked != self._asked:
            self._asked = asked
            self._rule = made
            self.context.tasks.start(self._diagnose(*asked), "diagnose a rule")

    async def _diagnose(self, rule: RegexRule, window: int, complete: bool) -> None:
        found = await in_thread(diagnose, [rule], window=window, complete=complete)
        if rule is self._rule:
            self._show(found[0])

    def _show(self, found: Diagnosis | None) -> None:
        self.diagnosis = found
        self.empty.setVisible(found is None)
        attack = found.attack if found is not None else None
        self.notice.setVisible(attack is not None)
        self._details.setVisible(attack is not None)
        self.verdict.setText("")
        self.set_badge("1" if attack is not None else "")
        if found is None:
            self.warnings.setText("")
            return
        words = [f"\u26a0 {w}" for w in found.warnings if "exponential time" not in w]
        if attack is None:
            words.insert(0, _NOTHING_FOUND)
        else:
            self.notice.set_notice(
                Severity.WARNING,
                "Can blow up in JavaScript",
                "fast here, slow where you deploy",
            )
            text = attack.text()
            self.attack.setText(one_line(text))
            self.attack.setCursorPosition(0)
            self.length.setText(f"Attack string, {utf16_len(text):,} UTF-16 units")
        self.warnings.setText("\n\n".join(words))

    def _copy(self) -> None:
        if self.diagnosis is not None and self.diagnosis.attack is not None:
            QApplication.clipboard().setText(self.diagnosis.attack.text())
            self.context.say("The attack string is on the clipboard")

    async def _try(self) -> None:
        rule, found = self._rule, self.diagnosis
        if rule is None or found is None or found.attack is None:
            return
        self.try_it.setEnabled(False)
        self.verdict.setText("running in V8\u2026")
        try:
            slow = await in_thread(confirm_in_v8, rule, found.attack, seconds=_SECONDS)
        finally:
            self.try_it.setEnabled(True)
        words = {
            True: f"V8 needs more than {_SECONDS:g} s for it",
            False: f"V8 is done within {_SECONDS:g} s",
            None: "V8 gave no answer",
        }
        if rule is self._rule:
            self.verdict.setText(words[slow])
