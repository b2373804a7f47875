"""Small drawings to compare: what a helper paints, as pixels."""

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter


def painted(
    draw: Callable[[QPainter, QRectF], object], width: int, height: int, ground: QColor
) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(ground)
    with QPainter(image) as painter:
        draw(painter, QRectF(0, 0, width, height))
        assert painter.isActive()
    return image


def silhouette(image: QImage, ground: QColor) -> frozenset[tuple[int, int]]:
    """Pixels that clearly differ from the ground in lightness; no colour is left in it."""
    base = ground.lightness()
    return frozenset(
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if abs(image.pixelColor(x, y).lightness() - base) > 60
    )


def colors(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }
