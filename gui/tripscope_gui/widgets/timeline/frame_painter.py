"""Paints what stands around and across the lanes: ruler, steps, retries, the end, the cursor."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from tripscope.trace.events import Delivered
from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.marks import not_run_hatch
from tripscope_gui.fonts import MEDIUM, SEMIBOLD
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.store.attempts import Attempt, attempt_words
from tripscope_gui.store.statuses import ending_words
from tripscope_gui.tokens import Palette
from tripscope_gui.widgets.timeline.advisory_signs import advisory_signs
from tripscope_gui.widgets.timeline.data import Ending, LaneData, TimelineData
from tripscope_gui.widgets.timeline.paint import (
    HEAD,
    RULER,
    Area,
    box,
    clip_x,
    half_tint,
    label_font,
    tint,
    words,
    words_width,
)
from tripscope_gui.widgets.timeline.scale import Scale, axis_value

_STEP_BOX: Final = 16.0
_BULGE: Final = 110.0
_MARK: Final = 8.0
_EXACT: Final = 50_000
"""Nanoseconds to which the time of the end is told at most, in ms as the ruler has it."""


def attempt_title(data: TimelineData, attempt: Attempt) -> str:
    """``step 0``, ``step 1 · attempt 2, accepted``."""
    if attempt.outcome is None:
        how = "cut off" if data.store.over else "running"
    else:
        how = ending_words(attempt.outcome)
    if attempt.attempt == 0 and attempt.outcome in (None, "pass"):
        alone = data.store.attempts.get(attempt.step, 1) is None
        if alone:
            return f"step {attempt.step}"
    return f"{attempt_words(*attempt.key)}, {how}"


class FramePainter:
    """Made anew for each frame."""

    def __init__(self, data: TimelineData, scale: Scale, area: Area, palette: Palette) -> None:
        self.data, self.scale, self.area, self.palette = data, scale, area, palette
        self.ending = data.ending()

    def under(self, painter: QPainter) -> None:
        """What lies behind the lanes: grounds, grid, what did not run."""
        plot, palette = self.area.plot, self.palette
        for attempt in self.data.store.attempts:
            if attempt.rejected:
                inside = clip_x(self.scale, *self.data.span_of(attempt, self.scale.kind))
                if inside is not None:
                    ground = QRectF(inside[0], HEAD, inside[1] - inside[0], plot.height())
                    painter.fillRect(ground, half_tint(palette))
        for value, _ in self.scale.marks():
            painter.fillRect(
                QRectF(round(self.scale.x(value)), HEAD, 1, plot.height()), palette.line
            )
        if self.ending is not None:
            left = max(self.scale.x(self.ending.at(self.scale.kind)), plot.left() - 2)
            if left < plot.right():
                top = HEAD - _STEP_BOX - 2
                hatch = QRectF(left, top, plot.right() - left, plot.height() + 18)
                not_run_hatch(painter, hatch, palette)

    def advisories(self, painter: QPainter) -> None:
        """A warning sign beside each event at which Mastra would go another way."""
        plot, color = self.area.plot, self.palette.outcome("flagged")
        for sign in advisory_signs(self.data, self.scale):
            if plot.left() <= sign.x <= plot.right():
                draw_icon(painter, sign.rect(self.area), Icon.WARNING, color)

    def ruler(self, painter: QPainter) -> None:
        """The values of the axis."""
        scale, plot = self.scale, self.area.plot
        for value, text in scale.marks():
            x = round(scale.x(value))
            if x + 8 + words_width(text, label_font()) < plot.right():
                words(painter, QRectF(x + 4, 0, 90, RULER - 1), text, self.palette.t2)

    def head(self, painter: QPainter) -> None:
        """Marks of the axis and the bars of steps."""
        palette, scale, plot = self.palette, self.scale, self.area.plot
        for value, _ in scale.marks():
            painter.fillRect(QRectF(round(scale.x(value)), RULER - 4, 1, 5), palette.line2)
        painter.fillRect(QRectF(0, HEAD - 1, self.area.width, 1), palette.line)
        self._before_steps(painter)
        for attempt in self.data.store.attempts:
            self._attempt(painter, attempt)
        if self.ending is not None:
            left = max(scale.x(self.ending.at(scale.kind)), plot.left())
            room = QRectF(left + 8, HEAD - _STEP_BOX - 2, plot.right() - left - 12, _STEP_BOX)
            if room.width() > 40:
                text = "not run: " + ", ".join(self._missing())
                self._on_ground(painter, room, text, palette.t1, SEMIBOLD)

    def over(self, painter: QPainter) -> None:
        """What lies on the lanes: retries, the end of the run, lanes that did not run."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        attempts = self.data.store.attempts.all
        for attempt, following in pairwise(attempts):
            if attempt.retried and following.step == attempt.step:
                self._retry(painter, attempt, following)
        painter.restore()
        if self.ending is not None:
            self._ending(painter, self.ending)

    def cursor(self, painter: QPainter, value: float, text: str) -> None:
        """The line of what is selected, with its label in the ruler."""
        x = round(self.scale.x(value))
        plot, palette = self.area.plot, self.palette
        if not plot.left() - 1 <= x <= plot.right():
            return
        painter.fillRect(QRectF(x, RULER, 1.5, self.area.height - RULER), palette.accent)
        font = label_font(SEMIBOLD)
        width = words_width(text, font) + 14
        left = min(max(x - width / 2, plot.left()), plot.right() - width)
        label = QRectF(round(left), 0, round(width), RULER - 1)
        for at, mark in self.scale.marks():
            # half a number is no number
            covered = QRectF(
                self.scale.x(at) + 4, 0, words_width(mark, label_font()) + 2, RULER - 4
            )
            if covered.intersects(label):
                painter.fillRect(covered, palette.pane)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.accent_fill)
        painter.drawRoundedRect(label, 2, 2)
        painter.restore()
        words(painter, label, text, palette.accent_text, font, Qt.AlignmentFlag.AlignHCenter)

    def stretch(self, painter: QPainter, low: float, high: float) -> None:
        """The stretch that the other panes are restricted to."""
        inside = clip_x(self.scale, low, high)
        if inside is None:
            return
        palette = self.palette
        x0, x1 = round(inside[0]), round(inside[1])
        painter.fillRect(QRectF(x0, RULER - 3, x1 - x0, 3), palette.accent)
        for x in (x0, x1):
            painter.fillRect(QRectF(x, RULER - 3, 1, self.area.height), palette.accent)

    def _before_steps(self, painter: QPainter) -> None:
        span = self.data.before_steps(self.scale.kind)
        inside = clip_x(self.scale, *span) if span is not None else None
        if inside is None or inside[1] - inside[0] < 10:
            return
        rect = QRectF(inside[0], HEAD - _STEP_BOX - 2, inside[1] - inside[0], _STEP_BOX)
        box(painter, rect, self.palette.line2, self.palette.head)
        label = rect.adjusted(6, 0, -4, 0)
        words(painter, label, "before step 0 · processInput", self.palette.t1, label_font(SEMIBOLD))

    def _attempt(self, painter: QPainter, attempt: Attempt) -> None:
        palette = self.palette
        inside = clip_x(self.scale, *self.data.span_of(attempt, self.scale.kind))
        if inside is None or inside[1] - inside[0] < 1:
            return
        rect = QRectF(
            round(inside[0]) + 1, HEAD - _STEP_BOX - 2, max(1, round(inside[1] - inside[0]) - 2),
            _STEP_BOX,
        )  # fmt: skip
        rejected = attempt.rejected
        line = palette.outcome("blocked") if rejected else palette.line2
        box(painter, rect, line, palette.tint_red if rejected else palette.head)
        if rect.width() > 16:
            color = palette.outcome("blocked") if rejected else palette.t1
            text = attempt_title(self.data, attempt)
            words(painter, rect.adjusted(6, 0, -4, 0), text, color, label_font(SEMIBOLD))

    def _retry(self, painter: QPainter, attempt: Attempt, following: Attempt) -> None:
        numbers = [lane.id for lane in self.data.lanes]
        if attempt.processor not in numbers:
            return
        kind, palette = self.scale.kind, self.palette
        begin = self.scale.x(self.data.rejected_at(attempt, kind))
        end = self.scale.x(self.data.span_of(following, kind)[0])
        if end < self.area.plot.left() - _BULGE or begin > self.area.plot.right():
            return
        top = self.area.lane_top(numbers.index(attempt.processor))
        start = QPointF(begin, top + self.area.lane / 2)
        tip = QPointF(end + 26, self.area.lane_top(0) + self.area.lane - 1)
        path = QPainterPath(start)
        path.cubicTo(QPointF(begin + _BULGE, start.y()), QPointF(end + _BULGE, tip.y() + 26), tip)
        painter.strokePath(path, QPen(palette.outcome("blocked"), 1.4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.outcome("blocked"))
        painter.drawPolygon(
            QPolygonF([tip + QPointF(-4, -2), tip + QPointF(5, -1), tip + QPointF(-1, 5)])
        )
        limit = self.data.store.totals.max_retries
        words_of = f"retry {attempt.attempt + 1}" + (f" of {limit}" if limit else "")
        reason = f" \N{LEFT DOUBLE QUOTATION MARK}{attempt.reason}\N{RIGHT DOUBLE QUOTATION MARK}"
        self._label(
            painter, QPointF(begin + _BULGE, top), words_of, reason if attempt.reason else ""
        )

    def _label(
        self, painter: QPainter, at: QPointF, strong: str, text: str, outcome: str = "blocked"
    ) -> None:
        palette, plot = self.palette, self.area.plot
        first = words_width(strong, label_font(SEMIBOLD))
        width = min(first + words_width(text, label_font()) + 13, plot.right() - at.x() - 2)
        if width < 40:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        rect = QRectF(round(at.x()), at.y() + 1, round(width), self.area.lane - 2)
        box(painter, rect, palette.outcome(outcome), tint(outcome, palette))
        inside = rect.adjusted(6, 0, -4, 0)
        words(painter, inside, strong, palette.outcome(outcome), label_font(SEMIBOLD))
        words(painter, inside.adjusted(first + 3, 0, 0, 0), text.strip(), palette.t1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _ending(self, painter: QPainter, ending: Ending) -> None:
        palette, plot = self.palette, self.area.plot
        outcome = ending.call.outcome
        x = self.scale.x(ending.at(self.scale.kind))
        color = palette.outcome(outcome)
        if plot.left() <= x <= plot.right():
            painter.fillRect(QRectF(round(x) - 1, HEAD - _STEP_BOX - 2, 2, self.area.height), color)
        numbers = {lane.id: number for number, lane in enumerate(self.data.lanes)}
        left = max(x, plot.left()) + 16
        number = numbers.get(ending.call.processor or "")
        if number is not None and plot.left() <= x <= plot.right():
            top = self.area.lane_top(number)
            draw_badge(painter, QRectF(round(x) - 8, top + 1, 16, 16), outcome, palette)
            at = self.scale.words(ending.at(self.scale.kind), max(self.scale.unit * 10, _EXACT))
            retry = f", retry {str(ending.retry).lower()}" if outcome == "blocked" else ""
            word = "tripwire" if outcome == "blocked" else outcome
            told = f"{word}: {self._why(ending)}{retry}, at {at}"
            self._label(painter, QPointF(left + self._beside(ending), top), told, "", outcome)
        for lane_number, lane in enumerate(self.data.lanes):
            if lane.kind == "client":
                self._last_delivery(painter, lane, self.area.lane_top(lane_number))
            why = self.data.not_run_words(lane)
            top = self.area.lane_top(lane_number)
            if why is not None and top > HEAD - self.area.lane and plot.right() - left > 60:
                draw_badge(painter, QRectF(left + 1, top + 2, 13, 13), "not-run", palette)
                room = QRectF(left + 18, top + 2, plot.right() - left - 20, self.area.lane - 4)
                self._on_ground(painter, room, why, palette.t2, MEDIUM)

    def _beside(self, ending: Ending) -> float:
        """Room for the advisory mark that stands beside the badge of the end, if there is one."""
        store = self.data.store
        return _MARK if any(a.about == ending.seq for a in store.advisories) else 0.0

    def _last_delivery(self, painter: QPainter, lane: LaneData, top: float) -> None:
        """The chunk that tells the client of the tripwire."""
        event = self.data.store.event(lane.lane.seqs[-1]) if len(lane.lane) else None
        if not isinstance(event, Delivered) or event.chunk.type not in ("tripwire", "error"):
            return
        x = round(self.scale.x(axis_value(event, self.scale.kind)))
        color = self.palette.outcome("blocked" if event.chunk.type == "tripwire" else "errored")
        painter.fillRect(QRectF(x - 2, top + 2, 4, self.area.lane - 5), color)
        room = QRectF(x + 6, top + 1, self.area.plot.right() - x - 8, self.area.lane - 3)
        if room.width() > 60:
            count = self.data.store.totals.delivered
            number = "1 chunk" if count == 1 else f"chunk {count} of {count}"
            text = f"{number}: {event.chunk.type}"
            self._on_ground(painter, room, text, self.palette.t1, MEDIUM)

    def _on_ground(
        self, painter: QPainter, room: QRectF, text: str, color: QColor, weight: int
    ) -> None:
        """Words that stay readable on the hatch."""
        font = label_font(weight)
        rect = QRectF(room)
        rect.setWidth(min(room.width(), words_width(text, font) + 8))
        painter.fillRect(rect.adjusted(0, 1, 0, -1), self.palette.pane)
        words(painter, rect.adjusted(4, 0, -2, 0), text, color, font)

    def _why(self, ending: Ending) -> str:
        """The rule that ended it, else what the processor says."""
        for finding in reversed(self.data.store.findings):
            if finding.processor == ending.call.processor and finding.seq < ending.seq:
                if finding.outcome in ("blocked", "timed-out"):
                    return finding.rule
                break
        return ending.call.error or ending.call.processor or ""

    def _missing(self) -> list[str]:
        store = self.data.store
        if store.requests:
            return ["what would have come next"]
        missing = [] if store.attempts.all else ["step 0"]
        return [*missing, "model", "tools", "output hooks"]
