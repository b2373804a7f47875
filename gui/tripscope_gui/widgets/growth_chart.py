"""How time grows with the length of a text: a line over ten-fold steps of time."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Final, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope_gui.bars.formats import duration
from tripscope_gui.fonts import SEMIBOLD, ui_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize

Point: TypeAlias = tuple[int, float]
"""(length of the text in UTF-16 units, seconds)."""
_LEFT: Final = 44
_RIGHT: Final = 18
_TOP: Final = 20
_BOTTOM: Final = 36
_DOT: Final = 2.5
_SHORTEST: Final = 0.001
_MOST_TICKS: Final = 6
_NS: Final = 1e9
_CENTRE: Final = int(Qt.AlignmentFlag.AlignCenter)
_NAME_LEFT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Growth(Struct, frozen=True):
    """Points with the shortest text first. ``grows``: more than it may, which is drawn in red.

    ``doubling``: lengths stand on an even scale, else on one of ratios, so that both times that
    double with a unit and times that grow with a power lie on a line.
    """

    points: tuple[Point, ...]
    grows: bool
    doubling: bool
    budget: float

    @property
    def shown(self) -> tuple[Point, ...]:
        """The points that are long enough to be told from nothing, or the last ones."""
        told = tuple(point for point in self.points if point[1] >= _SHORTEST)
        return told if len(told) > 2 else self.points[-4:]


class GrowthChart(QWidget):
    """Nothing is drawn before there are points."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.growth: Growth | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(96)
        theme.changed.connect(self.update)

    def show_growth(self, growth: Growth | None) -> None:
        """Draw other points, or none."""
        self.growth = growth
        points = growth.shown if growth is not None else ()
        spoken = "; ".join(f"{units:,} UTF-16 units: {_spell(took)}" for units, took in points)
        self.setAccessibleName(f"time by length of the text: {spoken}" if spoken else "no times")
        self.setVisible(bool(points))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, 170)

    def paintEvent(self, _event: QPaintEvent) -> None:
        growth = self.growth
        if growth is None or not growth.shown:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(ui_font(TypeSize.LABEL))
            plot = QRectF(self.rect()).adjusted(_LEFT, _TOP, -_RIGHT, -_BOTTOM)
            scale = _Scale(growth, plot)
            self._paint_grid(painter, scale, plot)
            self._paint_budget(painter, scale, plot, growth.budget)
            self._paint_line(painter, scale, growth)

    def _paint_grid(self, painter: QPainter, scale: _Scale, plot: QRectF) -> None:
        palette = self._theme.palette
        for power in range(scale.low, scale.high + 1):
            y = scale.y(10.0**power)
            painter.setPen(QPen(palette.line, 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(palette.t3)
            box = QRectF(0, y - 8, _LEFT - 6, 16)
            painter.drawText(box, _NAME_LEFT, _decade(power))
        painter.setPen(palette.t3)
        for units in scale.ticks:
            box = QRectF(scale.x(units) - 30, plot.bottom() + 3, 60, 14)
            painter.drawText(box, _CENTRE, f"{units:,}")
        names = QRectF(plot.left(), plot.bottom() + 18, plot.width(), 14)
        painter.drawText(names, _CENTRE, "length of the text, UTF-16 units")

    def _paint_budget(self, painter: QPainter, scale: _Scale, plot: QRectF, budget: float) -> None:
        color, y = self._theme.palette.tone("flagged"), scale.y(budget)
        painter.setPen(QPen(color, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        painter.setPen(color)
        words = f"budget {_spell(budget)}"
        painter.drawText(QPointF(plot.left() + 4, y - 4), words)

    def _paint_line(self, painter: QPainter, scale: _Scale, growth: Growth) -> None:
        palette = self._theme.palette
        color = palette.tone("blocked") if growth.grows else palette.t2
        dots = [QPointF(scale.x(units), scale.y(took)) for units, took in growth.shown]
        painter.setPen(QPen(color, 1.8))
        painter.drawPolyline(QPolygonF(dots))
        painter.setBrush(color)
        painter.setPen(Qt.PenStyle.NoPen)
        for dot in dots:
            painter.drawEllipse(dot, _DOT, _DOT)
        painter.setFont(ui_font(TypeSize.LABEL, SEMIBOLD))
        painter.setPen(palette.t1)
        words = _spell(growth.shown[-1][1])
        wide = QFontMetricsF(painter.font()).horizontalAdvance(words)
        box = QRectF(dots[-1].x() - wide + _RIGHT / 2, dots[-1].y() - 19, wide, 14)
        # the line of the budget may lie here
        painter.fillRect(box, palette.pane)
        painter.drawText(box, _CENTRE, words)


class _Scale:
    """Where lengths and times stand in a rectangle."""

    def __init__(self, growth: Growth, plot: QRectF) -> None:
        points = growth.shown
        self._plot = plot
        self._even = growth.doubling
        times = [took for _, took in points] + [growth.budget]
        self.low = floor(log10(max(min(times), 1e-6)))
        self.high = max(ceil(log10(max(times))), self.low + 1)
        self._first, self._last = self._along(points[0][0]), self._along(points[-1][0])
        self.ticks = _ticks([units for units, _ in points], plot.width())

    def _along(self, units: int) -> float:
        return float(units) if self._even else log10(max(1, units))

    def x(self, units: int) -> float:
        span = (self._last - self._first) or 1.0
        return self._plot.left() + (self._along(units) - self._first) / span * self._plot.width()

    def y(self, seconds: float) -> float:
        share = (log10(max(seconds, 1e-9)) - self.low) / (self.high - self.low)
        return self._plot.bottom() - min(1.0, max(0.0, share)) * self._plot.height()


def _ticks(units: Sequence[int], width: float) -> list[int]:
    """Some of the lengths, as far apart as their names need; the last one always."""
    most = max(2, min(_MOST_TICKS, int(width // 62)))
    step = max(1, ceil((len(units) - 1) / (most - 1)))
    return list(units[::-1][::step][::-1])


def _spell(seconds: float) -> str:
    return duration(round(seconds * _NS))


def _decade(power: int) -> str:
    if power >= 0:
        return f"{10**power:,} s"
    if power >= -3:
        return f"{10 ** (power + 3):,} ms"
    return f"{10 ** (power + 6):,} \N{MICRO SIGN}s"
