"""A test that fails: what is wrong, the text with what was expected and what was found."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope.patterns.units import spread
from tripscope_gui.delegates.rules import rule_tint_run
from tripscope_gui.delegates.texts import elided, one_line
from tripscope_gui.fonts import REGULAR, SEMIBOLD, mono_font, ui_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.labels import plain_tooltip

_LEFT: Final = 16
_BEFORE: Final = 24
"""UTF-16 units shown before the place that matters."""


class FailureBox(QWidget):
    """Expected text has red dashes under it, found text stands on its rule's tint."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = self._what = self._expected = self._text = ""
        self._want: tuple[int, int] | None = None
        self._got: tuple[int, int] | None = None
        self._look = 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_failure(
        self,
        number: int,
        what: str,
        expected: str,
        text: str,
        want: tuple[int, int] | None,
        got: tuple[int, int] | None,
        look: int,
    ) -> None:
        """Tell of the test of that number, counted from 1; spans in UTF-16 units."""
        self._title, self._what, self._expected = f"Test {number} fails:", what, expected
        self._text, self._want, self._got, self._look = text, want, got, look
        self.setAccessibleName(f"Test {number} fails: {what}, {expected}")
        self.setToolTip(plain_tooltip(f"{what}\n{expected}"))
        self.update()

    @property
    def words(self) -> str:
        """``Test 4 fails: starts 2 too late``."""
        return f"{self._title} {self._what}"

    def sizeHint(self) -> QSize:
        return QSize(200, 78)

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = self._theme.palette
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), palette.tint_red)
            painter.fillRect(QRectF(0, 0, 3, self.height()), palette.tone("blocked"))
            width = self.width() - 2 * _LEFT
            bold, plain = ui_font(TypeSize.BODY, SEMIBOLD), ui_font(TypeSize.BODY, REGULAR)
            painter.setPen(palette.t1)
            painter.setFont(bold)
            painter.drawText(QRectF(_LEFT, 6, width, 18), self._title)
            used = QFontMetricsF(bold).horizontalAdvance(self._title) + 6
            painter.setFont(plain)
            line = elided(self._what, plain, width - used)
            painter.drawText(QRectF(_LEFT + used, 6, width - used, 18), line)
            self._paint_text(painter, width)
            painter.setPen(palette.t2)
            painter.setFont(plain)
            expected = elided(self._expected, plain, width)
            painter.drawText(QRectF(_LEFT, 55, width, 18), expected)

    def _paint_text(self, painter: QPainter, width: float) -> None:
        palette, font = self._theme.palette, mono_font(TypeSize.TEXT_MONO)
        metrics = QFontMetricsF(font)
        places = [span[0] for span in (self._want, self._got) if span is not None]
        start = max(0, min(places, default=0) - _BEFORE)
        units = spread(self._text)[start : start + 400]
        shown = one_line(units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        head = "\u2026" if start else ""

        def x(offset: int) -> float:
            cut = units[: max(0, offset - start)]
            text = cut.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            return _LEFT + metrics.horizontalAdvance(head + one_line(text))

        painter.save()
        painter.setClipRect(QRectF(_LEFT - 1, 28, width + 2, 26))
        if self._got is not None:
            left, right = x(self._got[0]), x(self._got[1])
            box = QRectF(left, 30, max(2.0, right - left), 18)
            rule_tint_run(painter, box, self._look, palette)
        painter.setPen(palette.t1)
        painter.setFont(font)
        flags = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(_LEFT, 29, 10_000, 18), flags, head + shown)
        if self._want is not None:
            pen = QPen(palette.removed, 1.5, Qt.PenStyle.DashLine)
            painter.setPen(pen)
            y = 51.0
            painter.drawLine(int(x(self._want[0])), int(y), int(x(self._want[1])), int(y))
        painter.restore()
