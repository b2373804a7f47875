"""How often a widget is painted."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

_ROUNDS = 10


class Paints(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False

    def settle(self) -> None:
        """Let Qt do what waits, with all timers of 0 ms and what they lead to."""
        for _ in range(_ROUNDS):
            QApplication.processEvents()
