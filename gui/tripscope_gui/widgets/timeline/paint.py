"""Colours, fonts and boxes shared by everything that paints the timeline."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPen,
    QPixmap,
    QPixmapCache,
    QPolygonF,
)

from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import REGULAR, ui_font
from tripscope_gui.store.calls import SEVERITY
from tripscope_gui.store.lanes import UNSCANNED
from tripscope_gui.tokens import Height, Palette, TypeSize, mix
from tripscope_gui.widgets.timeline.scale import Scale
from tripscope_gui.widgets.timeline.track import NONE

HEAD: Final = 42
RULER: Final = 17
LABELS: Final = 172
TIMES: Final = 118
LANE: Final = Height.LANE
LEAST_LANE: Final = 12
_LONE: Final = re.compile(b"([^%c])%c{1,2}" % (NONE, NONE), re.DOTALL)
MARK_HEIGHT: Final = 12
_TINTS: Final = {
    "pass": "tint_green", "changed": "tint_violet", "blocked": "tint_red",
    "errored": "tint_violet", "flagged": "tint_yellow", "timed-out": "tint_yellow",
}  # fmt: skip


class Area(Struct, frozen=True):
    """Where the parts of the timeline stand, in logical pixels of its viewport."""

    width: float
    height: float
    times: bool
    scroll: int
    lane: int = LANE
    """Height of a lane."""

    @property
    def plot(self) -> QRectF:
        """Where lanes are drawn, the head left out."""
        right = self.width - (TIMES if self.times else 0)
        return QRectF(LABELS, HEAD, max(1.0, right - LABELS), max(0.0, self.height - HEAD))

    def lane_top(self, number: int) -> float:
        """The top edge of a lane."""
        return HEAD + number * self.lane - self.scroll

    def lane_at(self, y: float) -> int:
        """Number of the lane at a height; negative in the head."""
        return -1 if y < HEAD else int((y - HEAD + self.scroll) // self.lane)


def code_color(code: int, palette: Palette, plain: bool) -> QColor:
    """Colour of a span's code; ``plain`` lanes draw a pass as text."""
    if code == UNSCANNED:
        return palette.outcome("flagged")
    outcome = SEVERITY[code]
    return palette.t2 if plain and outcome == "pass" else palette.outcome(outcome)


def tint(outcome: str, palette: Palette) -> QColor:
    """Ground of a box in an outcome's colour."""
    name = _TINTS.get(outcome)
    return palette.tone(name) if name is not None else palette.head


def half_tint(palette: Palette) -> QColor:
    """Ground behind the lanes of a rejected attempt."""
    return mix(palette.tint_red, palette.pane, 0.5)


@lru_cache(maxsize=8)
def label_font(weight: int = REGULAR, px: float = TypeSize.COUNT) -> QFont:
    """Font of words in the drawing."""
    return ui_font(px, weight)


def words_width(text: str, font: QFont) -> float:
    """Logical pixels that ``text`` takes."""
    return float(QFontMetricsF(font).horizontalAdvance(text))


def words(
    painter: QPainter,
    rect: QRectF,
    text: str,
    color: QColor,
    font: QFont | None = None,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """One line of plain text, cut to the width of ``rect``; a low lane does not cut its letters."""
    font = font or label_font()
    painter.setFont(font)
    painter.setPen(color)
    flags = int(align | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip)
    painter.drawText(rect, flags, elided(text, font, rect.width()))


def box(painter: QPainter, rect: QRectF, line: QColor, ground: QColor) -> None:
    """A filled box with a 1 px line."""
    painter.fillRect(rect, ground)
    painter.setPen(QPen(line, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))


def flag(painter: QPainter, x: float, top: float, pixmap: QPixmap) -> None:
    """A finding's marker, pointing down to where it was made."""
    painter.drawPixmap(round(x - 4), round(top), pixmap)


def flag_pixmap(color: QColor, ratio: float) -> QPixmap:
    """The marker in a rule's colour, for a device of that pixel ratio."""
    key = f"tripscope-flag:{color.rgba():x}:{ratio}"
    pixmap = QPixmap()
    if not QPixmapCache.find(key, pixmap):
        pixmap = _make_flag(color, ratio)
        QPixmapCache.insert(key, pixmap)
    return pixmap


def _make_flag(color: QColor, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(8 * ratio), round(10 * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        corners = ((0.5, 0), (7.5, 0), (7.5, 5), (4, 8.5), (0.5, 5))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    return pixmap


def widen(codes: bytearray) -> bytearray:
    """Each lone column takes the two after it, where they are free."""
    return bytearray(_LONE.sub(lambda found: found[1] * len(found[0]), codes))


def color_table(colors: Iterable[QColor]) -> list[int]:
    """The colours of codes for `pixel_row`; whatever has none is clear."""
    table = [color.rgba() for color in colors]
    return table + [0] * (NONE + 1 - len(table))


def pixel_row(painter: QPainter, codes: bytearray, rect: QRectF, table: list[int]) -> None:
    """A row of codes, one a pixel column, as high as ``rect``."""
    image = QImage(bytes(codes), len(codes), 1, len(codes), QImage.Format.Format_Indexed8)
    image.setColorTable(table)
    # one row is turned into colours, not each of those that it is drawn as
    painter.drawImage(rect, image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied))


def clip_x(scale: Scale, start: float, end: float) -> tuple[float, float] | None:
    """Pixels of a stretch, cut a little outside the plot; None if nothing of it is in view."""
    x0, x1 = scale.x(start), scale.x(end)
    right = scale.left + scale.width
    if x1 < scale.left or x0 > right:
        return None
    return max(x0, scale.left - 8), min(x1, right + 8)
