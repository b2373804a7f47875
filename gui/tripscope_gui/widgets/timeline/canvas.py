"""The timeline as a widget: paints what is in view, zooms, pans, picks, chooses a stretch."""

from __future__ import annotations

from typing import Final, TypeGuard

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
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

from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import plain_tooltip
from tripscope_gui.widgets.timeline.data import TimelineData
from tripscope_gui.widgets.timeline.frame_painter import FramePainter
from tripscope_gui.widgets.timeline.hits import Hit, hit
from tripscope_gui.widgets.timeline.label_painter import LabelPainter
from tripscope_gui.widgets.timeline.lane_painter import LanePainter
from tripscope_gui.widgets.timeline.paint import (
    HEAD,
    LABELS,
    LANE,
    LEAST_LANE,
    RULER,
    Area,
)
from tripscope_gui.widgets.timeline.scale import AxisKind, Scale, axis_value
from tripscope_gui.widgets.timeline.stepping import Step, step_chunk, step_lane

_FULL: Final = 1390
"""Width in logical pixels from which there is room for "where time went"."""
_DRAG: Final = 4
_STEP: Final = 1.25


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
        self.viewport().update()

    def grow(self) -> None:
        """The run has new events."""
        if self.data is None:
            return
        before, scale = len(self.data.lanes), self._scale
        self.data.catch_up()
        if len(self.data.lanes) != before:
            self._lay_out()
        if self._fitted:
            self.fit()
        if scale == self._scale and len(self.data.lanes) == before:
            # names of lanes and values of the axis are as they were
            self.viewport().update(self.viewport().rect().adjusted(LABELS, RULER, 0, 0))
        else:
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
            return float(min(row.seqs))
        if event is not None:
            return float(axis_value(event, self._kind))
        return None

    def hit(self, point: QPointF) -> Hit | None:
        """What is at a point of the viewport."""
        if self.data is None:
            return None
        return hit(self.data, self._scale, self.area(), self.run, point.x(), point.y())

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        asked = event.rect()
        with QPainter(self.viewport()) as painter:
            palette = self._theme.palette
            area = self.area()
            painter.fillRect(self.viewport().rect(), palette.pane)
            if self.data is not None:
                # events may have come since the last `grow`
                self.data.catch_up()
                self._paint_plot(painter, area, self.data, asked.top() < RULER)
            labels = LabelPainter(self.data, area, palette, self.selection.processor)
            if asked.left() < LABELS:
                labels.names(painter)
            labels.times(painter)

    def _paint_plot(
        self, painter: QPainter, area: Area, data: TimelineData, with_ruler: bool
    ) -> None:
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
        frame.advisories(painter)
        frame.over(painter)
        if with_ruler:
            frame.ruler(painter)
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
                self._step(step_chunk, 1 if event.key() == Qt.Key.Key_Right else -1)
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                self._step(step_lane, 1 if event.key() == Qt.Key.Key_Down else -1)
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
        if scale != self._scale:
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

    def _step(self, step: Step, by: int) -> None:
        found = step(self.data, self.selection, by) if self.data is not None else None
        if found is not None:
            self.picked.emit(found.with_(run=self.run))


def _within(number: int | None, count: int) -> TypeGuard[int]:
    return number is not None and 0 <= number < count
