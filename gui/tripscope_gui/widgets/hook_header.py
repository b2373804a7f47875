"""Column heads in two lines: ``process`` small, the rest of the hook's name under it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import MEDIUM, ui_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize

HEIGHT: Final = 35
_PREFIX: Final = "process"


class HookHeader(QHeaderView):
    """Names that begin with ``process`` stand in two lines, in the middle."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setFixedHeight(HEIGHT)
        self.setMinimumSectionSize(24)
        self.setHighlightSections(False)
        theme.changed.connect(self.viewport().update)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        palette = self._theme.palette
        area = QRectF(rect)
        painter.save()
        painter.fillRect(area, palette.head)
        painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width(), 1), palette.line)
        painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), palette.line)
        name = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        small, strong = ui_font(TypeSize.COUNT), ui_font(TypeSize.LABEL, MEDIUM)
        box = area.adjusted(3, 0, -3, -1)
        middle = int(Qt.AlignmentFlag.AlignCenter)
        if name.startswith(_PREFIX) and name != "processor":
            half = box.height() / 2
            painter.setFont(small)
            painter.setPen(palette.t3)
            upper = QRectF(box.left(), box.top() + 2, box.width(), half)
            painter.drawText(upper, middle, _PREFIX)
            painter.setFont(strong)
            painter.setPen(palette.t1)
            lower = QRectF(box.left(), box.top() + half - 2, box.width(), half)
            painter.drawText(lower, middle, elided(name[len(_PREFIX) :], strong, box.width()))
        else:
            painter.setFont(ui_font(TypeSize.LABEL))
            painter.setPen(palette.t3)
            left = int(Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(box.adjusted(5, 0, 0, 0), left, name)
        painter.restore()
