"""Files that are dropped anywhere on the window, also on what takes text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

_KINDS: Final = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class FileDrops(QObject):
    """Takes files before the widget under the pointer does: fields would type their address.

    Made once the window is shown.
    """

    dropped = Signal(object)
    """The files, a list of `Path`."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        handle = window.windowHandle()
        if handle is not None:
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in _KINDS or not isinstance(
            event, QDragEnterEvent | QDragMoveEvent | QDropEvent
        ):
            return False
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if not paths or QApplication.activeModalWidget() is not None:
            return False
        event.acceptProposedAction()
        if kind == QEvent.Type.Drop:
            self.dropped.emit(paths)
        return True
