"""A long text with coloured stretches: bands under matches, boxes round replacements.

Offsets are UTF-16 code units of the text. Everything but the letters is painted in
`tripscope_gui.widgets.text_painting`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from tripscope.patterns.units import join_surrogates, spread
from tripscope.trace.text_run import TextRun
from tripscope_gui.delegates.texts import shown
from tripscope_gui.fonts import mono_font
from tripscope_gui.store.lookalikes import OddCharacter, odd_characters
from tripscope_gui.store.point_spans import TextSpan
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height, Palette, TypeSize
from tripscope_gui.widgets import text_painting
from tripscope_gui.widgets.labels import plain_tooltip
from tripscope_gui.widgets.line_edges import is_turned
from tripscope_gui.widgets.outline import Outline
from tripscope_gui.widgets.span_index import SpanIndex
from tripscope_gui.widgets.text_layout import FixedLines, LineMap, pictured, visible
from tripscope_gui.widgets.text_painting import ShownLine

_MARGIN: Final = 10
_ABOVE: Final = 8
"""Pixels over the view from which something of a line may still be seen."""


_start = attrgetter("start")


class Spans(Protocol):
    """Stretches to colour, by place."""

    def between(self, low: int, high: int) -> Iterable[TextSpan]:
        """Those that have a unit in ``[low, high)``, sorted by start."""


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
        self._more: list[str] = []
        """What came behind it: it is put together when all of it is asked for."""
        self._run: TextRun | None = None
        self._pieces = 0
        self._map = LineMap(self._drawn)
        self._spans: Spans = SpanIndex()
        self._odd: list[OddCharacter] = []
        self._shows_odd = False
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
        self._outline = Outline(self)
        self._outline.changed.connect(self.viewport().update)
        self.cursorPositionChanged.connect(self._on_cursor)
        theme.changed.connect(self.viewport().update)

    # the text

    def text(self) -> str:
        """The text as it was given."""
        if self._more:
            self._text = join_surrogates("".join((self._text, *self._more)))
            self._more.clear()
        return self._text

    def set_text(self, text: str, spans: Sequence[TextSpan] = ()) -> None:
        """Show a text. One that goes on the text shown is appended, and the caret stays."""
        self.set_spans(spans)
        self._run = None
        old = self.text()
        if text == old:
            return
        if old and text.startswith(old):
            self._go_on(text[len(old) :])
            return
        self._text = text
        self._fill()

    def show_run(self, run: TextRun, spans: Spans) -> None:
        """Show a text that comes in pieces, or those that it got since; caret and place stay.

        ``spans`` go on growing with it.
        """
        if run is not self._run:
            self.set_text(run.text)
            self._run, self._pieces = run, len(run.texts)
        self._spans = spans
        self.viewport().update()
        more = "".join(run.texts[self._pieces :])
        self._pieces = len(run.texts)
        if more:
            self._go_on(more)

    def _go_on(self, more: str) -> None:
        """Show the end of a text that grew; caret and place stay, unless the end was in view."""
        bar = self.verticalScrollBar()
        before, at_end = bar.value(), bar.value() == bar.maximum() and bar.value() > 0
        caret = self.caret()
        self._more.append(more)
        number, text, lines = self._map.go_on(more)
        if self._shows_odd:
            start = self._map.starts[number]
            del self._odd[bisect_left(self._odd, start, key=_start) :]
            self._odd += odd_characters(text, start)
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
        text = self.text()
        self._odd = odd_characters(text) if self._shows_odd else []
        lines = self._map.lines(text)
        self._setting = True
        self.setPlainText("\n".join(lines))
        self._setting = False
        if keep_scroll:
            bar.setValue(bar.maximum() if at_end and before else before)

    def _redraw(self) -> None:
        caret = self.caret()
        self._fill(keep_scroll=True)
        self.set_caret(caret)

    def _drawn(self, text: str) -> str:
        # what is typed in is read back from the document
        return visible(text, marks=self._shows_odd) if self.isReadOnly() else pictured(text)

    def set_spans(self, spans: Sequence[TextSpan], reach: Sequence[int] | None = None) -> None:
        """Colour other stretches, sorted by start; ``reach`` as in `SpanIndex`, where known."""
        self._spans = SpanIndex.of(spans) if reach is None else SpanIndex(spans, reach)
        self.viewport().update()

    @property
    def spans(self) -> Sequence[TextSpan]:
        """The stretches that are coloured."""
        return list(self._spans.between(0, self._map.length))

    def show_odd(self, on: bool) -> None:
        """Make blanks, invisible and look-alike characters visible."""
        if on != self._shows_odd:
            self._shows_odd = on
            self._redraw()

    @property
    def odd(self) -> list[OddCharacter]:
        """Invisible and look-alike characters; empty while they are not shown."""
        return self._odd

    def _odd_between(self, low: int, high: int) -> list[OddCharacter]:
        first = bisect_left(self._odd, low, key=_start)
        return self._odd[first : bisect_left(self._odd, high, key=_start)]

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is selected as it was given, not what stands for it in the document."""
        cursor = self.textCursor()
        low, high = self.offset_of(cursor.selectionStart()), self.offset_of(cursor.selectionEnd())
        data = QMimeData()
        data.setText(shown(join_surrogates(spread(self.text())[low:high])))
        return data

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

    def offset_at(self, place: QPoint) -> int:
        """Offset in the text of a place in the viewport."""
        return self.offset_of(self.cursorForPosition(place).position())

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
        return self.offset_at(QPoint(_MARGIN + 1, 2))

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

    def outline(self, start: int, end: int, *, flash: bool = False) -> None:
        """Outline a stretch in the accent, bring it into view, and let it flash."""
        self._outline.show(start, end, flash=flash)
        self.set_caret(start)
        if not self._in_view(start, end):
            self.centerCursor()

    def clear_outline(self) -> None:
        """Outline nothing."""
        self._outline.clear()

    @property
    def outlined(self) -> tuple[int, int] | None:
        """The stretch that is outlined."""
        return self._outline.span

    @property
    def flashing(self) -> bool:
        """Whether the outline still flashes."""
        return self._outline.flashing

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
        shown = list(self.lines_in_view(event.rect().bottom()))
        if not shown:
            super().paintEvent(event)
            return
        palette = self._theme.palette
        low, high = shown[0].start, shown[-1].end
        looks = list(self._looks(list(self._spans.between(low, high))))
        odd = self._odd_between(low, high)
        with QPainter(self.viewport()) as painter:
            for spans, look in looks:
                text_painting.paint_grounds(painter, shown, spans, look)
            text_painting.paint_odd_grounds(painter, shown, odd, palette)
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            for spans, look in looks:
                text_painting.paint_bands(painter, shown, spans, look)
            text_painting.paint_odd_boxes(painter, shown, odd, palette)
            if self._outline.lit is not None:
                text_painting.paint_outline(painter, shown, *self._outline.lit, palette)
            if self._shows_odd:
                self._paint_blanks(painter, shown)

    def _looks(self, spans: list[TextSpan]) -> Iterable[tuple[list[TextSpan], Palette]]:
        """Stretches in view with the colours that they are drawn in, the lowest first."""
        return [(spans, self._theme.palette)]

    def lines_in_view(self, bottom: int) -> Iterator[ShownLine]:
        """The lines down to ``bottom``, in pixels of the viewport."""
        block: QTextBlock = self.firstVisibleBlock()
        place = self.contentOffset()
        while block.isValid() and place.y() <= bottom:
            rect = self._layout.blockBoundingRect(block)
            layout = block.layout()
            number = block.blockNumber()
            if number >= len(self._map.starts):
                return
            base, turned = self._map.starts[number], is_turned(block.text())
            for n in range(layout.lineCount()):
                line = layout.lineAt(n)
                top = place.y() + line.y()
                if top + line.height() >= -_ABOVE and top <= bottom:
                    start = base + line.textStart()
                    end = start + line.textLength()
                    yield ShownLine(line, start, end, place, base, turned)
            place = QPointF(place.x(), place.y() + rect.height())
            block = block.next()

    def _paint_blanks(self, painter: QPainter, shown: Sequence[ShownLine]) -> None:
        painter.setPen(self._theme.palette.t3)
        painter.setFont(self.font())
        for line in shown:
            block = self.document().findBlockByNumber(self._map.paragraph_at(line.start))
            text_painting.paint_blanks(painter, line, block.text())

    # hands

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or self.textCursor().hasSelection():
            return
        offset = self.offset_at(event.position().toPoint())
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        (self.pointed if alt else self.picked).emit(offset)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(self.caret())
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            offset = self.offset_at(self.viewport().mapFromGlobal(event.globalPos()))
            near = self._odd_between(offset - 2, offset + 1)
            words = next((o.words for o in near if o.start <= offset <= o.end), "")
            QToolTip.showText(event.globalPos(), plain_tooltip(words), self)
            return True
        return super().event(event)
