"""The fields of one rule: a line in a dock, a form where there is room."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from tripscope.session.model import SessionRule
from tripscope_gui.delegates.texts import shown
from tripscope_gui.fonts import mono_font
from tripscope_gui.theme import Theme, set_style_property
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.flag_row import FlagRow
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.notice import Notice
from tripscope_gui.widgets.pattern_edit import PatternEdit
from tripscope_gui.widgets.swatch_row import SwatchRow

_LINE: Final = 28
_LEAST: Final = 420
_ROOM: Final = 560
"""Width from which name, colours and flags have room in one line."""
_ODD: Final = re.compile("[\ud800-\udfff\r\u2028\u2029]")


class RuleForm(QWidget):
    """Name, colour, flags, pattern, replacement, note, and the notice under them.

    Args:
        theme: colours, followed when they change.
        roomy: all fields in view; else the pattern and its flags, the others on demand.
    """

    pattern_typed = Signal(str, str)
    """(pattern, flags) as they stand now, good or not."""
    edited = Signal(str, object)
    """(field, value) of any other field: name, replacement, note, colour."""
    resized = Signal()
    """It needs another height."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, roomy: bool = False) -> None:
        super().__init__(parent)
        self._roomy = roomy
        self._narrow = False
        self.name = _field("name of the rule")
        self.pattern = PatternEdit(theme, "pattern of the rule, JavaScript syntax")
        self.pattern.set_roomy(roomy)
        self.flags = FlagRow()
        self.swatches = SwatchRow(theme)
        self.replacement = _field("replacement", mono=True)
        self.replacement.setPlaceholderText("[REDACTED]")
        self.note = _field("note")
        self.more = QPushButton("g", self)
        self.more.setCheckable(True)
        self.more.setProperty("kind", "segment")
        self.more.setProperty("place", "only")
        self.more.setFont(mono_font(TypeSize.CELL_MONO))
        self.more.setToolTip("Flags, name, colour and replacement")
        self.notice = Notice(theme)
        self.notice.hide()
        if roomy:
            self._lay_out_roomy()
        else:
            self._lay_out_compact()
        self._connect()

    def _connect(self) -> None:
        self.pattern.edited.connect(lambda _text: self._on_pattern())
        self.flags.changed.connect(lambda _flags: self._on_pattern())
        self.name.textEdited.connect(lambda text: self.edited.emit("name", text))
        for field, edit in (("replacement", self.replacement), ("note", self.note)):
            edit.textEdited.connect(
                lambda text, f=field: self.edited.emit(f, text if text else None)
            )
        self.swatches.picked.connect(lambda look: self.edited.emit("colour", look))
        self.more.toggled.connect(self._show_more)

    def _lay_out_roomy(self) -> None:
        first = self._first = _line(_labelled("name", self.name), self.swatches, None, self.flags)
        self.name.setMaximumWidth(240)
        last = self._last = _line(
            _labelled("replacement", self.replacement), _labelled("note", self.note)
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.WIDE, Space.WIDE, Space.WIDE, Space.WIDE)
        column.setSpacing(Space.BASE + 2)
        column.addLayout(first)
        column.addWidget(self.pattern)
        column.addWidget(self.notice)
        column.addLayout(last)
        column.addStretch(1)
        self.more.hide()
        # its width decides where the colours stand, so they may not decide the width
        self.setMinimumWidth(_LEAST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < _ROOM
        if self._roomy and narrow != self._narrow:
            self._narrow = narrow
            # the name needs the room more than the replacement does
            source, target = (self._first, self._last) if narrow else (self._last, self._first)
            source.removeWidget(self.swatches)
            target.insertWidget(2 if narrow else 1, self.swatches)

    def _lay_out_compact(self) -> None:
        self._head = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._head.setSpacing(Space.SNUG)
        first = _line(self.pattern, self.more, spacing=Space.SNUG)
        first.setStretch(0, 1)
        self._head.addLayout(first, 1)
        self._head.addWidget(self.notice, 1)
        self._others = QWidget()
        rows = QVBoxLayout(self._others)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(Space.SNUG)
        rows.addLayout(_line(self.flags, self.swatches, None, spacing=Space.SNUG))
        rows.addLayout(
            _line(
                _labelled("name", self.name),
                _labelled("replacement", self.replacement),
                spacing=Space.SNUG,
            )
        )
        self._others.hide()
        self.note.hide()
        self.note.setParent(self)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(Space.BASE, 3, Space.BASE, 3)
        column.setSpacing(Space.SNUG)
        column.addLayout(self._head)
        column.addWidget(self._others)

    def set_low(self, low: bool) -> None:
        """Put the notice beside the pattern, where a dock has no line to spare."""
        if not self._roomy:
            way, margin = QBoxLayout.Direction, 2 if low else 3
            self._head.setDirection(way.LeftToRight if low else way.TopToBottom)
            self.pattern.setFixedHeight(26 if low else 28)
            self._column.setContentsMargins(Space.BASE, margin, Space.BASE, margin)
            self._column.invalidate()
            self.updateGeometry()

    def show_rule(
        self,
        rule: SessionRule | None,
        look: int,
        *,
        editable: bool,
        pattern: str,
        flags: str,
        error: int | None = None,
    ) -> None:
        """Show a rule; ``pattern`` and ``flags`` as typed, ``error`` where they are wrong."""
        self.setEnabled(rule is not None)
        for edit in (self.name, self.replacement, self.note, self.pattern):
            edit.setReadOnly(not editable)
        self.flags.setEnabled(editable)
        self.swatches.setEnabled(editable)
        _show(self.name, rule.name if rule is not None else "")
        _show(self.replacement, (rule.replacement or "") if rule is not None else "")
        _show(self.note, (rule.note or "") if rule is not None else "")
        self.pattern.set_text(_typeable(pattern))
        self.pattern.set_error(error)
        self.flags.set_flags(flags)
        self.more.setText(flags or "\N{EN DASH}")
        self.more.setAccessibleName(f"flags {flags}, name, colour, replacement")
        self.swatches.set_current(look)
        set_style_property(self.more, "invalid", error is not None)

    def show_stop(self, stop: tuple[int, int] | None) -> None:
        """Underline the part of the pattern at which a search stops, or none."""
        self.pattern.set_stop(stop)

    def _on_pattern(self) -> None:
        self.pattern_typed.emit(self.pattern.toPlainText(), self.flags.flags())

    def _show_more(self, on: bool) -> None:
        self._others.setVisible(on)
        self.resized.emit()


def _field(name: str, *, mono: bool = False) -> QLineEdit:
    edit = QLineEdit()
    edit.setAccessibleName(name)
    if mono:
        edit.setFont(mono_font(TypeSize.EDITOR_MONO))
    return edit


def _labelled(label: str, edit: QLineEdit) -> QLineEdit:
    """Put the label inside the field, in front of the text."""
    words = PlainLabel(label, "t3", px=TypeSize.LABEL, parent=edit)
    width = words.sizeHint().width()
    words.setGeometry(9, 0, width + 2, _LINE)
    edit.setTextMargins(width + 8, 0, 0, 0)
    edit.setFixedHeight(_LINE)
    return edit


def _line(*widgets: QWidget | None, spacing: int = Space.WIDE) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(spacing)
    for widget in widgets:
        if widget is None:
            line.addStretch(1)
        else:
            line.addWidget(widget)
    return line


def _typeable(pattern: str) -> str:
    """The same pattern with escapes for what no editor holds: half characters, line ends."""
    return _ODD.sub(lambda found: f"\\u{ord(found.group()):04x}", pattern).replace("\n", "\\n")


def _show(edit: QLineEdit, text: str) -> None:
    # Qt cannot hold half a character: what it shows is not written back unless it was typed in
    if edit.text() != shown(text):
        edit.setText(shown(text))
        edit.setCursorPosition(0)
