"""Calls something at most every so often: at once after a pause, else when the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Throttle(QObject):
    """For views that may follow a run at a slower pace than its events arrive.

    Args:
        work: what is called; the last `ask` is always followed by a call.
        milliseconds: least time between two calls.
        parent: whose life it shares.
    """

    def __init__(self, work: Callable[[], None], milliseconds: int, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._apart = milliseconds / 1000
        self._last = -self._apart
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._run)

    def ask(self) -> None:
        """Have the work done now or soon."""
        if self._timer.isActive():
            return
        left = self._last + self._apart - time.monotonic()
        if left <= 0:
            self._run()
        else:
            self._timer.start(round(left * 1000) + 1)

    def cancel(self) -> None:
        """Forget what was asked for."""
        self._timer.stop()

    def _run(self) -> None:
        self._work()
        self._last = time.monotonic()
