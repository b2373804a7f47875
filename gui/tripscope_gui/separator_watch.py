"""Tells when a person has moved the line between two docks: Qt keeps that to itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMainWindow


class SeparatorWatch(QObject):
    """Watches the lines of one window of docks."""

    moved = Signal()
    """A line was let go, and the docks have their new sizes."""

    def __init__(self, grid: QMainWindow) -> None:
        super().__init__(grid)
        self._grid = grid
        self._held = False
        grid.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            self._held = self._grid.isSeparator(event.position().toPoint())
        elif kind == QEvent.Type.MouseButtonRelease and self._held:
            self._held = False
            # the layout takes the last step of the drag after this event
            QTimer.singleShot(0, self.moved.emit)
        return False
