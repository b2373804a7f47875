"""A stretch of a text that is outlined, and flashes when it was just asked for."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

FLASH_MS: Final = 130
_FLASHES: Final = 6


class Outline(QObject):
    """Which stretch it is, and whether it is drawn at the moment."""

    changed = Signal()
    """It is to be drawn anew."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.span: tuple[int, int] | None = None
        """UTF-16 offsets of its start and end."""
        self._left = 0
        self._timer = QTimer(self)
        self._timer.setInterval(FLASH_MS)
        self._timer.timeout.connect(self._blink)

    @property
    def flashing(self) -> bool:
        """Whether it still flashes."""
        return self._timer.isActive()

    @property
    def lit(self) -> tuple[int, int] | None:
        """The stretch, while it is drawn."""
        return None if self._left % 2 else self.span

    def show(self, start: int, end: int, *, flash: bool) -> None:
        """Outline a stretch."""
        self.span = (start, end)
        self._left = _FLASHES if flash else 0
        if flash:
            self._timer.start()
        self.changed.emit()

    def clear(self) -> None:
        """Outline nothing."""
        self.span = None
        self._timer.stop()
        self.changed.emit()

    def _blink(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._timer.stop()
        self.changed.emit()
