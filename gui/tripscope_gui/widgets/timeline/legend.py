"""The words that the timeline's marks go by, for the head of its dock."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope_gui.delegates.marks import held_hatch
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.timeline.paint import flag, flag_pixmap, label_font, words, words_width

_ENTRIES = (("held", 15), ("unscanned", 11), ("finding", 9))
_GAP = 14


class TimelineLegend(QWidget):
    """held, unscanned, finding."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("marks: hatched held, dashed unscanned, flag finding")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Marks, words and the gaps between them."""
        font = label_font(px=TypeSize.LABEL)
        width = sum(mark + 5 + words_width(text, font) + _GAP for text, mark in _ENTRIES)
        return QSize(int(width), 18)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            palette = self._theme.palette
            font = label_font(px=TypeSize.LABEL)
            left, middle = 0.0, self.height() / 2
            for text, mark in _ENTRIES:
                rect = QRectF(left, round(middle - 5), mark, 10)
                if text == "held":
                    held_hatch(painter, rect, palette)
                elif text == "unscanned":
                    pen = QPen(palette.outcome("flagged"), 1, Qt.PenStyle.CustomDashLine)
                    pen.setDashPattern([2, 2])
                    painter.setPen(pen)
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(rect.adjusted(0.5, 0.5, -1.5, -0.5))
                else:
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    made = flag_pixmap(palette.t2, self.devicePixelRatioF())
                    flag(painter, rect.center().x(), rect.top() + 1, made)
                width = words_width(text, font) + 2
                words(
                    painter,
                    QRectF(left + mark + 5, 0, width, self.height()),
                    text,
                    palette.t2,
                    font,
                )
                left += mark + 5 + width - 2 + _GAP
