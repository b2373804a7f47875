"""Re-chunk in the background: one check at a time, with progress, and a cancel that is obeyed."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from tripscope.errors import TripscopeError
from tripscope_gui.context import PaneContext
from tripscope_gui.pacer import Pacer
from tripscope_gui.store.workspace import Run

if TYPE_CHECKING:
    from tripscope.trace.rechunk import BlockResult, FailedCut

_TELL_NS: Final = 50_000_000


class RechunkRunner(QObject):
    """The check of one run's text against the chain of the open session, as it stands."""

    changed = Signal()
    """Progress, an end, or another run."""

    def __init__(self, context: PaneContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._task: asyncio.Task[None] | None = None
        self.run: Run | None = None
        self.results: list[BlockResult] = []
        self.done = self.total = 0
        self.seconds = 0.0
        self._processors: list[Any] = []
        self._opened: list[Run] = []

    @property
    def running(self) -> bool:
        """Whether a check is at work."""
        return self._task is not None

    def start(self) -> bool:
        """Check the run that is looked at; whether it was begun."""
        run = self._context.run
        if self.running or run is None or not run.store.over:
            return False
        self.run, self.results, self._opened, self.done, self.total = run, [], [], 0, 0
        self._task = self._context.tasks.start(self._check(run), "re-chunk")
        if self._task is not None:
            self._task.add_done_callback(lambda _task: self._ended())
        self.changed.emit()
        return self.running

    def cancel(self) -> None:
        """End the check; what was found by then is not kept."""
        if self._task is not None:
            self._task.cancel()

    @property
    def concerns_current(self) -> bool:
        """Whether the results are about the run that is looked at, or it is one of their cuts."""
        current = self._context.run
        return current is not None and (current is self.run or current in self._opened)

    def forget(self) -> None:
        """Another run is looked at: drop the results, unless it is one of their cuts."""
        if not self.concerns_current:
            self.cancel()
            self.run, self.results, self._opened = None, [], []
            self.changed.emit()

    def open(self, result: BlockResult, cut: FailedCut) -> None:
        """Make a run of a failing cut, and look at it."""
        self._context.tasks.start(self._open(result, cut), f"run of the {cut.cutting.name}")

    async def _check(self, run: Run) -> None:
        from tripscope.trace.rechunk import rechunk

        try:
            self._processors = self._chain(run)
        except TripscopeError as error:
            self._context.say(f"Re-chunk needs a chain that can be built: {error}")
            return
        blocks = [
            (block.key, block.model.text)
            for block in run.store.blocks.values()
            if block.kind == "text" and block.model.length
        ]
        began = told = time.monotonic_ns()

        def progress(done: int, total: int) -> None:
            nonlocal told
            self.done, self.total = done, total
            now = time.monotonic_ns()
            if now - told >= _TELL_NS:
                told = now
                self.changed.emit()

        results = await rechunk(blocks, self._processors, progress=progress, pace=Pacer())
        self.seconds = (time.monotonic_ns() - began) / 1e9
        if run is self.run:
            self.results = results

    async def _open(self, result: BlockResult, cut: FailedCut) -> None:
        from tripscope.trace.rechunk import cut_events

        session = self._context.session.session
        name = session.name if session is not None else "re-chunk"
        events = await cut_events(result.text, cut.cutting, self._processors, name=name)
        # known before panes are told of the run, so that they keep the results
        run = self._context.workspace.add(note=cut.cutting.name)
        self._opened.append(run)
        run.store.extend(events)
        self._context.show_current()

    def _chain(self, run: Run) -> list[Any]:
        """The output chain: the open session's, else that of the run."""
        session = self._context.session.session
        if session is not None:
            from tripscope.session.build import build_chain

            return build_chain(session.chain).output
        from tripscope.trace.rebuild import rebuild_processors

        started = run.store.started
        output = started.chain.get("output") or () if started is not None else ()
        rebuilt = rebuild_processors(run.store.events[:1])
        names = [described.get("id") for described in output]
        return [rebuilt[name] for name in names if name in rebuilt]

    def _ended(self) -> None:
        self._task = None
        self.changed.emit()
