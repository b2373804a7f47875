"""A text with coloured matches that can be edited; offsets are UTF-16 code units.

What is typed is written into the text as it was given, so characters that Qt cannot show survive.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextLine,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tripscope.patterns.units import join_surrogates, spread
from tripscope_gui.fonts import mono_font
from tripscope_gui.store.passages import TextSpan
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Palette, TypeSize, mix
from tripscope_gui.widgets.annotated_text import AnnotatedText
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

    def set_matches(self, spans: Sequence[TextSpan], reach: Sequence[int]) -> None:
        """Colour other stretches; ``reach``: for each the furthest end of all up to it."""
        self._spans = spans
        self._reach = list(reach)
        self.viewport().update()

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
        units = spread(self._text)
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
        self._remap(units[:position] + new + units[position + removed :])
        if len(self._spans) <= _SHIFTED:
            self.set_spans(_shifted(self._spans, position, removed, len(new)))
        self.typed.emit(text)

    def _remap(self, units: str) -> None:
        """Paragraphs of a document that is edited are the lines of its text, however long."""
        starts, at = [0], units.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = units.find("\n", at + 1)
        self._map.starts[:] = starts
        self._map.length = len(units)

    # painting

    def _pale(self) -> Palette:
        palette = self._theme.palette
        rules = tuple(mix(color, palette.pane, _DIM) for color in palette.rules)
        return replace(palette, rules=rules, tint_share=palette.tint_share * 0.8)

    def _paint_grounds(
        self,
        painter: QPainter,
        shown: Sequence[tuple[QTextLine, int, int, QPointF, int]],
        spans: Sequence[TextSpan],
        palette: Palette | None = None,
    ) -> None:
        bright, pale = self._parted(spans)
        if pale:
            super()._paint_grounds(painter, shown, pale, self._pale())
        super()._paint_grounds(painter, shown, bright, palette)

    def _paint_bands(
        self,
        painter: QPainter,
        shown: Sequence[tuple[QTextLine, int, int, QPointF, int]],
        spans: Sequence[TextSpan],
        palette: Palette | None = None,
    ) -> None:
        bright, pale = self._parted(spans)
        if pale:
            super()._paint_bands(painter, shown, pale, self._pale())
        super()._paint_bands(painter, shown, bright, palette)

    def _parted(self, spans: Sequence[TextSpan]) -> tuple[list[TextSpan], list[TextSpan]]:
        pale = [span for span in spans if span.rule in self._dimmed]
        return [span for span in spans if span.rule not in self._dimmed], pale

    def paint_numbers(self, painter: QPainter, bottom: int) -> None:
        """Draw the number of each line in view into the gutter."""
        painter.setPen(self._theme.palette.t3)
        painter.setFont(mono_font(TypeSize.CELL_MONO))
        for line, start, _end, place, base in self._lines_in_view(bottom):
            if start == base:
                number = str(self._map.paragraph_at(base) + 1)
                box = QRectF(0, place.y() + line.y(), _GUTTER - 8, line.height())
                painter.drawText(box, int(_RIGHT), number)
        painter.end()

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
        self._edit.paint_numbers(QPainter(self), event.rect().bottom())


def _shifted(spans: Sequence[TextSpan], position: int, removed: int, added: int) -> list[TextSpan]:
    """Spans after an edit, until they are worked out anew; those that it touched are gone."""
    kept: list[TextSpan] = []
    for span in spans:
        if span.end <= position:
            kept.append(span)
        elif span.start >= position + removed:
            by = added - removed
            kept.append(replace(span, start=span.start + by, end=span.end + by))
    return kept
