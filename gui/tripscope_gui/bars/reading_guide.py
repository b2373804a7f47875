"""The small drawing on the start page that teaches how to read the chunks table."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tripscope_gui.delegates.marks import EDGE, held_hatch, lineage_link
from tripscope_gui.delegates.rules import boxed_run
from tripscope_gui.fonts import mono_font, ui_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Palette, TypeSize

_COLUMNS: Final = ("model", "after regex-filter", "client")
_ROWS: Final = (
    ("Ann: ann.lee@", "held", "\u2013"),
    ("example.test or", "redacted", "redacted"),
    ("call her today", "call her today", "call her today"),
)
_GUTTER: Final = 20
_HEAD: Final = 20
_ROW: Final = 24
_STEP: Final = 32
_SELECTED: Final = 1


class ReadingGuide(QWidget):
    """Three model chunks on their way to the client."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("How to read a run: one row a model chunk, one column a processor")
        self.setFixedHeight(_HEAD + 3 * _STEP)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(460, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            palette = self._theme.palette
            width = (min(self.width(), 460) - 2 * _GUTTER) / 3
            for column, head in enumerate(_COLUMNS):
                left = column * (width + _GUTTER)
                painter.setFont(ui_font(TypeSize.LABEL))
                painter.setPen(palette.t2)
                box = QRectF(left, 0, width, _HEAD - 4)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), head)
                for row, texts in enumerate(_ROWS):
                    cell = QRectF(left, _HEAD + row * _STEP, width, _ROW)
                    _cell(painter, cell, texts[column], palette, selected=row == _SELECTED)
            middle = _HEAD + _SELECTED * _STEP + _ROW / 2
            for column in range(2):
                start = column * (width + _GUTTER) + width
                lineage_link(
                    painter, QPointF(start, middle), QPointF(start + _GUTTER, middle), palette
                )


def _cell(painter: QPainter, cell: QRectF, text: str, palette: Palette, *, selected: bool) -> None:
    if text == "held":
        held_hatch(painter, cell, palette, "held 13")
        return
    _outline(painter, cell, palette.accent if selected else palette.line2)
    painter.setFont(mono_font(TypeSize.CELL_MONO))
    painter.setPen(palette.t1)
    inner = cell.adjusted(7, 0, -4, 0)
    flags = int(Qt.AlignmentFlag.AlignVCenter)
    if text != "redacted":
        painter.drawText(inner, flags, text)
        return
    painter.fillRect(
        QRectF(cell.left(), cell.top(), EDGE, cell.height()), palette.outcome("changed")
    )
    metrics = painter.fontMetrics()
    painter.drawText(inner, flags, "Ann: ")
    left = inner.left() + metrics.horizontalAdvance("Ann: ")
    run = QRectF(left, cell.top() + 3, cell.right() - left, cell.height() - 6)
    box = boxed_run(painter, run, 0, palette, "[EMAIL]")
    painter.setPen(palette.t1)
    rest = QRectF(box.right(), cell.top(), cell.right() - box.right() - 4, cell.height())
    painter.drawText(rest, flags, " or")


def _outline(painter: QPainter, rect: QRectF, color: QColor) -> None:
    painter.setPen(QPen(color, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
