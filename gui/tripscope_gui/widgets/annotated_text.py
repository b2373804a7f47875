"""A long text with coloured stretches: bands under matches, boxes round replacements.

Everything but the letters is painted here, for the stretches in view only, so ten thousand of them
cost what one screen costs. Offsets are UTF-16 code units of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from tripscope.patterns.units import spread
from tripscope_gui.delegates.rules import rule_band
from tripscope_gui.fonts import mono_font
from tripscope_gui.store.lookalikes import OddCharacter, odd_characters
from tripscope_gui.store.passages import TextSpan
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height, Palette, TypeSize
from tripscope_gui.widgets.labels import plain_tooltip
from tripscope_gui.widgets.text_layout import FixedLines, LineMap

FLASH_MS: Final = 130
_FLASHES: Final = 6
_MARGIN: Final = 10
_BLANKS: Final = {" ": "\u00b7", "\t": "\u2192"}


class AnnotatedText(QPlainTextEdit):
    """A read-only text with a caret."""

    caret_moved = Signal(int)
    """Offset of the caret."""
    pointed = Signal(int)
    """Offset that was clicked with Alt held."""
    entered = Signal(int)
    """Enter was pressed with the caret at that offset."""
    picked = Signal(int)
    """Offset that was clicked."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        line_height: int = Height.TEXT_LINE,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._map = LineMap()
        self._spans: Sequence[TextSpan] = ()
        self._reach: list[int] = []
        self._odd: list[OddCharacter] = []
        self._shows_odd = False
        self._outlined: tuple[int, int] | None = None
        self._flashes = 0
        self._setting = False
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFont(mono_font(TypeSize.TEXT_MONO))
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        document = QTextDocument(self)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(_MARGIN)
        document.setUndoRedoEnabled(False)
        self._layout = FixedLines(document, self, line_height)
        document.setDocumentLayout(self._layout)
        self.setDocument(document)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._flash = QTimer(self)
        self._flash.setInterval(FLASH_MS)
        self._flash.timeout.connect(self._blink)
        self.cursorPositionChanged.connect(self._on_cursor)
        theme.changed.connect(self.viewport().update)

    # the text

    def text(self) -> str:
        """The text as it was given."""
        return self._text

    def set_text(self, text: str, spans: Sequence[TextSpan] = ()) -> None:
        """Show a text. One that goes on the text shown is appended, and the caret stays."""
        self.set_spans(spans)
        if text == self._text:
            return
        old, self._text = self._text, text
        if old and text.startswith(old) and not self._shows_odd:
            self._go_on()
            return
        self._fill()

    def _go_on(self) -> None:
        """Show the end of a text that grew; caret and place stay, unless the end was in view."""
        bar = self.verticalScrollBar()
        before, at_end = bar.value(), bar.value() == bar.maximum() and bar.value() > 0
        caret = self.caret()
        number, lines = self._map.go_on(self._text)
        block = self.document().findBlockByNumber(number)
        cursor = QTextCursor(self.document())
        cursor.setPosition(block.position())
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        self._setting = True
        cursor.insertText("\n".join(lines))
        self._setting = False
        block = self.document().findBlockByNumber(number)
        while block.isValid():
            block.clearLayout()
            block = block.next()
        self.set_caret(caret)
        bar.setValue(bar.maximum() if at_end else before)
        self.viewport().update()

    def _fill(self, *, keep_scroll: bool = False) -> None:
        bar = self.verticalScrollBar()
        before, at_end = bar.value(), bar.value() == bar.maximum()
        self._odd = odd_characters(self._text) if self._shows_odd else []
        lines = self._map.lines(self._text)
        self._setting = True
        self.setPlainText("\n".join(lines))
        self._setting = False
        if keep_scroll:
            bar.setValue(bar.maximum() if at_end and before else before)

    def set_spans(self, spans: Sequence[TextSpan]) -> None:
        """Colour other stretches; sorted by start."""
        self._spans = spans
        # furthest end so far: a long stretch may reach over many short ones
        self._reach = list(accumulate((span.end for span in spans), max))
        self.viewport().update()

    def show_odd(self, on: bool) -> None:
        """Make blanks, invisible and look-alike characters visible."""
        if on != self._shows_odd:
            self._shows_odd = on
            caret = self.caret()
            self._fill(keep_scroll=True)
            self.set_caret(caret)

    @property
    def odd(self) -> list[OddCharacter]:
        """Invisible and look-alike characters; empty while they are not shown."""
        return self._odd

    # offsets

    def position_of(self, offset: int) -> int:
        """Position in the document."""
        if not self._map.starts:
            return 0
        offset = min(max(0, offset), self._map.length)
        paragraph = self._map.paragraph_at(offset)
        block = self.document().findBlockByNumber(paragraph)
        return block.position() + min(
            self._map.column(offset, paragraph), max(0, block.length() - 1)
        )

    def offset_of(self, position: int) -> int:
        """Offset in the text of a position in the document."""
        block = self.document().findBlock(position)
        if not block.isValid() or not self._map.starts:
            return 0
        number = min(block.blockNumber(), len(self._map.starts) - 1)
        return self._map.starts[number] + position - block.position()

    def caret(self) -> int:
        """Offset of the caret."""
        return self.offset_of(self.textCursor().position())

    def set_caret(self, offset: int) -> None:
        """Move the caret; nothing is emitted."""
        cursor = self.textCursor()
        cursor.setPosition(self.position_of(offset))
        self._setting = True
        self.setTextCursor(cursor)
        self._setting = False

    def top_offset(self) -> int:
        """Offset of the first character in view."""
        return self.offset_of(self.cursorForPosition(QPoint(_MARGIN + 1, 2)).position())

    def scroll_to_top(self, offset: int) -> None:
        """Bring the line of an offset to the top."""
        block = self.document().findBlock(self.position_of(offset))
        self._layout.blockBoundingRect(block)
        line = block.layout().lineForTextPosition(self.position_of(offset) - block.position())
        first = block.firstLineNumber()
        self.verticalScrollBar().setValue(first + (line.lineNumber() if line.isValid() else 0))

    def _on_cursor(self) -> None:
        if not self._setting:
            self.caret_moved.emit(self.caret())

    # what is outlined

    def outline(self, start: int, end: int, *, flash: bool = False, scroll: bool = True) -> None:
        """Outline a stretch in the accent, bring it into view, and let it flash."""
        self._outlined = (start, end)
        self._flashes = _FLASHES if flash else 0
        if scroll:
            self.set_caret(start)
            if not self._in_view(start, end):
                self.centerCursor()
        if flash:
            self._flash.start()
        self.viewport().update()

    def clear_outline(self) -> None:
        """Outline nothing."""
        self._outlined = None
        self._flash.stop()
        self.viewport().update()

    @property
    def outlined(self) -> tuple[int, int] | None:
        """The stretch that is outlined."""
        return self._outlined

    @property
    def flashing(self) -> bool:
        """Whether the outline still flashes."""
        return self._flash.isActive()

    def _blink(self) -> None:
        self._flashes -= 1
        if self._flashes <= 0:
            self._flash.stop()
        self.viewport().update()

    def _in_view(self, start: int, end: int) -> bool:
        view = self.viewport().rect()
        cursor = QTextCursor(self.document())
        for offset in (start, end):
            cursor.setPosition(self.position_of(offset))
            if not view.contains(self.cursorRect(cursor)):
                return False
        return True

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Grounds and boxes under the letters, bands and the outline over them."""
        painter = QPainter(self.viewport())
        shown = list(self._lines_in_view(event.rect().bottom()))
        if shown:
            low = shown[0][1]
            high = shown[-1][2]
            spans = list(self._spans_between(low, high))
            self._paint_grounds(painter, shown, spans)
            painter.end()
            super().paintEvent(event)
            painter.begin(self.viewport())
            self._paint_bands(painter, shown, spans)
            self._paint_outline(painter, shown)
            if self._shows_odd:
                self._paint_blanks(painter, shown)
        else:
            painter.end()
            super().paintEvent(event)
            return
        painter.end()

    def _lines_in_view(self, bottom: int) -> Iterator[tuple[QTextLine, int, int, QPointF, int]]:
        """(line, offset of its start, of its end, place of its paragraph, start in that)."""
        block: QTextBlock = self.firstVisibleBlock()
        place = self.contentOffset()
        while block.isValid() and place.y() <= bottom:
            rect = self._layout.blockBoundingRect(block)
            layout = block.layout()
            number = block.blockNumber()
            if number >= len(self._map.starts):
                return
            base = self._map.starts[number]
            for n in range(layout.lineCount()):
                line = layout.lineAt(n)
                top = place.y() + line.y()
                if top + line.height() < -8 or top > bottom:
                    continue
                start = line.textStart()
                yield line, base + start, base + start + line.textLength(), place, base
            place = QPointF(place.x(), place.y() + rect.height())
            block = block.next()

    def _spans_between(self, low: int, high: int) -> Iterator[TextSpan]:
        first = bisect_right(self._reach, low)
        for place in range(first, len(self._spans)):
            span = self._spans[place]
            if span.start >= high:
                return
            if span.end > low:
                yield span

    def _rects(
        self, shown: Sequence[tuple[QTextLine, int, int, QPointF, int]], start: int, end: int
    ) -> Iterator[QRectF]:
        for line, low, high, place, base in shown:
            first, last = max(start, low), min(end, high)
            if first >= last:
                continue
            x0, x1 = _x(line, first - base), _x(line, last - base)
            yield QRectF(place.x() + min(x0, x1), place.y() + line.y(), abs(x1 - x0), line.height())

    def _paint_grounds(
        self,
        painter: QPainter,
        shown: Sequence[tuple[QTextLine, int, int, QPointF, int]],
        spans: Sequence[TextSpan],
        palette: Palette | None = None,
    ) -> None:
        palette = palette or self._theme.palette
        for span in sorted(spans, key=lambda s: s.winner is None):
            tint = palette.tint_violet if span.number < 0 else palette.rule_tint(span.number)
            for rect in self._rects(shown, span.start, span.end):
                if span.kind == "box":
                    line = palette.outcome("changed")
                    painter.setPen(QPen(line if span.number < 0 else palette.rule(span.number), 1))
                    painter.setBrush(tint)
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.drawRoundedRect(rect.adjusted(-0.5, 0.5, 0.5, 1.5), 2, 2)
                elif span.kind == "leak":
                    painter.fillRect(rect, palette.removed_ground)
                else:
                    painter.fillRect(rect, tint)
        for odd in self._odd:
            for rect in self._rects(shown, odd.start, odd.end):
                painter.fillRect(rect, palette.tint_yellow)

    def _paint_bands(
        self,
        painter: QPainter,
        shown: Sequence[tuple[QTextLine, int, int, QPointF, int]],
        spans: Sequence[TextSpan],
        palette: Palette | None = None,
    ) -> None:
        palette = palette or self._theme.palette
        for span in spans:
            if span.kind == "box":
                continue
            under = span.winner is not None
            for rect in self._rects(shown, span.start, span.end):
                if span.kind == "leak":
                    painter.fillRect(
                        QRectF(rect.left(), rect.bottom(), rect.width(), 2), palette.removed
                    )
                    continue
                top = rect.bottom() + (3 if under else 0)
                rule_band(painter, rect.left(), rect.right(), top, span.number, palette)
        pen = QPen(palette.outcome("flagged"), 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for odd in self._odd:
            for rect in self._rects(shown, odd.start, odd.end):
                if not rect.width():
                    rect.adjust(-1.5, 0, 1.5, 0)
                painter.drawRect(rect.adjusted(0, 0.5, 0, 0.5))

    def _paint_blanks(
        self, painter: QPainter, shown: Sequence[tuple[QTextLine, int, int, QPointF, int]]
    ) -> None:
        painter.setPen(self._theme.palette.t3)
        painter.setFont(self.font())
        for line, low, high, place, base in shown:
            block = self.document().findBlockByNumber(self._map.paragraph_at(low))
            # positions count UTF-16 units, Python's code points
            units = spread(block.text())
            for column in range(low - base, min(high - base, len(units))):
                sign = _BLANKS.get(units[column])
                if sign is not None:
                    x, x1 = _x(line, column), _x(line, column + 1)
                    box = QRectF(place.x() + x, place.y() + line.y(), x1 - x, line.height())
                    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), sign)

    def _paint_outline(
        self, painter: QPainter, shown: Sequence[tuple[QTextLine, int, int, QPointF, int]]
    ) -> None:
        if self._outlined is None or self._flashes % 2:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.palette.accent, 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for rect in self._rects(shown, *self._outlined):
            painter.drawRoundedRect(rect.adjusted(-2.5, -1.5, 2.5, 4), 2, 2)

    # hands

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or self.textCursor().hasSelection():
            return
        offset = self.offset_of(self.cursorForPosition(event.position().toPoint()).position())
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        (self.pointed if alt else self.picked).emit(offset)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(self.caret())
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            point = self.viewport().mapFromGlobal(event.globalPos())
            offset = self.offset_of(self.cursorForPosition(point).position())
            words = next((o.words for o in self._odd if o.start <= offset <= o.end), "")
            QToolTip.showText(event.globalPos(), plain_tooltip(words), self)
            return True
        return super().event(event)


def _x(line: QTextLine, column: int) -> float:
    found: Any = line.cursorToX(column)
    # PySide6 gives (x, column), and its stubs say otherwise
    return float(found[0] if isinstance(found, tuple) else found)
