"""The timeline as a widget: paints what is in view, zooms, pans, picks, chooses a stretch."""

from __future__ import annotations

from typing import Final, TypeGuard

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from tripscope_gui.delegates.rows import SELECTION_BAR
from tripscope_gui.fonts import MEDIUM, REGULAR, ui_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.chunk_rows import ChunkRow
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import plain_tooltip
from tripscope_gui.widgets.timeline.data import LaneData, TimelineData
from tripscope_gui.widgets.timeline.frame_painter import FramePainter
from tripscope_gui.widgets.timeline.hits import Hit, hit
from tripscope_gui.widgets.timeline.lane_painter import LanePainter
from tripscope_gui.widgets.timeline.paint import (
    HEAD,
    LABELS,
    LANE,
    LEAST_LANE,
    RULER,
    TIMES,
    Area,
    label_font,
    words,
    words_width,
)
from tripscope_gui.widgets.timeline.scale import AxisKind, Scale

_FULL: Final = 1390
"""Width in logical pixels from which there is room for "where time went"."""
_DRAG: Final = 4
_STEP: Final = 1.25
_WARM_MS: Final = 30


class TimelineCanvas(QAbstractScrollArea):
    """Lanes of one run. It knows the selection only as what it is told to mark."""

    picked = Signal(object)
    """A `Selection` that a person asked for."""
    stretch_chosen = Signal(object)
    """(low, high) axis values of a chosen stretch, or None."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.data: TimelineData | None = None
        self.run: int | None = None
        self.selection = Selection()
        self.stretch: tuple[float, float] | None = None
        self._kind: AxisKind = "time"
        self._scale = Scale("time", 0, 1, LABELS, 1)
        self._fitted = True
        self._pressed: QPointF | None = None
        self._dragging = ""
        self._last_x = 0.0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("timeline")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().installEventFilter(self)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self.viewport().update())
        self._warm = QTimer(self)
        self._warm.setSingleShot(True)
        self._warm.setInterval(_WARM_MS)
        self._warm.timeout.connect(self._make_levels)
        theme.changed.connect(self.viewport().update)

    # what it shows

    @property
    def kind(self) -> AxisKind:
        """Whether it goes by time or by the order of events."""
        return self._kind

    @property
    def scale(self) -> Scale:
        """What is in view."""
        return self._scale

    def show_run(self, store: RunStore | None, run: int | None) -> None:
        """Another run, whole; None for none."""
        self.data = TimelineData(store) if store is not None else None
        self.run = run
        self.stretch = None
        self.fit()
        self._lay_out()
        self._warm.start()

    def grow(self) -> None:
        """The run has new events."""
        if self.data is None:
            return
        before = len(self.data.lanes)
        self.data.catch_up()
        if len(self.data.lanes) != before:
            self._lay_out()
        if self._fitted:
            self.fit()
        if self.data.store.over:
            self._warm.start()
        self.viewport().update()

    def set_kind(self, kind: AxisKind) -> None:
        """Go by time or by the order of events; shows the whole run."""
        if kind != self._kind:
            self._kind = kind
            self.stretch = None
            self.fit()

    def mark(self, selection: Selection) -> None:
        """Mark what is selected, and bring it into view."""
        self.selection = selection
        value = self.cursor_value()
        if value is not None and not self._fitted:
            scale = self._scale
            if not scale.low <= value <= scale.high:
                self._take(scale.panned((value - (scale.low + scale.high) / 2) / scale.unit))
        self.viewport().update()

    def fit(self) -> None:
        """Show the whole run."""
        low, high = self.data.fit(self._kind) if self.data is not None else (0.0, 1e9)
        self._take(Scale(self._kind, low, high, LABELS, 1))
        self._fitted = True

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Show more detail (``factor`` above 1) around a pixel, the middle if None."""
        if self.data is None:
            return
        low, high = self.data.fit(self._kind)
        at = x if x is not None else self._scale.left + self._scale.width / 2
        self._fitted = False
        self._take(self._scale.zoomed(factor, at, 1.5 * (high - low)))

    def pan(self, pixels: float) -> None:
        """Go to the right by so many pixels."""
        self._fitted = False
        self._take(self._scale.panned(pixels))

    def area(self) -> Area:
        """Where the parts stand now."""
        size = self.viewport().size()
        lanes = len(self.data.lanes) if self.data is not None else 0
        fitting = (size.height() - HEAD + 2) // max(1, lanes)
        return Area(
            size.width(),
            size.height(),
            size.width() >= _FULL,
            self.verticalScrollBar().value(),
            min(LANE, max(LEAST_LANE, fitting)),
        )

    def cursor_value(self) -> float | None:
        """Axis value of what is selected; None if it has none."""
        if self.data is None:
            return None
        store, chosen = self.data.store, self.selection
        row = store.rows[chosen.row] if _within(chosen.row, len(store.rows)) else None
        event = store.event(chosen.finding if chosen.finding is not None else chosen.seq)
        if row is not None:
            if self._kind == "time":
                return float(row.time)
            return row_seq(row)
        if event is not None:
            return float(event.time if self._kind == "time" else event.seq)
        return None

    def hit(self, point: QPointF) -> Hit | None:
        """What is at a point of the viewport."""
        if self.data is None:
            return None
        return hit(self.data, self._scale, self.area(), self.run, point.x(), point.y())

    # painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        palette = self._theme.palette
        area = self.area()
        painter.fillRect(self.viewport().rect(), palette.pane)
        if self.data is not None:
            # events may have come since the last `grow`
            self.data.catch_up()
            self._paint_plot(painter, area, self.data)
        self._paint_labels(painter, area)
        painter.end()

    def _paint_plot(self, painter: QPainter, area: Area, data: TimelineData) -> None:
        palette, plot = self._theme.palette, area.plot
        frame = FramePainter(data, self._scale, area, palette)
        lanes = LanePainter(data, self._scale, palette, area.lane)
        painter.save()
        painter.setClipRect(QRectF(plot.left(), 0, plot.width(), area.height))
        frame.under(painter)
        painter.save()
        painter.setClipRect(plot)
        for number, lane in enumerate(data.lanes):
            top = area.lane_top(number)
            if top > area.height or top < HEAD - area.lane:
                continue
            painter.fillRect(
                QRectF(plot.left(), top + area.lane - 1, plot.width(), 1), palette.line
            )
            lanes.paint(painter, lane, top)
        painter.restore()
        self._paint_advisories(painter, area, data)
        frame.over(painter)
        frame.head(painter)
        if self.stretch is not None:
            frame.stretch(painter, *self.stretch)
        value = self.cursor_value()
        if value is not None:
            frame.cursor(painter, value, self._cursor_words())
        elif not data.store.over:
            x = round(self._scale.x(data.end(self._kind)))
            painter.fillRect(QRectF(x, RULER, 1, area.height), palette.accent)
        painter.restore()

    def _paint_advisories(self, painter: QPainter, area: Area, data: TimelineData) -> None:
        color = self._theme.palette.outcome("flagged")
        for advisory in data.store.advisories:
            about = data.store.event(advisory.about) or advisory
            value = about.time if self._kind == "time" else about.seq
            x = self._scale.x(value)
            if area.plot.left() <= x <= area.plot.right():
                number = next(
                    (n for n, lane in enumerate(data.lanes) if lane.id == about.processor), 0
                )
                top = area.lane_top(number)
                draw_icon(
                    painter,
                    QRectF(round(x) + 8, top + (area.lane - 12) // 2, 12, 12),
                    Icon.WARNING,
                    color,
                )

    def _paint_labels(self, painter: QPainter, area: Area) -> None:
        palette = self._theme.palette
        painter.fillRect(QRectF(0, HEAD, LABELS, area.height), palette.pane)
        lanes = self.data.lanes if self.data is not None else []
        if not lanes:
            room = QRectF(LABELS + 12, HEAD, area.plot.width() - 24, LANE + 8)
            words(painter, room, "No run yet: each processor gets a lane here", palette.t3)
        for number, lane in enumerate(lanes):
            top = area.lane_top(number)
            if HEAD - area.lane < top < area.height:
                self._paint_label(painter, lane, top, area.lane)
                if area.times:
                    self._paint_time(painter, area, lane, top)
        painter.fillRect(QRectF(0, 0, LABELS, HEAD), palette.pane)
        painter.fillRect(QRectF(0, HEAD - 1, area.width, 1), palette.line)
        painter.fillRect(QRectF(LABELS - 1, 0, 1, area.height), palette.line)
        if area.times:
            left = area.plot.right()
            painter.fillRect(QRectF(left, 0, 1, area.height), palette.line)
            title = QRectF(left + 10, RULER, TIMES - 14, HEAD - RULER)
            words(painter, title, "where time went", palette.t2)

    def _paint_label(self, painter: QPainter, lane: LaneData, top: float, height: int) -> None:
        palette = self._theme.palette
        rect = QRectF(0, top, LABELS - 1, height - 1)
        if lane.kind == "processor" and lane.id == self.selection.processor:
            painter.fillRect(rect, palette.sel)
            painter.fillRect(QRectF(0, top, SELECTION_BAR, height - 1), palette.accent)
        painter.fillRect(QRectF(0, top + height - 1, LABELS, 1), palette.line)
        font = ui_font(11.5, MEDIUM if lane.kind == "processor" else REGULAR)
        inside = rect.adjusted(10, 0, -8, 0)
        note_font = label_font()
        room = inside.width() - words_width(lane.title, font) - 8
        words(painter, inside, lane.title, palette.t1, font)
        if lane.note and room > 24:
            note = QRectF(inside.right() - room, top, room, height - 1)
            words(painter, note, lane.note, palette.t3, note_font, Qt.AlignmentFlag.AlignRight)

    def _paint_time(self, painter: QPainter, area: Area, lane: LaneData, top: float) -> None:
        assert self.data is not None
        palette, data = self._theme.palette, self.data
        left = area.plot.right()
        painter.fillRect(QRectF(left, top + area.lane - 1, TIMES, 1), palette.line)
        spent = data.time_spent(lane)
        rect = QRectF(left + 8, top, TIMES - 16, area.lane - 1)
        right = Qt.AlignmentFlag.AlignRight
        if spent is None:
            if lane.kind != "client" and data.store.over:
                words(painter, rect, "not run", palette.t3, label_font(), right)
            return
        most = max((data.time_spent(other) or 0 for other in data.lanes), default=0)
        outcome = data.store.calls.outcome(lane.id) if lane.kind == "processor" else None
        color = palette.outcome(outcome) if outcome is not None else palette.t2
        width = max(2.0, 46 * spent / most) if most and spent else 0.0
        painter.fillRect(QRectF(left + 9, top + (area.lane - 6) // 2, round(width), 6), color)
        words(painter, rect, _duration(spent), palette.t1, label_font(), right)

    def _cursor_words(self) -> str:
        chosen = self.selection
        if chosen.row is not None:
            return f"chunk {chosen.row + 1}"
        return chosen.hook or f"event {chosen.seq}"

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        turn = delta.y() or delta.x()
        if event.position().x() < LABELS:
            super().wheelEvent(event)
            return
        sideways = abs(delta.x()) > abs(delta.y())
        if sideways or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan(-turn)
        else:
            self.zoom(_STEP ** (turn / 120), event.position().x())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        x = self.viewport().mapFromGlobal(self.cursor().pos()).x()
        inside = float(x) if LABELS <= x <= self.area().plot.right() else None
        quarter = self._scale.width / 8
        match event.key():
            case Qt.Key.Key_W:
                self.zoom(_STEP**2, inside)
            case Qt.Key.Key_S:
                self.zoom(_STEP**-2, inside)
            case Qt.Key.Key_A:
                self.pan(-quarter)
            case Qt.Key.Key_D:
                self.pan(quarter)
            case Qt.Key.Key_F:
                self.fit()
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                self._step_chunk(1 if event.key() == Qt.Key.Key_Right else -1)
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                self._step_lane(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Escape if self.stretch is not None:
                self._choose(None)
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._pressed = event.position()
        self._last_x = event.position().x()
        ruler = event.position().y() < RULER and event.position().x() >= LABELS
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._dragging = "choose?" if ruler or shift else "pan?"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        x = event.position().x()
        if self._dragging.endswith("?") and abs(x - self._pressed.x()) >= _DRAG:
            self._dragging = self._dragging[:-1]
        if self._dragging == "pan":
            self.pan(self._last_x - x)
        elif self._dragging == "choose":
            ends = sorted((self._scale.value(self._pressed.x()), self._scale.value(x)))
            self.stretch = (ends[0], ends[1])
            self.viewport().update()
        self._last_x = x

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            super().mouseReleaseEvent(event)
        elif self._dragging == "choose":
            self._choose(self.stretch)
        elif self._dragging.endswith("?"):
            found = self.hit(event.position())
            if found is not None:
                self.picked.emit(found.selection)
            elif self._dragging == "choose?" and self.stretch is not None:
                self._choose(None)
        self._dragging = ""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zoom to the attempt under the pointer."""
        found = self.hit(event.position())
        if self.data is None or found is None or found.selection.attempt is None:
            return
        attempt = self.data.store.attempts.get(found.selection.step, found.selection.attempt)
        if attempt is not None:
            low, high = self.data.span_of(attempt, self._kind)
            edge = max(1.0, 0.02 * (high - low))
            self._fitted = False
            self._take(Scale(self._kind, low - edge, high + edge, LABELS, 1))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tooltips of what is under the pointer."""
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().eventFilter(watched, event)
        found = self.hit(QPointF(event.pos()))
        if found is not None:
            QToolTip.showText(event.globalPos(), plain_tooltip(found.words), self.viewport())
        else:
            QToolTip.hideText()
        return True

    # the machinery

    def _take(self, scale: Scale) -> None:
        plot = self.area().plot
        scale = scale.placed(plot.left(), plot.width())
        if self.data is not None:
            scale = scale.kept_within(0, self.data.end(self._kind))
        self._scale = scale
        self.viewport().update()

    def _lay_out(self) -> None:
        lanes = len(self.data.lanes) if self.data is not None else 0
        room = self.viewport().height() - HEAD
        bar = self.verticalScrollBar()
        over = lanes * self.area().lane - room
        bar.setRange(0, over if over > 2 else 0)
        bar.setPageStep(max(1, room))
        bar.setSingleStep(LANE)
        if self._fitted:
            self.fit()
        else:
            self._take(self._scale)

    def _choose(self, stretch: tuple[float, float] | None) -> None:
        self.stretch = stretch
        self.stretch_chosen.emit(stretch)
        self.viewport().update()

    def _step_chunk(self, by: int) -> None:
        if self.data is None or not len(self.data.store.rows):
            return
        rows = self.data.store.rows
        now = self.selection.row
        number = min(max(now + by, 0), len(rows) - 1) if now is not None else 0
        row = rows[number]
        self.picked.emit(
            Selection(run=self.run, step=row.step, attempt=row.attempt, row=number)
            if self.selection.processor is None
            else Selection(
                run=self.run,
                step=row.step,
                attempt=row.attempt,
                processor=self.selection.processor,
                row=number,
            )
        )

    def _step_lane(self, by: int) -> None:
        names = (
            [lane.id for lane in self.data.lanes if lane.kind == "processor"] if self.data else []
        )
        if not names:
            return
        now = names.index(self.selection.processor) if self.selection.processor in names else -by
        number = min(max(now + by, 0), len(names) - 1) if now >= 0 or by > 0 else len(names) - 1
        chosen = self.selection
        self.picked.emit(
            Selection(
                run=self.run,
                step=chosen.step,
                attempt=chosen.attempt,
                row=chosen.row,
                processor=names[number],
            )
        )

    def _make_levels(self) -> None:
        """Work out levels of detail before they are asked for, one a turn of the loop."""
        if self.data is not None and self.data.warm(self._kind):
            self._warm.start(0)


def _within(number: int | None, count: int) -> TypeGuard[int]:
    return number is not None and 0 <= number < count


def row_seq(row: ChunkRow) -> int:
    """Number of the first event of a chunk's row."""
    events = [*([row.model] if row.model else ()), *row.calls[:1], *row.delivered[:1]]
    return min((event.seq for event in events), default=0)


def _duration(ns: int) -> str:
    if ns < 10_000_000:
        return f"{ns / 1e6:.1f} ms"
    return f"{ns / 1e6:.0f} ms" if ns < 1_000_000_000 else f"{ns / 1e9:.2f} s"
