"""What stands beside the lanes: their names at the left, where the time went at the right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tripscope_gui.delegates.rows import SELECTION_BAR
from tripscope_gui.fonts import MEDIUM, REGULAR, ui_font
from tripscope_gui.tokens import Palette
from tripscope_gui.widgets.timeline.data import LaneData, TimelineData
from tripscope_gui.widgets.timeline.paint import (
    HEAD,
    LABELS,
    LANE,
    RULER,
    TIMES,
    Area,
    label_font,
    words,
    words_width,
)

_TITLE: Final = 11.5
_LONGEST_BAR: Final = 46


class LabelPainter:
    """Made anew for each frame; ``selected`` is the id of a processor."""

    def __init__(
        self, data: TimelineData | None, area: Area, palette: Palette, selected: str | None
    ) -> None:
        self.data, self.area, self.palette, self.selected = data, area, palette, selected
        lanes = enumerate(data.lanes if data is not None else ())
        tops = ((lane, area.lane_top(number)) for number, lane in lanes)
        self._lanes = [at for at in tops if HEAD - area.lane < at[1] < area.height]

    def names(self, painter: QPainter) -> None:
        """What stands left of the plot; without a run, what will come."""
        area, palette = self.area, self.palette
        painter.fillRect(QRectF(0, HEAD, LABELS, area.height), palette.pane)
        if not self._lanes:
            room = QRectF(LABELS + 12, HEAD, area.plot.width() - 24, LANE + 8)
            words(painter, room, "No run yet: each processor gets a lane here", palette.t3)
        for lane, top in self._lanes:
            self._label(painter, lane, top)
        painter.fillRect(QRectF(0, 0, LABELS, HEAD), palette.pane)
        painter.fillRect(QRectF(0, HEAD - 1, LABELS, 1), palette.line)
        painter.fillRect(QRectF(LABELS - 1, 0, 1, area.height), palette.line)

    def times(self, painter: QPainter) -> None:
        """What stands right of the plot, if there is room for it."""
        area, palette = self.area, self.palette
        if not area.times:
            return
        left = area.plot.right()
        if self.data is not None:
            # of all lanes, also those out of view, so that no bar changes while they are scrolled
            spent = [self.data.time_spent(lane) or 0 for lane in self.data.lanes]
            most = max(spent, default=0)
            for lane, top in self._lanes:
                self._time(painter, self.data, lane, top, most)
        painter.fillRect(QRectF(left, HEAD - 1, TIMES, 1), palette.line)
        painter.fillRect(QRectF(left, 0, 1, area.height), palette.line)
        title = QRectF(left + 10, RULER, TIMES - 14, HEAD - RULER)
        words(painter, title, "where time went", palette.t2)

    def _label(self, painter: QPainter, lane: LaneData, top: float) -> None:
        palette, height = self.palette, self.area.lane
        rect = QRectF(0, top, LABELS - 1, height - 1)
        if lane.kind == "processor" and lane.id == self.selected:
            painter.fillRect(rect, palette.sel)
            painter.fillRect(QRectF(0, top, SELECTION_BAR, height - 1), palette.accent)
        painter.fillRect(QRectF(0, top + height - 1, LABELS, 1), palette.line)
        font = ui_font(_TITLE, MEDIUM if lane.kind == "processor" else REGULAR)
        inside = rect.adjusted(10, 0, -8, 0)
        room = inside.width() - words_width(lane.title, font) - 8
        words(painter, inside, lane.title, palette.t1, font)
        if lane.note and room > 24:
            note = QRectF(inside.right() - room, top, room, height - 1)
            words(painter, note, lane.note, palette.t3, label_font(), Qt.AlignmentFlag.AlignRight)

    def _time(
        self, painter: QPainter, data: TimelineData, lane: LaneData, top: float, most: int
    ) -> None:
        """A lane's time, as a bar beside ``most``, the longest one's, and in numbers."""
        area, palette = self.area, self.palette
        left = area.plot.right()
        painter.fillRect(QRectF(left, top + area.lane - 1, TIMES, 1), palette.line)
        spent = data.time_spent(lane)
        rect = QRectF(left + 8, top, TIMES - 16, area.lane - 1)
        right = Qt.AlignmentFlag.AlignRight
        if spent is None:
            if lane.kind != "client" and data.store.over:
                words(painter, rect, "not run", palette.t3, label_font(), right)
            return
        outcome = data.store.calls.outcome(lane.id) if lane.kind == "processor" else None
        color = palette.outcome(outcome) if outcome is not None else palette.t2
        width = max(2.0, _LONGEST_BAR * spent / most) if most and spent else 0.0
        painter.fillRect(QRectF(left + 9, top + (area.lane - 6) // 2, round(width), 6), color)
        words(painter, rect, _duration(spent), palette.t1, label_font(), right)


def _duration(ns: int) -> str:
    if ns < 10_000_000:
        return f"{ns / 1e6:.1f} ms"
    return f"{ns / 1e6:.0f} ms" if ns < 1_000_000_000 else f"{ns / 1e9:.2f} s"
