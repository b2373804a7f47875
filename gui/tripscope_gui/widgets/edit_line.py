"""One line of a diff: sign, ground, and what of it differs underlined."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope_gui.delegates.texts import elided, one_line
from tripscope_gui.fonts import mono_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.labels import plain_tooltip

_HEIGHT = 21
_LEFT = 27


class EditLine(QWidget):
    """Args: ``sign`` - or +; ``marks``: code points of ``text`` that differ."""

    def __init__(
        self,
        theme: Theme,
        sign: str,
        text: str,
        marks: Sequence[tuple[int, int]] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self.sign, self.text = theme, sign, text
        # a line that differs as a whole needs no underline
        self._marks = [(a, b) for a, b in marks if b > a and b - a < len(text)]
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{'added' if sign == '+' else 'removed'}: {one_line(text[:500])}")
        self.setToolTip(plain_tooltip(text))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = self._theme.palette
        word = "added" if self.sign == "+" else "removed"
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), palette.tone(f"{word}_ground"))
            font = mono_font(TypeSize.EDITOR_MONO)
            painter.setFont(font)
            flags = int(Qt.AlignmentFlag.AlignVCenter)
            painter.setPen(palette.tone(word))
            sign = "+" if self.sign == "+" else "\N{MINUS SIGN}"
            painter.drawText(QRectF(10, 0, 12, self.height()), flags, sign)
            box = QRectF(_LEFT, 0, self.width() - _LEFT - 8, self.height())
            line = one_line(self.text)
            painter.setPen(palette.t1)
            painter.drawText(box, flags, elided(self.text, font, box.width()))
            metrics = QFontMetricsF(font)
            for start, end in self._marks:
                left = box.left() + metrics.horizontalAdvance(line[:start])
                right = min(box.left() + metrics.horizontalAdvance(line[:end]), box.right())
                if right > left:
                    painter.fillRect(
                        QRectF(left, self.height() - 4, right - left, 2), palette.tone(word)
                    )
