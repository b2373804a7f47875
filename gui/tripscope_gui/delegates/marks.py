"""Marks of what happened to text: held, released, changed, left too early, unscanned, not run.

Each helper leaves the painter as found. Those that draw at an edge return the rectangle that is
left for the cell's own text.
"""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPixmapCache,
)

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.fonts import ui_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.tokens import BadgeSize, Palette, TypeSize, mix

EDGE = 3.0
_PERIOD = 8


def held_hatch(painter: QPainter, rect: QRectF, palette: Palette, text: str = "") -> None:
    """Amber hatch for text that is held back, with a label such as ``held 24``.

    Amber hatching means held back and nothing else. The number counts UTF-16 units.
    """
    painter.save()
    painter.fillRect(rect, palette.held_ground)
    # thin and a little muted, or a screen of held rows would shout
    _tile(painter, rect, mix(palette.held_line, palette.held_ground, 0.75), 1.6, rising=True)
    _frame(painter, rect, mix(palette.held_line, palette.held_ground, 0.85))
    if text:
        font = _label_font()
        width = QFontMetricsF(font).horizontalAdvance(text) + 8
        box = QRectF(rect.left() + 4, rect.top() + 1, width, rect.height() - 2)
        if width + 8 > rect.width():
            box.setWidth(max(0.0, rect.width() - 8))
        painter.fillRect(box, palette.held_ground)
        painter.setFont(font)
        painter.setPen(palette.held_text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def held_width(text: str) -> float:
    """Logical pixels of the narrowest hatch that shows ``text`` whole."""
    return QFontMetricsF(_label_font()).horizontalAdvance(text) + 18


def not_run_hatch(painter: QPainter, rect: QRectF, palette: Palette) -> None:
    """Thin grey hatch, falling, for what something earlier kept from running."""
    painter.save()
    _tile(painter, rect, palette.line2, 1.0, rising=False)
    pen = QPen(palette.t3, 1, Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


def unscanned_frame(painter: QPainter, rect: QRectF, palette: Palette) -> QRectF:
    """Dashed yellow edge and crossed eye for text that no processor scans."""
    painter.save()
    pen = QPen(palette.outcome("flagged"), 1, Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()
    return _icon_at_left(painter, rect, Icon.EYE_CROSSED, palette.outcome("flagged"), 5)


def released_edge(
    painter: QPainter, rect: QRectF, palette: Palette, *, flush: bool = False
) -> QRectF:
    """Amber left edge and a down arrow, or a ``flush`` tag, for held text that is let out."""
    _edge(painter, rect, palette.held_line)
    if not flush:
        return _icon_at_left(painter, rect, Icon.ARROW_DOWN, palette.held_line, EDGE + 4)
    start = rect.adjusted(EDGE + 4, 2, 0, -2)
    box = tag(painter, start, palette, "flush", palette.held_line, palette.held_text)
    return QRectF(QPointF(box.right() + 4, rect.top()), rect.bottomRight())


def changed_edge(painter: QPainter, rect: QRectF, palette: Palette) -> QRectF:
    """Violet left edge and the small diamond for a changed chunk."""
    _edge(painter, rect, palette.outcome("changed"))
    return _badge_at_left(painter, rect, "changed", palette)


def blocked_edge(painter: QPainter, rect: QRectF, palette: Palette) -> QRectF:
    """Small octagon on the red tint for the chunk that a tripwire cut off."""
    painter.fillRect(rect, palette.tint_red)
    return _badge_at_left(painter, rect, "blocked", palette)


def leak_edge(painter: QPainter, rect: QRectF, palette: Palette) -> QRectF:
    """Red left edge and cross on the red tint for text that left before it was decided."""
    painter.fillRect(rect, palette.tint_red)
    _edge(painter, rect, palette.outcome("blocked"))
    return _icon_at_left(painter, rect, Icon.CROSS, palette.outcome("blocked"), EDGE + 4)


def tag(
    painter: QPainter, rect: QRectF, palette: Palette, text: str, line: QColor, color: QColor
) -> QRectF:
    """Draw a small outlined word at the left of ``rect`` and return its box."""
    font = _label_font()
    box = QRectF(rect)
    box.setWidth(QFontMetricsF(font).horizontalAdvance(text) + 8)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, 1))
    painter.setBrush(palette.pane)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
    painter.setPen(color)
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
    return box


def lineage_link(painter: QPainter, start: QPointF, end: QPointF, palette: Palette) -> None:
    """Accent curve with a dot at both ends, from a chunk to where its characters went."""
    bend = (end.x() - start.x()) * 0.6
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.strokePath(path, QPen(palette.accent, 1.8))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(palette.accent)
    painter.drawEllipse(start, 2.5, 2.5)
    painter.drawEllipse(end, 2.5, 2.5)
    painter.restore()


def selected_frame(painter: QPainter, rect: QRectF, palette: Palette) -> None:
    """Accent outline of the selected thing in a drawing."""
    _frame(painter, rect, palette.accent)


def _label_font() -> QFont:
    return ui_font(TypeSize.LABEL)


def _edge(painter: QPainter, rect: QRectF, color: QColor) -> None:
    painter.fillRect(QRectF(rect.left(), rect.top(), EDGE, rect.height()), color)


def _frame(painter: QPainter, rect: QRectF, color: QColor) -> None:
    painter.save()
    painter.setPen(QPen(color, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


def _icon_at_left(
    painter: QPainter, rect: QRectF, icon: Icon, color: QColor, inset: float
) -> QRectF:
    size = 12.0
    top = round(rect.center().y() - size / 2)
    draw_icon(painter, QRectF(rect.left() + inset, top, size, size), icon, color)
    return rect.adjusted(inset + size + 4, 0, 0, 0)


def _badge_at_left(painter: QPainter, rect: QRectF, outcome: str, palette: Palette) -> QRectF:
    size = BadgeSize.CELL
    box = QRectF(rect.left() + EDGE + 4, rect.center().y() - size / 2, size, size)
    draw_badge(painter, box, outcome, palette)
    return rect.adjusted(EDGE + 4 + size + 4, 0, 0, 0)


def _tile(painter: QPainter, rect: QRectF, color: QColor, width: float, *, rising: bool) -> None:
    ratio = painter.device().devicePixelRatioF()
    key = f"tripscope-hatch:{color.rgba():x}:{width}:{rising}:{ratio}"
    tile = QPixmap()
    if not QPixmapCache.find(key, tile):
        tile = _make_tile(color, width, ratio, rising)
        QPixmapCache.insert(key, tile)
    painter.drawTiledPixmap(rect, tile)


def _make_tile(color: QColor, width: float, ratio: float, rising: bool) -> QPixmap:
    tile = QPixmap(round(_PERIOD * ratio), round(_PERIOD * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(Qt.GlobalColor.transparent)
    with QPainter(tile) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        side = float(_PERIOD)
        for shift in (-side, 0.0, side):
            line = QLineF(shift - side, 2 * side, shift + 2 * side, -side)
            if not rising:
                line = QLineF(side - line.x1(), line.y1(), side - line.x2(), line.y2())
            painter.drawLine(line)
    return tile
