"""A text with coloured matches that can be edited; offsets are UTF-16 code units.

What is typed is written into the text as it was given, so characters that Qt cannot show survive.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tripscope.patterns.units import join_surrogates, spread
from tripscope_gui.fonts import mono_font
from tripscope_gui.store.point_spans import TextSpan
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Palette, TypeSize, mix
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.span_index import SpanIndex
from tripscope_gui.widgets.text_layout import LONGEST

_GUTTER: Final = 38
_DIM: Final = 0.4
_SHIFTED: Final = 2000
"""So many spans move along while one types; more would take longer than the next result."""
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SEPARATORS: Final = str.maketrans({"\u2029": "\n"})


class ScratchEdit(AnnotatedText):
    """An `AnnotatedText` with line numbers that takes typing, and shows some matches dimmed."""

    typed = Signal(object)
    """A person changed the text; a string, which as such Qt would rob of half characters."""

    def __init__(self, theme: Theme, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent=parent)
        self._dimmed: Collection[str] = ()
        self._wants_typing = False
        self._gutter = _LineNumbers(self)
        self.setViewportMargins(_GUTTER, 0, 0, 0)
        self.updateRequest.connect(lambda _rect, _dy: self._gutter.update())
        self.document().contentsChange.connect(self._on_contents)
        theme.changed.connect(self._gutter.update)

    def show_text(self, text: str, *, editable: bool) -> None:
        """Show a text. One with a paragraph too long for an editor can be read, not typed in."""
        self._wants_typing = editable
        short = all(len(line) <= LONGEST for line in text.split("\n"))
        can = editable and short
        drawn_otherwise = can == self.isReadOnly()
        self.setReadOnly(not can)
        self.setUndoRedoEnabled(can)
        if can:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction)
        else:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        if text != self.text() or not self._map.starts:
            self.set_text(text)
        elif drawn_otherwise:
            # marks of direction stand in a document only where they may be read back from it
            self._redraw()

    def set_dimmed(self, rules: Collection[str]) -> None:
        """Draw matches of these rules paler: they are not of the rule as it is typed."""
        if set(rules) != set(self._dimmed):
            self._dimmed = tuple(rules)
            self.viewport().update()

    def insertFromMimeData(self, source: object) -> None:
        text = getattr(source, "text", str)().replace("\r\n", "\n")
        if not any(len(line) > LONGEST for line in text.split("\n")):
            self.textCursor().insertText(text)
            return
        units, cursor = spread(self.text()), self.textCursor()
        low = self.offset_of(cursor.selectionStart())
        high = self.offset_of(cursor.selectionEnd())
        text = join_surrogates(units[:low] + spread(text) + units[high:])
        self.show_text(text, editable=self._wants_typing)
        self.typed.emit(text)

    @property
    def length(self) -> int:
        """UTF-16 units of the text."""
        return self._map.length

    def selection(self) -> tuple[int, int] | None:
        """What is selected, or None."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        return self.offset_of(cursor.selectionStart()), self.offset_of(cursor.selectionEnd())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        QPlainTextEdit.keyPressEvent(self, event)

    def _on_contents(self, position: int, removed: int, added: int) -> None:
        """Write an edit of the document into the text; spans behind it move along."""
        if self._setting or self.isReadOnly() or (not removed and not added):
            return
        units = spread(self.text())
        # Qt counts the end of the document as one that is replaced, when all of it is
        removed = min(removed, len(units) - position)
        cursor = QTextCursor(self.document())
        end = min(position + added, max(0, self.document().characterCount() - 1))
        cursor.setPosition(position)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        new = spread(cursor.selectedText().translate(_SEPARATORS))
        if units[position : position + removed] == new:
            return
        text = join_surrogates(units[:position] + new + units[position + removed :])
        self._text = text
        self._map.take_lines(units[:position] + new + units[position + removed :])
        spans = self._spans
        if isinstance(spans, SpanIndex) and len(spans.spans) <= _SHIFTED:
            self._spans = spans.shifted(position, removed, len(new))
            self.viewport().update()
        self.typed.emit(text)

    # painting

    def _looks(self, spans: list[TextSpan]) -> Iterable[tuple[list[TextSpan], Palette]]:
        palette = self._theme.palette
        pale = [span for span in spans if span.rule in self._dimmed]
        if pale:
            rules = tuple(mix(color, palette.pane, _DIM) for color in palette.rules)
            yield pale, replace(palette, rules=rules, tint_share=palette.tint_share * 0.8)
        yield [span for span in spans if span.rule not in self._dimmed], palette

    def paint_numbers(self, painter: QPainter, bottom: int) -> None:
        """Draw the number of each line in view into the gutter."""
        painter.setPen(self._theme.palette.t3)
        painter.setFont(mono_font(TypeSize.CELL_MONO))
        for line in self.lines_in_view(bottom):
            if line.start == line.base:
                number = str(self._map.paragraph_at(line.base) + 1)
                box = QRectF(0, line.top, _GUTTER - 8, line.line.height())
                painter.drawText(box, int(_RIGHT), number)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inner = self.contentsRect()
        self._gutter.setGeometry(QRect(inner.left(), inner.top(), _GUTTER, inner.height()))


class _LineNumbers(QWidget):
    """Numbers of the lines in view."""

    def __init__(self, edit: ScratchEdit) -> None:
        super().__init__(edit)
        self._edit = edit

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._edit.paint_numbers(painter, event.rect().bottom())
