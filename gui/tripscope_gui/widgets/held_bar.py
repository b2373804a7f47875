"""The amber hatch of held-back text as a small widget."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope_gui.delegates.marks import held_hatch, held_width
from tripscope_gui.theme import Theme


class HeldBar(QWidget):
    """Args: ``text`` such as ``held 128 UTF-16 units``."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._text = theme, text
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(int(held_width(self._text)) + 24, 17)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            held_hatch(painter, QRectF(self.rect()), self._theme.palette, self._text)
