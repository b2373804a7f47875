"""Marks of rules: square swatches and bands. No outcome is ever drawn with these forms."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPen

from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import mono_font
from tripscope_gui.tokens import RULE_BANDS, Band, Palette, TypeSize


def band_of(rule_index: int) -> Band:
    """Kind of line for the rule at a 0-based index; goes round with the colours."""
    return RULE_BANDS[rule_index % len(RULE_BANDS)]


def rule_band(
    painter: QPainter, x0: float, x1: float, y: float, rule_index: int, palette: Palette
) -> None:
    """Draw a rule's band from ``x0`` to ``x1``, three logical pixels down from ``y``."""
    color = palette.rule(rule_index)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    band = band_of(rule_index)
    if band is Band.DOUBLE:
        painter.fillRect(QRectF(x0, y, x1 - x0, 1), color)
        painter.fillRect(QRectF(x0, y + 2, x1 - x0, 1), color)
    elif band is Band.SOLID:
        painter.fillRect(QRectF(x0, y, x1 - x0, 2), color)
    else:
        pen = QPen(color, 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([2.5, 1.5] if band is Band.DASHED else [1, 1])
        painter.setPen(pen)
        painter.drawLine(QPointF(x0, y + 1), QPointF(x1, y + 1))
    painter.restore()


def draw_swatch(painter: QPainter, rect: QRectF, rule_index: int, palette: Palette) -> None:
    """Draw a rule's swatch in the largest centred square of ``rect``: its tint over its band."""
    edge = min(rect.width(), rect.height())
    box = QRectF(0, 0, edge, edge)
    box.moveCenter(rect.center())
    box.moveTopLeft(QPointF(round(box.left()), round(box.top())))
    painter.fillRect(box, palette.rule_tint(rule_index))
    depth = 3 if band_of(rule_index) is Band.DOUBLE else 2
    if edge >= 16:
        depth += 1
        _thick_band(painter, box, rule_index, palette)
        return
    rule_band(painter, box.left(), box.right(), box.bottom() - depth, rule_index, palette)


def _thick_band(painter: QPainter, box: QRectF, rule_index: int, palette: Palette) -> None:
    painter.save()
    painter.translate(box.left(), box.bottom())
    painter.scale(1.5, 1.5)
    rule_band(painter, 0, box.width() / 1.5, -3, rule_index, palette)
    painter.restore()


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
