"""What is shown as a window, be it for a moment: a widget shown before it has a parent is one."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget


class _Watch(QObject):
    def __init__(self, windows: list[QWidget], alone: bool) -> None:
        super().__init__()
        self._windows, self._alone = windows, alone

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shows = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shows and watched.isWindow() and not (self._alone and watched.parent() is not None):
            self._windows.append(watched)
        return False


@contextmanager
def shown_windows(*, alone: bool = False) -> Iterator[list[QWidget]]:
    """The windows that are shown in the block, in this order; ``alone``: that belong to none."""
    app = QApplication.instance()
    assert app is not None
    windows: list[QWidget] = []
    watch = _Watch(windows, alone)
    app.installEventFilter(watch)
    try:
        yield windows
    finally:
        app.removeEventFilter(watch)
