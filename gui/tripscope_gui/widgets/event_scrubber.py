"""A slider over the events of a run, between the number of one and the number of all."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from tripscope_gui.widgets.labels import StillLabel

_LEAST: Final = 40
_MOST: Final = 150
_GAP: Final = 6


class EventScrubber(QWidget):
    """What has no room is not shown: first the slider goes, then the number of all events.

    It asks for the same room whatever it shows, else its dock would give it less for it.
    """

    moved = Signal(int)
    """A person chose another place, from 0."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.at = StillLabel("", "t2", px=11, parent=self)
        self.of = StillLabel("", "t2", px=11, parent=self)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName("event")
        self.slider.setMinimumWidth(_LEAST)
        self.slider.setMaximumWidth(_MOST)
        self.slider.setEnabled(False)
        self.slider.valueChanged.connect(self.moved)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(_GAP)
        for widget in (self.at, self.slider, self.of):
            line.addWidget(widget)

    def set_place(self, place: int, count: int) -> None:
        """Show a place, from 0, among so many events; nothing is emitted."""
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, count - 1))
            self.slider.setValue(place)
        self.slider.setEnabled(count > 1)
        self.at.setText(f"event {place + 1:,}" if count else "")
        self.of.setText(f"of {count:,}" if count else "")

    def sizeHint(self) -> QSize:
        """Room for all, the slider as wide as it likes."""
        return self._size(min(_MOST, self.slider.sizeHint().width()))

    def minimumSizeHint(self) -> QSize:
        """Room for all, the slider short."""
        return self._size(_LEAST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        room = self.width()
        self.slider.setVisible(room >= self.minimumSizeHint().width())
        self.of.setVisible(room >= self._labels())

    def _labels(self) -> int:
        return self.at.sizeHint().width() + _GAP + self.of.sizeHint().width()

    def _size(self, slider: int) -> QSize:
        heights = [widget.sizeHint().height() for widget in (self.at, self.slider, self.of)]
        return QSize(self._labels() + _GAP + slider, max(heights))
