"""Tells a pane once it is known what left a run too early.

The work is done between frames; what is long in it, a whole text against its rules, in a thread.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope.trace.leaks import Leak
from tripscope_gui.panes import Pane
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.store.run_index import RunIndex, index_of
from tripscope_gui.threads import in_thread
from tripscope_gui.view_turns import ViewTurns

_SLICE_NS: Final = 4_000_000


class LeakWatch(QObject):
    """Brings the shared index of a finished run up to date."""

    known = Signal(object)
    """The `Leaks` of the run that is watched; once per run."""

    def __init__(self, parent: Pane) -> None:
        super().__init__(parent)
        self._context = parent.context
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

    @property
    def told(self) -> bool:
        """Whether all is known of the run that is watched."""
        return self._told

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
        if index.leaks.searches:
            tasks = self._context.tasks
            if index.search is None and tasks.ready:
                search = _search(index, self._context.turns)
                index.search = tasks.start(search, "looking for early text")
            if index.search is not None:
                index.search.add_done_callback(lambda _task: self._timer.start())
            return
        self._told = True
        leaks: Leaks = index.leaks
        self.known.emit(leaks)


async def _search(index: RunIndex, turns: ViewTurns) -> None:
    try:
        await turns.shown()
        for search in tuple(index.leaks.searches):
            leaks: list[Leak] = []
            try:
                leaks = await in_thread(search.run)
            finally:
                index.take_leaks(search, leaks)
    finally:
        index.search = None
