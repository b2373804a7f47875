"""A text with the pieces of a comparison marked: removed, added, placeholders of rules, cuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from tripscope.patterns.units import utf16_len
from tripscope_gui.fonts import mono_font
from tripscope_gui.store.text_changes import Piece
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.line_edges import edges, is_turned
from tripscope_gui.widgets.text_layout import pictured, visible

_LINE: Final = 24
_UNDERLINE: Final = 2


class DiffText(QWidget):
    """As high as its text is at the width that it gets; Ctrl+C copies the text.

    Args:
        theme: colours, followed when they change.
        name: accessible name.
        rule_number: number of a rule, for its colour.
    """

    def __init__(
        self,
        theme: Theme,
        name: str,
        rule_number: Callable[[str], int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._rule_number = theme, rule_number
        self._pieces: list[tuple[int, int, Piece]] = []
        self._layouts: list[tuple[int, QTextLayout]] = []
        self._plain = ""
        self._turned = False
        self._width = 0
        self._name = name
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    def set_pieces(self, pieces: Sequence[Piece]) -> None:
        """Show a text."""
        self._plain = "".join(piece.text for piece in pieces)
        self._turned = is_turned(self._plain)
        self._pieces, at, drawn = [], 0, []
        for piece in pieces:
            length = utf16_len(piece.text)
            self._pieces.append((at, at + length, piece))
            at += length
            # a mark of direction may be all that differs
            lines = piece.text.split("\n")
            drawn.append("\n".join(visible(line, marks=True) for line in lines))
        self._layouts, at = [], 0
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        for line in "".join(drawn).split("\n"):
            layout = QTextLayout(line, mono_font(TypeSize.TEXT_MONO))
            layout.setTextOption(option)
            self._layouts.append((at, layout))
            at += utf16_len(line) + 1
        self.setAccessibleDescription(visible(self._plain[:4000], marks=True))
        self._width = 0
        self.updateGeometry()
        self.update()

    @property
    def plain(self) -> str:
        """The text as it is shown, cuts included."""
        return self._plain

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._lay_out(width)
        return _LINE * sum(layout.lineCount() for _, layout in self._layouts)

    def sizeHint(self) -> QSize:
        width = self.width() or 400
        return QSize(200, self.heightForWidth(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        height = self.heightForWidth(self.width())
        if height != self.minimumHeight():
            self.setMinimumHeight(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(pictured(self._plain))
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._lay_out(self.width())
        with QPainter(self) as painter:
            palette = self._theme.palette
            top = 0.0
            for start, layout in self._layouts:
                for number in range(layout.lineCount()):
                    line = layout.lineAt(number)
                    if top + _LINE >= event.rect().top() and top <= event.rect().bottom():
                        shift = top + (_LINE - line.height()) / 2 - line.y()
                        self._paint_marks(painter, start, line, top)
                        painter.setPen(palette.t1)
                        line.draw(painter, QPointF(0, shift))
                        self._paint_cuts(painter, start, line, shift)
                    top += _LINE
            if self.hasFocus():
                painter.setPen(QPen(palette.accent, 1))
                painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_marks(self, painter: QPainter, start: int, line: QTextLine, top: float) -> None:
        palette = self._theme.palette
        for low, high, piece in self._within(start, line):
            rect = QRectF(low, top + 3, high - low, _LINE - 6)
            if piece.rule is not None:
                number = self._rule_number(piece.rule)
                painter.setPen(QPen(palette.rule(number), 1))
                painter.setBrush(palette.rule_tint(number))
                painter.drawRoundedRect(rect.adjusted(-0.5, 0.5, 0.5, -0.5), 2, 2)
            if piece.kind in ("added", "removed"):
                tone = palette.added if piece.kind == "added" else palette.removed
                if piece.rule is None:
                    ground = "added_ground" if piece.kind == "added" else "removed_ground"
                    painter.fillRect(rect, palette.tone(ground))
                below = QRectF(rect.left(), rect.bottom(), rect.width(), _UNDERLINE)
                painter.fillRect(below, tone)

    def _paint_cuts(self, painter: QPainter, start: int, line: QTextLine, shift: float) -> None:
        """Words of the program stand in the text in another tone."""
        palette = self._theme.palette
        for low, high, piece in self._within(start, line):
            if piece.kind == "left out":
                rect = QRectF(low, line.y() + shift, high - low, line.height())
                painter.fillRect(rect, palette.pane)
                painter.save()
                painter.setClipRect(rect)
                painter.setPen(palette.t3)
                line.draw(painter, QPointF(0, shift))
                painter.restore()

    def _within(self, start: int, line: QTextLine) -> list[tuple[float, float, Piece]]:
        first = start + line.textStart()
        last = first + line.textLength()
        found = []
        for low, high, piece in self._pieces:
            if high <= first or low >= last or (piece.kind == "same" and piece.rule is None):
                continue
            left, right = max(low, first) - start, min(high, last) - start
            parts = edges(line, left, right, turned=self._turned)
            found += [(low, high, piece) for low, high in parts]
        return found

    def _lay_out(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        for _, layout in self._layouts:
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(max(60, width))
            layout.endLayout()
