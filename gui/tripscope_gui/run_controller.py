"""Runs: starts them, feeds their events to the store, stops and freezes them.

Everything happens in the one loop of the window. The engine calls a sink for each event; the sink
only puts it aside, and a timer hands what has come to the store and the views every 16 ms.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope.errors import HookError, TripscopeError
from tripscope_gui.collector import SettledEvents
from tripscope_gui.context import PaneContext
from tripscope_gui.store.workspace import Run

if TYPE_CHECKING:
    from tripscope.trace.events import AnyEvent

DRAIN_MS: Final = 16
PACE_NS: Final = 4_000_000
LONGEST_PACE_NS: Final = 20_000_000
DRAIN_NS: Final = 16_000_000
REST: Final = 20
"""Times as long as a drain took passes until the next: who is told of events paints something."""
LONGEST_REST_NS: Final = 100_000_000
END_SECONDS: Final = 1.0
LONG_RUN: Final = 100_000
"""Events of a run at whose end the views still take turns."""
_BATCH: Final = 512

Kind: TypeAlias = Literal["run", "replay"]


class Pacer:
    """The engine's breather: gives the loop a turn once 4 ms have passed since the last.

    Where the window needs longer for its turn, the engine gets as long for its own, up to 20 ms:
    else a busy window would slow a run down to a crawl.
    """

    def __init__(self) -> None:
        self._last = time.monotonic_ns()
        self._slice = PACE_NS

    async def __call__(self) -> None:
        now = time.monotonic_ns()
        if now - self._last >= self._slice:
            await asyncio.sleep(0)
            self._last = time.monotonic_ns()
            self._slice = min(max(self._last - now, PACE_NS), LONGEST_PACE_NS)


class RunController(QObject):
    """The runs of the window; one at a time."""

    state_changed = Signal()
    """`running`, `frozen` or `behind` changed."""
    finished = Signal(object)
    """The `Run` that ended or was read, all its events in its store."""
    refused = Signal(str)
    """Why a run could not be started."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._context = context
        self._pending: deque[AnyEvent] = deque()
        self._feed: Run | None = None
        self._unreported: Run | None = None
        self._task: asyncio.Task[Any] | None = None
        self.loader: Callable[[Run], Awaitable[bool]] | None = None
        """Brings the events of a run that are on disk into memory; see `ensure`."""
        self.real_time = True
        """False lets a scripted model's delays pass at once."""
        self._frozen = False
        self._behind = 0
        self._settled = SettledEvents()
        self._next_drain = 0
        self._timer = QTimer(self)
        self._timer.setInterval(DRAIN_MS)
        self._timer.timeout.connect(self._tick)

    # reading

    @property
    def running(self) -> bool:
        """Whether a run is at work."""
        return self._task is not None

    @property
    def active(self) -> Run | None:
        """The run that is at work."""
        return self._feed if self.running else None

    @property
    def frozen(self) -> bool:
        """Whether the view stands still while the run goes on."""
        return self._frozen

    @property
    def behind(self) -> int:
        """Events that wait for the view to go on."""
        return len(self._pending) if self._frozen else 0

    @property
    def can_run(self) -> bool:
        """Whether a session is open and nothing runs."""
        return self._context.session.session is not None and not self.running

    @property
    def can_replay(self) -> bool:
        """Whether the run that is looked at has a recording to serve."""
        store = self._context.store
        return self.can_run and store is not None and store.over and bool(store.requests)

    # doing

    def start(self, prompt: str | None = None, model: str | None = None) -> Run | None:
        """Ask the session's model: scripted or live. None if nothing was started."""
        return self._start("run", prompt, model)

    def replay(self, run: Run | None = None) -> Run | None:
        """Run the session's chain, as it stands, on the recording of a run (the current one)."""
        return self._start("replay", None, None, run or self._context.run)

    def load(self, events: Sequence[AnyEvent], source: Path | None = None) -> Run:
        """Add a run that was recorded elsewhere, and look at it."""
        run = self._context.workspace.add(source=source)
        run.store.extend(events)
        self._context.show_current()
        return run

    async def read(self, path: Path) -> Run:
        """Add the run of a trace file and look at it while it is read; the views stay alive.

        Raises:
            SessionError: it cannot be read; what was read before the fault is kept and shown.
        """
        from tripscope.trace.file import iter_load

        run: Run | None = None
        try:
            for batch in iter_load(path):
                self._settled.add(len(batch))
                if run is None:
                    run = self.load(batch, path)
                elif run not in self._context.workspace.runs:
                    break  # nobody waits for the rest
                else:
                    first = len(run.store.events)
                    run.store.extend(batch)
                    if run is self._context.run:
                        self._context.events_appended.emit(first, len(run.store.events))
                await asyncio.sleep(0)
        finally:
            if run is not None:
                self._close(run)
                self._context.runs_changed.emit()
                self.finished.emit(run)
        return run if run is not None else self.load((), path)

    def _close(self, run: Run) -> None:
        """No more events of a run will come; views are told if that ends it."""
        if run.store.close() and run is self._context.run:
            self._context.show_current()

    async def ensure(self, run: Run) -> bool:
        """Have the events of a run in memory; whether they are."""
        if run.complete or self.loader is None:
            return run.complete
        return await self.loader(run)

    def stop(self) -> None:
        """Cancel the run; what arrived is kept."""
        if self._task is not None:
            self._task.cancel()

    async def end(self) -> None:
        """Stop the run, wait until all of it is in its store and told of, and let the view go on.

        For whoever drops the runs of the window next.
        """
        task = self._task
        if task is not None:
            task.cancel()
            await asyncio.wait([task], timeout=END_SECONDS)
        self.set_frozen(False)
        self._settled.release()

    def set_frozen(self, frozen: bool) -> None:
        """Stop or go on with the view; the run is not touched."""
        if frozen != self._frozen:
            self._frozen = frozen
            if not frozen:
                self._tick()
                if self._unreported is not None:
                    self._report(self._unreported)
            self.state_changed.emit()

    # the run itself

    def _start(
        self, kind: Kind, prompt: str | None, model: str | None, of: Run | None = None
    ) -> Run | None:
        session = self._context.session.session
        if session is None or self.running:
            return None
        recording = list(of.recording) if kind == "replay" and of is not None else None
        if kind == "replay" and not recording:
            return None
        self.set_frozen(False)
        self._flush()
        run = self._context.workspace.add(parent=of if kind == "replay" else None)
        self._feed = run
        self._task = self._context.tasks.start(
            self._drive(session, prompt, model, recording), f"{run.title} ({kind})"
        )
        if self._task is None:
            self._context.workspace.remove(run)
            return None
        self._task.add_done_callback(lambda _task: self._over(run))
        self._context.show_current()
        self._context.turns.on = True
        self._timer.start()
        self.state_changed.emit()
        return run

    async def _drive(
        self,
        session: Any,
        prompt: str | None,
        model: str | None,
        recording: list[AnyEvent] | None,
    ) -> None:
        from tripscope.session import start_run

        stream: Any = None
        try:
            stream = await start_run(
                session,
                prompt=prompt,
                model=model,
                base_url=session.model.base_url or self._context.settings.base_url or None,
                api_key=await self._api_key(session, model, recording),
                replay=recording,
                trace=self._pending.append,
                pace=Pacer(),
                real_time=self.real_time,
            )
            async for _chunk in stream.full_stream:
                pass
        except asyncio.CancelledError:
            if stream is None:
                raise
        except HookError:
            pass  # the trace holds it: the run ended with status error
        except TripscopeError as error:
            self.refused.emit(str(error))
        except Exception as error:
            self.refused.emit(f"{type(error).__name__}: {error}")
            raise
        finally:
            if stream is not None:
                await stream.aclose()

    def _over(self, run: Run) -> None:
        self._task = None
        self.state_changed.emit()
        if self._frozen:
            self._unreported = run
            return
        self._report(run)

    def _report(self, run: Run) -> None:
        self._unreported = None
        self._flush_views(at_once=len(run.store.events) < LONG_RUN)
        self._timer.stop()
        self._feed = None
        if run not in self._context.workspace.runs:
            return  # its session was closed before it ended
        if not run.store.events:
            self._context.workspace.remove(run)
            self._context.show_current()
            return
        self._close(run)
        self._context.runs_changed.emit()
        self.state_changed.emit()
        self.finished.emit(run)

    async def _api_key(
        self, session: Any, model: str | None, recording: list[AnyEvent] | None
    ) -> str | None:
        """The key from the keychain, asked for only where a live run needs one."""
        scripted = (model or session.model.use) == "scripted"
        if scripted or recording is not None or os.environ.get("OPENAI_API_KEY"):
            return None
        from tripscope_gui.connect_dialog import stored_key

        return await stored_key()

    # from the sink to the views

    def _tick(self) -> None:
        if not self._frozen:
            now = time.monotonic_ns()
            if now >= self._next_drain or not self.running:
                self._drain(now + DRAIN_NS)
                done = time.monotonic_ns()
                self._next_drain = done + min((done - now) * REST, LONGEST_REST_NS)
            if not self.running and not self._pending:
                self._timer.stop()
        elif self._behind != len(self._pending):
            self._behind = len(self._pending)
            self.state_changed.emit()

    def _flush_views(self, *, at_once: bool) -> None:
        """Hand over what is left; the views show the end of a long run one after the other."""
        turns = self._context.turns
        turns.on = not at_once
        self._flush()
        turns.on = False
        if at_once:
            turns.finish()
        else:
            turns.hurry()

    def _flush(self) -> None:
        self._drain(None)

    def _drain(self, deadline: int | None) -> None:
        pending = self._pending
        if self._feed is None or not pending:
            return
        store = self._feed.store
        first = len(store.events)
        while pending:
            store.extend([pending.popleft() for _ in range(min(_BATCH, len(pending)))])
            if deadline is not None and time.monotonic_ns() >= deadline:
                break
        self._settled.add(len(store.events) - first)
        if store is self._context.store:
            self._context.events_appended.emit(first, len(store.events))
