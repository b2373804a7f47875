"""Paints what happened in one lane: holds, calls, chunks, tools, findings."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from tripscope.trace.events import ModelRequested
from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.marks import held_hatch
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.store.calls import SEVERITY
from tripscope_gui.store.lanes import UNSCANNED
from tripscope_gui.tokens import Palette, mix
from tripscope_gui.widgets.timeline.data import LOUD, ORDER, LaneData, TimelineData
from tripscope_gui.widgets.timeline.paint import (
    MARK_HEIGHT,
    box,
    clip_x,
    code_color,
    color_table,
    flag,
    flag_pixmap,
    label_font,
    pixel_row,
    tint,
    widen,
    words,
    words_width,
)
from tripscope_gui.widgets.timeline.scale import Scale

_SINGLE: Final = 120
"""Spans in view up to which each is a tick of its own."""
_FEW: Final = 1500
"""Spans in view up to which a lone column is widened to be seen."""
_TICK: Final = 4.0
_BOX: Final = 14.0
_HATCH: Final = 10.0
"""Least width in which a hatch can be told from a fill."""
_FLAG_GAP: Final = 10.0
_NAMED: Final = 90
"""Width from which a call has the name of its hook in it; its badge then stands at its end."""


class LanePainter:
    """Paints the lanes of one run at one scale; made anew for each frame."""

    def __init__(
        self, data: TimelineData, scale: Scale, palette: Palette, lane_height: int
    ) -> None:
        self._inset = (lane_height - MARK_HEIGHT) // 2
        self.data, self.scale, self.palette = data, scale, palette
        self.end = data.end(scale.kind)
        codes = range(UNSCANNED + 1)
        self._plain = color_table(code_color(code, palette, True) for code in codes)
        self._outcomes = color_table(code_color(code, palette, False) for code in codes)
        self._held = mix(palette.held_line, palette.held_ground, 0.75)
        self._held_table = color_table([self._held])
        self._flags: dict[int, QPixmap] = {}

    def paint(self, painter: QPainter, lane: LaneData, top: float) -> None:
        """Everything of a lane whose top edge is at ``top``."""
        self._holds(painter, lane, top)
        if lane.kind == "model":
            self._requests(painter, lane, top)
        self._findings(painter, lane, top)
        self._spans(painter, lane, top)
        if lane.kind == "client":
            self._client(painter, lane, top)

    def _rect(self, top: float, x0: float, x1: float) -> QRectF:
        return QRectF(round(x0), top + self._inset, max(1.0, round(x1) - round(x0)), MARK_HEIGHT)

    def _holds(self, painter: QPainter, lane: LaneData, top: float) -> None:
        scale = self.scale
        track = lane.holds[scale.kind]
        if not len(track):
            return
        row, before = track.pixels(scale.low, scale.unit, int(scale.width))
        if row.count(0):
            rect = QRectF(scale.left - before, top + self._inset, len(row), MARK_HEIGHT)
            pixel_row(painter, widen(row), rect, self._held_table)
        for place in track.long_spans(scale.low, scale.high, 4 * scale.unit, self.end):
            end = track.ends[place]
            end = self.end if end < track.starts[place] else end
            inside = clip_x(scale, track.starts[place], end)
            if inside is None:
                continue
            rect = self._rect(top, *inside)
            if rect.width() < _HATCH:
                painter.fillRect(rect, self._held)
            else:
                held_hatch(painter, rect, self.palette)

    def _requests(self, painter: QPainter, lane: LaneData, top: float) -> None:
        requests, scale = lane.requests, self.scale
        if requests is None:
            return
        time = scale.kind == "time"
        starts = requests.starts if time else requests.seqs
        ends = requests.ends if time else requests.end_seqs
        chunks = lane.lane.starts if time else lane.lane.seqs
        for place in range(len(requests)):
            end = ends[place] if ends[place] >= starts[place] else self.end
            first = bisect_left(lane.lane.seqs, requests.seqs[place])
            if first < len(chunks):
                end = min(end, chunks[first])
            inside = clip_x(scale, starts[place], end)
            if inside is None or inside[1] - inside[0] < 2:
                continue
            rect = self._rect(top, *inside)
            box(painter, rect, self.palette.line2, self.palette.pane)
            if rect.width() > 52:
                event = self.data.store.event(requests.seqs[place])
                cached = isinstance(event, ModelRequested) and event.from_cache
                text = "from cache" if cached else "request"
                words(painter, rect.adjusted(5, 0, -2, 0), text, self.palette.t3)

    def _spans(self, painter: QPainter, lane: LaneData, top: float) -> None:
        scale = self.scale
        track = lane.spans[scale.kind]
        inside = track.between(scale.low - 4 * scale.unit, scale.high)
        if len(inside) > _SINGLE:
            row, before = track.pixels(scale.low, scale.unit, int(scale.width))
            if len(inside) < _FEW:
                row = widen(row)
            table = self._outcomes if lane.kind == "processor" else self._plain
            rect = QRectF(scale.left - before, top + self._inset, len(row), MARK_HEIGHT)
            pixel_row(painter, row, rect, table)
        else:
            for place in sorted(inside, key=lambda p: ORDER.index(track.codes[p])):
                self._tick(painter, lane, place, track.starts[place], top)
        for place in track.long_spans(scale.low, scale.high, _TICK * scale.unit, self.end):
            self._long(painter, lane, place, top)

    def _tick(self, painter: QPainter, lane: LaneData, place: int, value: int, top: float) -> None:
        end = lane.spans[self.scale.kind].ends[place]
        if end - value >= _TICK * self.scale.unit or end < value:
            return  # drawn as a box
        code = lane.lane.codes[place]
        x = round(self.scale.x(value))
        rect = QRectF(x - _TICK / 2, top + self._inset, _TICK, MARK_HEIGHT)
        if code == UNSCANNED:
            self._dashed(painter, rect.adjusted(-1, 0, 1, 0))
            return
        painter.fillRect(rect, code_color(code, self.palette, lane.kind != "processor"))
        if code in LOUD and lane.kind == "processor":
            self._badge(painter, code, QPointF(x, rect.center().y()))

    def _long(self, painter: QPainter, lane: LaneData, place: int, top: float) -> None:
        track, palette = lane.spans[self.scale.kind], self.palette
        end = track.ends[place]
        running = end < track.starts[place]
        inside = clip_x(self.scale, track.starts[place], self.end if running else end)
        if inside is None:
            return
        rect = self._rect(top, *inside)
        if lane.kind != "processor":
            box(painter, rect, palette.line2, palette.head)
            text = self._tool_words(lane, place, running)
            if text and rect.width() > 24:
                words(painter, rect.adjusted(5, 0, -2, 0), text, palette.t1)
            return
        code = track.codes[place]
        outcome = SEVERITY[code]
        box(painter, rect, palette.outcome(outcome), tint(outcome, palette))
        if rect.width() < _BOX and code not in LOUD:
            return
        hook = ""
        if rect.width() > _NAMED:
            # the event itself may be packed
            hook = self.data.store.calls.hook_of(lane.id, lane.lane.seqs[place])
        named = bool(hook)
        if named:
            words(painter, rect.adjusted(5, 0, -20, 0), hook, palette.t1)
        x = rect.right() if code in LOUD else rect.right() - 10 if named else rect.center().x()
        self._badge(painter, code, QPointF(x, rect.center().y()))

    def _badge(self, painter: QPainter, code: int, middle: QPointF) -> None:
        draw_badge(
            painter,
            QRectF(round(middle.x() - 7.5), round(middle.y() - 7.5), 15, 15),
            SEVERITY[code],
            self.palette,
        )

    def _dashed(self, painter: QPainter, rect: QRectF) -> None:
        pen = QPen(self.palette.outcome("flagged"), 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([2, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def _tool_words(self, lane: LaneData, place: int, running: bool) -> str:
        tools = self.data.store.tools
        if lane.kind != "tools" or place >= len(tools):
            return ""
        run = tools[place]
        name = run.started.tool_name
        if running or run.ended is None:
            return f"{name}, running"
        length = f"{run.ended.duration / 1e6:,.0f} ms"
        return f"{name} {length}" if run.ended.error is None else f"{name} failed, {length}"

    def _findings(self, painter: QPainter, lane: LaneData, top: float) -> None:
        scale = self.scale
        values = lane.marks.on(scale.kind)
        gap, count = _FLAG_GAP * scale.unit, len(values)
        place = bisect_left(values, scale.low)
        while place < count and (value := values[place]) <= scale.high:
            pixmap = self._flag(painter, lane.marks.rules[place])
            flag(painter, scale.x(value) + 5, top + self._inset, pixmap)
            # the next one that does not stand on this one
            place = bisect_left(values, value + gap, place + 1)

    def _flag(self, painter: QPainter, rule: int) -> QPixmap:
        pixmap = self._flags.get(rule)
        if pixmap is None:
            ratio = painter.device().devicePixelRatioF()
            pixmap = self._flags[rule] = flag_pixmap(self.palette.rule(rule), ratio)
        return pixmap

    def _client(self, painter: QPainter, lane: LaneData, top: float) -> None:
        """What left too early, and how long the client waited for the first text."""
        scale, palette = self.scale, self.palette
        early = self.data.early
        values = early.on(scale.kind)
        red = palette.outcome("blocked")
        taken = QRectF()
        for value in values:
            if scale.low <= value <= scale.high:
                left = round(scale.x(value)) - 2
                painter.fillRect(QRectF(left, top + self._inset, 4, MARK_HEIGHT), red)
        if values:
            text = f"left undecided: {early.units}"
            font = label_font(SEMIBOLD)
            width = round(words_width(text, font)) + 14
            left = round(scale.x(values[0])) - width - 6
            rect = taken = QRectF(left, top + 1, width, self._inset * 2 + MARK_HEIGHT - 2)
            if rect.left() >= scale.left and rect.right() < scale.left + scale.width:
                box(painter, rect, red, palette.tint_red)
                words(painter, rect, text, red, font, Qt.AlignmentFlag.AlignHCenter)
        for wait in self.data.waits:
            text = f"first text, held {wait.length / 1e6:,.0f} ms"
            width = round(words_width(text, label_font())) + 2
            left = round(scale.x(wait.on(scale.kind))) - 6 - width
            rect = QRectF(left, top, width, 2 * self._inset + MARK_HEIGHT)
            others = lane.spans[scale.kind].between(scale.value(left), scale.value(left + width))
            inside = left > scale.left and left < scale.left + scale.width
            if inside and not others and not rect.intersects(taken):
                words(painter, rect, text, palette.t3)
