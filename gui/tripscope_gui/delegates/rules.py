"""Marks of rules: square swatches and bands. No outcome is ever drawn with these forms."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPen

from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import mono_font
from tripscope_gui.tokens import RULE_BANDS, Band, Palette, TypeSize

# dash and gap in logical pixels
_DASHES: Final = {Band.DASHED: (5.0, 3.0), Band.DOTTED: (2.0, 2.0)}


def band_of(rule_index: int) -> Band:
    """Kind of line for the rule at a 0-based index; goes round with the colours."""
    return RULE_BANDS[rule_index % len(RULE_BANDS)]


def rule_band(
    painter: QPainter,
    x0: float,
    x1: float,
    y: float,
    rule_index: int,
    palette: Palette,
    depth: float = 2.0,
) -> None:
    """Draw a rule's band from ``x0`` to ``x1``, down from ``y``.

    It is ``depth`` logical pixels high, a double band one more.
    """
    color = palette.rule(rule_index)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    band = band_of(rule_index)
    if band is Band.DOUBLE:
        painter.fillRect(QRectF(x0, y, x1 - x0, depth - 1), color)
        painter.fillRect(QRectF(x0, y + depth, x1 - x0, depth - 1), color)
    elif band is Band.SOLID:
        painter.fillRect(QRectF(x0, y, x1 - x0, depth), color)
    else:
        pen = QPen(color, depth, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([dash / depth for dash in _DASHES[band]])
        painter.setPen(pen)
        painter.drawLine(QPointF(x0, y + depth / 2), QPointF(x1, y + depth / 2))
    painter.restore()


def draw_swatch(painter: QPainter, rect: QRectF, rule_index: int, palette: Palette) -> None:
    """Draw a rule's swatch in the largest centred square of ``rect``: its tint over its band."""
    edge = min(rect.width(), rect.height())
    box = QRectF(0, 0, edge, edge)
    box.moveCenter(rect.center())
    box.moveTopLeft(QPointF(round(box.left()), round(box.top())))
    painter.fillRect(box, palette.rule_tint(rule_index))
    double = band_of(rule_index) is Band.DOUBLE
    depth = 2.0 if double else 3.0
    top = box.bottom() - (3 if double else depth)
    rule_band(painter, box.left(), box.right(), top, rule_index, palette, depth)


def rule_tint_run(
    painter: QPainter, rect: QRectF, rule_index: int, palette: Palette, band_y: float | None = None
) -> None:
    """Ground and band of text that a rule matched; draw the text over it afterwards.

    ``band_y`` moves the band, for the second of two overlapping rules.
    """
    painter.fillRect(rect, QBrush(palette.rule_tint(rule_index)))
    top = rect.bottom() - 2 if band_y is None else band_y
    rule_band(painter, rect.left(), rect.right(), top, rule_index, palette)


def boxed_run_width(text: str, font: QFont | None = None) -> float:
    """Logical pixels that :func:`boxed_run` needs for the whole text."""
    metrics = QFontMetricsF(font or mono_font(TypeSize.CELL_MONO))
    return float(metrics.horizontalAdvance(text)) + 6


def boxed_run(
    painter: QPainter,
    rect: QRectF,
    rule_index: int,
    palette: Palette,
    text: str,
    font: QFont | None = None,
) -> QRectF:
    """Draw a replacement in its rule's box at the left of ``rect``.

    Returns:
        The box as drawn, cut to ``rect``.
    """
    font = font or mono_font(TypeSize.CELL_MONO)
    box = QRectF(rect)
    box.setWidth(min(rect.width(), boxed_run_width(text, font)))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(palette.rule(rule_index), 1))
    painter.setBrush(palette.rule_tint(rule_index))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
    painter.setPen(palette.t1)
    painter.setFont(font)
    inner = box.adjusted(3, 0, -3, 0)
    painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, elided(text, font, inner.width()))
    painter.restore()
    return box
