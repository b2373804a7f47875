"""Badges of the eight outcomes: a shape and a letter each, so that colour is never needed."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPixmapCache,
    QPolygonF,
    QTransform,
)

from tripscope_gui.fonts import UI_FAMILY
from tripscope_gui.tokens import OUTCOMES, OutcomeLook, Palette, Shape

# rows and cells paint hundreds a frame: small badges are kept as pictures
_LARGEST_KEPT: Final = 16
_MOVED: Final = QTransform.TransformationType.TxTranslate.value

# share of the badge's edge taken by the letter's height, and its centre from the top
_LETTER: Final = {
    Shape.CIRCLE: (0.46, 0.50),
    Shape.DIAMOND: (0.40, 0.50),
    Shape.TRIANGLE_UP: (0.38, 0.66),
    Shape.OCTAGON: (0.48, 0.50),
    Shape.SQUARE: (0.50, 0.50),
    Shape.TRIANGLE_DOWN: (0.38, 0.34),
    Shape.HOLLOW_CIRCLE: (0.46, 0.50),
    Shape.DASHED_SQUARE: (0.46, 0.50),
}


def badge_path(shape: Shape, rect: QRectF) -> QPainterPath:
    """Outline of a badge in the largest centred square of ``rect``."""
    edge = min(rect.width(), rect.height())
    box = QRectF(0, 0, edge, edge)
    box.moveCenter(rect.center())
    path = QPainterPath()
    match shape:
        case Shape.CIRCLE:
            path.addEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
        case Shape.HOLLOW_CIRCLE:
            path.addEllipse(box.adjusted(1, 1, -1, -1))
        case Shape.DIAMOND:
            path.addPolygon(_corners(box, 4, 0.0))
        case Shape.OCTAGON:
            path.addPolygon(_corners(box, 8, pi / 8))
        case Shape.TRIANGLE_UP:
            path.addPolygon(
                [box.bottomLeft(), QPointF(box.center().x(), box.top()), box.bottomRight()]
            )
        case Shape.TRIANGLE_DOWN:
            path.addPolygon(
                [box.topLeft(), QPointF(box.center().x(), box.bottom()), box.topRight()]
            )
        case Shape.SQUARE:
            path.addRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        case Shape.DASHED_SQUARE:
            path.addRect(box.adjusted(1, 1, -1, -1))
    path.closeSubpath()
    return path


def draw_badge(painter: QPainter, rect: QRectF, outcome: str, palette: Palette) -> None:
    """Draw an outcome's badge centred in ``rect``; its edge is the rect's shorter side.

    Args:
        painter: left as found.
        rect: logical pixels; edges of 11, 15 and 34 are in use.
        outcome: word as in traces, e.g. ``timed-out``.
        palette: colours of the theme.

    Raises:
        KeyError: no such outcome.
    """
    edge = round(min(rect.width(), rect.height()))
    if edge > _LARGEST_KEPT or painter.transform().type().value > _MOVED:
        _paint_badge(painter, rect, OUTCOMES[outcome], palette)
        return
    ratio = painter.device().devicePixelRatioF()
    center = rect.center()
    corner = QPointF(round(center.x() - edge / 2), round(center.y() - edge / 2))
    painter.drawPixmap(corner, _kept_badge(OUTCOMES[outcome], palette, edge, ratio))


def _kept_badge(look: OutcomeLook, palette: Palette, edge: int, ratio: float) -> QPixmap:
    key = f"tripscope-badge:{palette.name}:{look.name}:{edge}:{ratio}"
    pixmap = QPixmap()
    if not QPixmapCache.find(key, pixmap):
        pixmap = QPixmap(round(edge * ratio), round(edge * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            _paint_badge(painter, QRectF(0, 0, edge, edge), look, palette)
        QPixmapCache.insert(key, pixmap)
    return pixmap


def _paint_badge(painter: QPainter, rect: QRectF, look: OutcomeLook, palette: Palette) -> None:
    color = palette.outcome(look.name)
    path = badge_path(look.shape, rect)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if look.hollow:
        painter.setPen(_hollow_pen(look, palette, min(rect.width(), rect.height())))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
    else:
        painter.fillPath(path, color)
    painter.fillPath(_letter(look, rect), color if look.hollow else palette.badge_letter)
    painter.restore()


def _hollow_pen(look: OutcomeLook, palette: Palette, edge: float) -> QPen:
    width = max(1.2, edge / 12)
    pen = QPen(palette.outcome(look.name), width)
    if look.shape is Shape.DASHED_SQUARE:
        # four dashes a side, whatever the size
        side = (edge - 2) / width
        pen.setDashPattern([side / 6, side / 9])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _corners(box: QRectF, count: int, turn: float) -> QPolygonF:
    half = box.width() / 2 / (cos(pi / 8) if count == 8 else 1.0)
    center = box.center()
    return QPolygonF(
        [
            QPointF(
                center.x() + half * cos(turn + 2 * pi * k / count),
                center.y() + half * sin(turn + 2 * pi * k / count),
            )
            for k in range(count)
        ]
    )


def _letter(look: OutcomeLook, rect: QRectF) -> QPainterPath:
    share, middle = _LETTER[look.shape]
    edge = min(rect.width(), rect.height())
    glyph = _glyph(look.letter)
    bounds = glyph.boundingRect()
    scale = edge * share / bounds.height()
    center = rect.center()
    move = QTransform()
    move.translate(center.x(), center.y() + edge * (middle - 0.5))
    move.scale(scale, scale)
    move.translate(-bounds.center().x(), -bounds.center().y())
    return move.map(glyph)


@lru_cache(maxsize=16)
def _glyph(letter: str) -> QPainterPath:
    font = QFont(UI_FAMILY)
    font.setPixelSize(100)
    font.setWeight(QFont.Weight.Bold)
    path = QPainterPath()
    path.addText(0, 0, font, letter)
    return path
