"""A key or a chord, drawn as a cap."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope_gui.fonts import mono_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize


class KeyCap(QWidget):
    """The name of a key in a box, or plain and grey with ``boxed=False``."""

    def __init__(
        self, theme: Theme, keys: str, *, boxed: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._keys, self._boxed = theme, keys, boxed
        self.setFont(mono_font(TypeSize.COUNT))
        self.setAccessibleName(keys)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The text and its padding."""
        metrics = QFontMetricsF(self.font())
        pad = 14 if self._boxed else 2
        return QSize(int(metrics.horizontalAdvance(self._keys)) + pad, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cap."""
        palette = self._theme.palette
        with QPainter(self) as painter:
            if self._boxed:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(palette.line2, 1))
                painter.setBrush(palette.alt)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            painter.setPen(palette.t1 if self._boxed else palette.t3)
            painter.setFont(self.font())
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self._keys)
