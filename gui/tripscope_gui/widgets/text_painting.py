"""What stands under and over the letters of a text: grounds, boxes, bands, the outline.

Everything is painted for lines in view only, so ten thousand stretches cost what one screen costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTextLine

from tripscope.patterns.units import spread
from tripscope_gui.delegates.rules import rule_band
from tripscope_gui.store.lookalikes import OddCharacter
from tripscope_gui.store.point_spans import TextSpan
from tripscope_gui.tokens import Palette
from tripscope_gui.widgets.line_edges import edges

_BLANKS: Final = {" ": "\u00b7", "\t": "\u2192"}


class ShownLine(NamedTuple):
    """A line in view. Offsets are UTF-16 code units of the text.

    ``place`` is where its paragraph begins in the view, ``base`` the offset at which that begins.
    ``turned``: some of its letters may run from right to left.
    """

    line: QTextLine
    start: int
    end: int
    place: QPointF
    base: int
    turned: bool = False

    @property
    def top(self) -> float:
        """Upper edge in the view."""
        return self.place.y() + self.line.y()

    def rects(self, start: int, end: int) -> Iterator[QRectF]:
        """Where a stretch of the line stands in the view, part by part."""
        left, base = self.place.x(), self.base
        for x0, x1 in edges(self.line, start - base, end - base, turned=self.turned):
            yield QRectF(left + x0, self.top, x1 - x0, self.line.height())


def rects(shown: Sequence[ShownLine], start: int, end: int) -> Iterator[QRectF]:
    """Where a stretch stands in the view, line by line and part by part."""
    for line in shown:
        first, last = max(start, line.start), min(end, line.end)
        if first < last:
            yield from line.rects(first, last)


def paint_grounds(
    painter: QPainter, shown: Sequence[ShownLine], spans: Sequence[TextSpan], palette: Palette
) -> None:
    """Tints of matches, boxes round replacements, the red ground of what left too early."""
    for span in sorted(spans, key=lambda s: s.winner is None):
        tint = palette.tint_violet if span.number < 0 else palette.rule_tint(span.number)
        for rect in rects(shown, span.start, span.end):
            if span.kind == "box":
                line = palette.outcome("changed")
                painter.setPen(QPen(line if span.number < 0 else palette.rule(span.number), 1))
                painter.setBrush(tint)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.drawRoundedRect(rect.adjusted(-0.5, 0.5, 0.5, 1.5), 2, 2)
            elif span.kind == "leak":
                painter.fillRect(rect, palette.removed_ground)
            else:
                painter.fillRect(rect, tint)


def paint_bands(
    painter: QPainter, shown: Sequence[ShownLine], spans: Sequence[TextSpan], palette: Palette
) -> None:
    """The band of each match; those that another match covers stand one level lower."""
    for span in spans:
        if span.kind == "box":
            continue
        for rect in rects(shown, span.start, span.end):
            if span.kind == "leak":
                line = QRectF(rect.left(), rect.bottom(), rect.width(), 2)
                painter.fillRect(line, palette.removed)
                continue
            top = rect.bottom() + (3 if span.winner is not None else 0)
            rule_band(painter, rect.left(), rect.right(), top, span.number, palette)


def paint_odd_grounds(
    painter: QPainter,
    shown: Sequence[ShownLine],
    odd: Sequence[OddCharacter],
    palette: Palette,
) -> None:
    """The ground of invisible and look-alike characters."""
    for character in odd:
        for rect in rects(shown, character.start, character.end):
            painter.fillRect(rect, palette.tint_yellow)


def paint_odd_boxes(
    painter: QPainter,
    shown: Sequence[ShownLine],
    odd: Sequence[OddCharacter],
    palette: Palette,
) -> None:
    """Their dashed boxes; one that has no width gets some."""
    painter.setPen(QPen(palette.outcome("flagged"), 1, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for character in odd:
        for rect in rects(shown, character.start, character.end):
            if not rect.width():
                rect.adjust(-1.5, 0, 1.5, 0)
            painter.drawRect(rect.adjusted(0, 0.5, 0, 0.5))


def paint_blanks(painter: QPainter, line: ShownLine, paragraph: str) -> None:
    """Signs for the blanks of a line; ``paragraph`` is the one that it is part of."""
    # positions count UTF-16 units, Python's code points
    units = spread(paragraph)
    for column in range(line.start - line.base, min(line.end - line.base, len(units))):
        sign = _BLANKS.get(units[column])
        if sign is not None:
            for box in line.rects(line.base + column, line.base + column + 1):
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), sign)


def paint_outline(
    painter: QPainter, shown: Sequence[ShownLine], start: int, end: int, palette: Palette
) -> None:
    """The accent round what is selected."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(palette.accent, 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for rect in rects(shown, start, end):
        painter.drawRoundedRect(rect.adjusted(-2.5, -1.5, 2.5, 4), 2, 2)
