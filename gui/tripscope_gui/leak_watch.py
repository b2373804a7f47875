"""Tells a pane once it is known what left a run too early; the work is done between frames."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope_gui.run_store import RunStore
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.store.run_index import index_of

_SLICE_NS: Final = 4_000_000


class LeakWatch(QObject):
    """Brings the shared index of a finished run up to date, a few ms at a time."""

    known = Signal(object)
    """The `Leaks` of the run that is watched; once per run."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._store: RunStore | None = None
        self._told = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._work)

    def watch(self, store: RunStore | None) -> None:
        """Another run, or none."""
        self._store, self._told = store, False
        self._timer.stop()
        self.check()

    def check(self) -> None:
        """The run went on; once it is over the work begins, the first slice at once."""
        if self._store is not None and self._store.over and not self._told:
            self._work()

    def _work(self) -> None:
        if self._store is None or self._told:
            return
        index = index_of(self._store)
        if index.advance(_SLICE_NS):
            self._timer.start()
            return
        self._told = True
        leaks: Leaks = index.leaks
        self.known.emit(leaks)
