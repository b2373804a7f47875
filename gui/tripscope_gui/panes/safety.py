"""Safety: whether the rule that is worked on can blow up in JavaScript, where it is deployed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from tripscope.patterns import PatternError
from tripscope.patterns.units import utf16_len
from tripscope.rules.blow_up import Attack
from tripscope.rules.budget import DEFAULT_BUDGET
from tripscope.rules.diagnosis import Diagnosis, diagnose, slowness
from tripscope.rules.rule import RegexRule
from tripscope.rules.v8 import Measured, measure_in_v8, v8_is_there
from tripscope.session.filters import window_of
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.fonts import mono_font
from tripscope_gui.icons import Icon
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.store.attack_words import attack_test, notice_words, pieces, verdict
from tripscope_gui.threads import in_thread
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.growth_chart import Growth, GrowthChart
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel
from tripscope_gui.widgets.notice import Notice, Severity

_SECONDS: Final = 1.0
_WAIT_MS: Final = 300
_SHOWN: Final = 300
"""Units of an attack that its field holds; all of it is copied."""
_CHART_SHARE: Final = 3
"""Of the pane's spare height, while there is a chart."""
_NOTHING_FOUND: Final = (
    "No text was found that makes it slow in JavaScript. That is no proof: what refers to groups"
    " or looks behind is not followed."
)
_NO_V8: Final = "Install tripscope[js] to measure it in V8"


class SafetyPane(Pane):
    """A text that shows it, to copy or keep as a test, and what V8 takes for it."""

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
        self._asked: tuple[object, ...] | None = None
        self.diagnosis: Diagnosis | None = None
        self.notice = Notice(theme)
        self.attack = QLineEdit()
        self.attack.setReadOnly(True)
        self.attack.setFont(mono_font(TypeSize.EDITOR_MONO))
        self.attack.setAccessibleName("attack string")
        self.length = ElidedLabel(theme, tone="t2", px=TypeSize.LABEL)
        self.copy = Button(theme, "Copy", Icon.COPY, small=True)
        self.measure = Button(theme, "Measure in V8", Icon.PLAY, small=True)
        self.as_test = Button(theme, "add as test", kind=Kind.LINK, small=True)
        self.as_test.setToolTip("A test of the rule on a short form of this text")
        self.verdict = PlainLabel("" if v8_is_there() else _NO_V8, "t2")
        self.chart = GrowthChart(theme)
        self.chart.hide()
        self.measured: Measured | None = None
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
        second.addWidget(self.measure)
        second.addWidget(self.verdict, 1)
        first = QHBoxLayout()
        first.addWidget(self.length, 1)
        first.addWidget(self.as_test)
        details.addLayout(first)
        details.addLayout(line)
        details.addLayout(second)
        details.addWidget(self.chart, 1)
        page = QWidget()
        self._column = column = QVBoxLayout(page)
        column.setContentsMargins(Space.WIDE, Space.WIDE, Space.WIDE, Space.WIDE)
        column.setSpacing(Space.WIDE)
        column.addWidget(self.notice)
        column.addWidget(self._details)
        column.addWidget(self.warnings)
        column.addWidget(self.empty, 1)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setAccessibleName("safety of the rule")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)
        self.copy.clicked.connect(self._copy)
        self.measure.clicked.connect(context.tasks.slot(self._measure, "ask V8"))
        self.measure.setVisible(v8_is_there())
        self.as_test.clicked.connect(context.tasks.slot(self._keep, "test of an attack"))
        for signal in (self.desk.rows_changed, self.desk.chosen):
            signal.connect(self._later.start)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def _ask(self) -> None:
        """Diagnose the rule anew, if it or its processor's window differs."""
        row, spec = self.desk.row, self.desk.spec
        if row is None or spec is None:
            self._rule, self._asked = None, None
            self._show(None)
            return
        rule, window = row.rule, window_of(spec)
        complete = spec.options.get("streamHold") == "complete"
        asked = (rule.name, rule.pattern, rule.flags, rule.replacement, window, complete)
        if asked == self._asked:
            return
        if not self.isVisible():
            # what is known, or found out now, is of another rule, and nobody looks
            self._rule, self._asked = None, None
            self.set_badge("")
            return
        try:
            made = RegexRule(rule.name, rule.pattern, rule.flags, rule.replacement)
        except PatternError:
            return
        self._asked = asked
        self._rule = made
        self.context.tasks.start(self._diagnose(made, window, complete), "diagnose a rule")

    async def _diagnose(self, rule: RegexRule, window: int, complete: bool) -> None:
        found = await in_thread(diagnose, [rule], window=window, complete=complete)
        if rule is self._rule:
            self._show(found[0])

    @property
    def _attack(self) -> Attack | None:
        return self.diagnosis.attack if self.diagnosis is not None else None

    def _show(self, found: Diagnosis | None) -> None:
        self.diagnosis = found
        self.empty.setVisible(found is None)
        attack = self._attack
        self.notice.setVisible(attack is not None)
        self._details.setVisible(attack is not None)
        self._show_measured(None)
        self.set_badge("1" if attack is not None else "")
        if found is None:
            self.warnings.setText("")
            return
        words = [f"\u26a0 {w}" for w in found.warnings if attack is None or w != slowness(attack)]
        if attack is None:
            words.insert(0, _NOTHING_FOUND)
        else:
            self.notice.set_notice(Severity.WARNING, *notice_words(attack))
            text = attack.text()
            self.attack.setText(one_line(text[:_SHOWN]))
            self.attack.setCursorPosition(0)
            self.length.set_text(
                f"Attack string, {utf16_len(text):,} UTF-16 units: {pieces(attack)}"
            )
            self.as_test.setEnabled(self.desk.row is not None and self.desk.row.place >= 0)
        self.warnings.setText("\n\n".join(words))

    def _show_measured(self, measured: Measured | None) -> None:
        self.measured = measured
        attack = self._attack
        self.verdict.setText("" if v8_is_there() else _NO_V8)
        self._column.setStretchFactor(self._details, 0 if measured is None else _CHART_SHARE)
        if measured is None or attack is None:
            self.chart.show_growth(None)
            return
        self.verdict.setText(verdict(measured, attack))
        self.chart.show_growth(
            Growth(measured.points, measured.confirms, attack.degree is None, DEFAULT_BUDGET.call)
        )

    def _copy(self) -> None:
        if self._attack is not None:
            QApplication.clipboard().setText(self._attack.text())
            self.context.say("The attack string is on the clipboard")

    async def _measure(self) -> None:
        rule, attack = self._rule, self._attack
        if rule is None or attack is None:
            return
        self.measure.setEnabled(False)
        self.verdict.setText("running in V8\u2026")
        try:
            measured = await in_thread(measure_in_v8, rule, attack, seconds=_SECONDS)
        finally:
            self.measure.setEnabled(True)
        if attack is not self._attack:
            return
        self._show_measured(measured)
        if measured is None:
            self.verdict.setText("V8 gave no answer")

    async def _keep(self) -> None:
        """Make the attack a test of the rule, with what the rule finds in it now."""
        rule, attack = self._rule, self._attack
        if rule is None or attack is None:
            return
        test = await in_thread(attack_test, rule, attack)
        row = self.desk.row
        if row is None or rule is not self._rule:
            return
        if any(old == test for old in row.rule.tests):
            self.context.say(f"{rule.name} has this test")
            return
        self.desk.set_tests([*row.rule.tests, test], f"add an attack to the tests of {rule.name}")
        self.context.say(f"The attack is a test of {rule.name} now")
