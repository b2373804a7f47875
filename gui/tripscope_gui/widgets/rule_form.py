"""The form of one rule: pattern, flags, replacement, and what is to be said about them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from tripscope import patterns
from tripscope.session.model import SessionRule
from tripscope_gui.fonts import mono_font
from tripscope_gui.theme import Theme, set_style_property
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.notice import Notice, Severity
from tripscope_gui.widgets.pattern_edit import PatternEdit


class RuleForm(QWidget):
    """Edits one rule.

    A pattern that JavaScript refuses is marked and not handed on: runs use its last good form.
    """

    edited = Signal(str, object)
    """(field, value): a good value was typed; ``pattern`` comes with its flags, as a pair."""
    link_activated = Signal()
    """The notice's one thing to do was asked for."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rule: SessionRule | None = None
        self.name = _field("name of the rule")
        self.pattern = PatternEdit(theme, "pattern of the rule, JavaScript syntax")
        self.flags = _field("flags of the pattern", mono=True)
        self.flags.setFixedWidth(52)
        self.replacement = _field("replacement", mono=True)
        self.replacement.setPlaceholderText("[REDACTED]")
        self.notice = Notice(theme)
        self.notice.link_activated.connect(self.link_activated)
        self.name.textEdited.connect(lambda text: self._hand_on("name", text))
        self.pattern.edited.connect(self._on_pattern)
        self.flags.textEdited.connect(self._on_pattern)
        self.replacement.textEdited.connect(
            lambda text: self._hand_on("replacement", text if text else None)
        )
        first = QHBoxLayout()
        first.setSpacing(Space.BASE)
        first.addWidget(self.pattern, 1)
        first.addWidget(self.flags)
        second = QHBoxLayout()
        second.setSpacing(Space.BASE)
        for label, edit, share in (("name", self.name, 2), ("replacement", self.replacement, 3)):
            second.addWidget(PlainLabel(label, "t3", px=11))
            second.addWidget(edit, share)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.WIDE, Space.BASE, Space.WIDE, Space.BASE)
        column.setSpacing(Space.BASE)
        column.addLayout(first)
        column.addLayout(second)
        column.addWidget(self.notice)

    def show_rule(self, rule: SessionRule | None, *, editable: bool) -> None:
        """Show a rule; one from a preset can be read and not changed."""
        fresh = rule is None or self._rule is None or rule.name != self._rule.name
        self._rule = rule
        self.setEnabled(rule is not None)
        for edit in (self.name, self.flags, self.replacement):
            edit.setReadOnly(not editable)
        self.pattern.setReadOnly(not editable)
        if rule is None:
            self.pattern.set_text("")
            self.notice.hide()
            return
        _show(self.name, rule.name)
        _show(self.replacement, rule.replacement or "")
        if fresh or self.problem() is None:
            self.pattern.set_text(rule.pattern)
            _show(self.flags, rule.flags)
        self.mark()

    def problem(self) -> patterns.PatternError | None:
        """Why JavaScript refuses the pattern and flags as they stand in the form."""
        try:
            patterns.compile(self.pattern.toPlainText(), self.flags.text())
        except patterns.PatternError as error:
            return error
        return None

    def mark(self) -> bool:
        """Mark a syntax error at its position; gives whether there is none."""
        error = self.problem() if self._rule is not None else None
        self.pattern.set_error(error.position if error is not None else None)
        set_style_property(self.flags, "invalid", error is not None and "flag" in error.reason)
        if error is not None:
            self.say(
                Severity.FAILURE,
                f"Position {error.position}, UTF-16",
                f"{error.reason}; runs use the last good pattern",
            )
        return error is None

    def say(self, severity: Severity, title: str, text: str, link: str = "") -> None:
        """Show a notice under the fields."""
        self.notice.set_notice(severity, title, text, link)
        self.notice.show()

    def _on_pattern(self) -> None:
        if self.mark():
            self._hand_on("pattern", (self.pattern.toPlainText(), self.flags.text()))

    def _hand_on(self, field: str, value: object) -> None:
        if self._rule is not None:
            self.edited.emit(field, value)


def _field(name: str, *, mono: bool = False) -> QLineEdit:
    edit = QLineEdit()
    edit.setAccessibleName(name)
    if mono:
        edit.setFont(mono_font(TypeSize.EDITOR_MONO))
    return edit


def _show(edit: QLineEdit, text: str) -> None:
    if edit.text() != text:
        edit.setText(text)
