"""From the engine's sink to the store of a run, a bounded share of each frame.

The engine calls `put` for each event, which only puts it aside. Every 16 ms a part of what waits
goes into the store and its index; the views are told of it in a turn of theirs, see `view_turns`.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope_gui.collector import SettledEvents
from tripscope_gui.context import PaneContext
from tripscope_gui.store.workspace import Run

if TYPE_CHECKING:
    from tripscope.trace.events import AnyEvent

DRAIN_MS: Final = 16
DRAIN_NS: Final = 6_000_000
PRESSED_NS: Final = 2_000_000
"""The same while a view is about to be painted: the rest can wait for the next frame."""
_BATCH: Final = 256
_LATE_NS: Final = 24_000_000
"""A tick so long after the one before shows that the loop has no time to spare."""
_MOST_LOOSE: Final = 262_144
"""Events of a run, some 150 MB, from which they are packed all the same."""


class EventFeed(QObject):
    """Feeds one run at a time."""

    emptied = Signal()
    """All that was put aside is in the store and its index, brought there by the timer."""

    def __init__(self, context: PaneContext, settled: SettledEvents) -> None:
        super().__init__(context)
        self._context = context
        self._settled = settled
        self._pending: deque[AnyEvent] = deque()
        self.put = self._pending.append
        """The engine's sink."""
        self.run: Run | None = None
        """The run that is fed."""
        self._ticked = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        context.store_changed.connect(self._on_store_changed)

    @property
    def waiting(self) -> int:
        """Events that were put aside and are not in the store yet."""
        return len(self._pending)

    def begin(self, run: Run) -> None:
        """Feed another run; what the run before was given is in its store."""
        self.run = run
        self._settled.begin()
        self.resume()

    def expect(self) -> None:
        """The first events are about to come: they are not kept waiting for a tick."""
        if self._timer.isActive():
            self._timer.start(0)

    def resume(self) -> None:
        """Drain what comes from now on."""
        self._timer.start(DRAIN_MS)

    def catch_up(self) -> None:
        """No more will come: drain what is left without a pause between two shares of it."""
        if self._timer.isActive():
            self._timer.start(0)

    def pause(self) -> None:
        """Leave what comes where it is."""
        self._timer.stop()

    def finish(self) -> None:
        """Put all that waits into the store, and tell the views, now; then rest."""
        self.pause()
        self._drain(None)
        self._context.tell_news()

    def _on_store_changed(self) -> None:
        if not self._timer.isActive() and self.run not in self._context.workspace.runs:
            self.run = None  # it was dropped, with all its events

    def _tick(self) -> None:
        now = time.monotonic_ns()
        turns = self._context.turns
        deadline = now + (PRESSED_NS if turns.serving else DRAIN_NS)
        late = now - self._ticked > _LATE_NS
        self._ticked = now
        if self._pending and self.run is not None and not self.run.store.events:
            self.resume()
            self._drain(deadline)
            self._context.tell_news()  # no turn: nothing else is to be painted yet
        elif self._pending:
            self._drain(deadline)
            turns.ask(self._context.tell_news)
        if not self._pending and not self._advance(deadline):
            if self.run is not None and not (late and self.run.store.events.loose < _MOST_LOOSE):
                self.run.store.pack(deadline - time.monotonic_ns())
            self.emptied.emit()

    def _advance(self, deadline: int) -> bool:
        """Bring the index up to date in the time that is left; whether it lags behind."""
        if self.run is None:
            return False
        # late: with it comes the engine, which no window needs before the first event
        from tripscope_gui.store.run_index import index_of

        return index_of(self.run.store).advance(max(0, deadline - time.monotonic_ns()))

    def _drain(self, deadline: int | None) -> None:
        pending = self._pending
        if self.run is None or not pending:
            return
        store = self.run.store
        first = len(store.events)
        while pending:
            store.extend([pending.popleft() for _ in range(min(_BATCH, len(pending)))])
            if deadline is not None and time.monotonic_ns() >= deadline:
                break
        self._settled.add(len(store.events) - first)
