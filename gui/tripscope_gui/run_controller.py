"""Runs: starts them, feeds their events to the store, stops and freezes them.

Everything happens in the one loop of the window: the engine yields to it every few milliseconds
(`tripscope_gui.pacer`), and what it emits is brought into the store by `tripscope_gui.event_feed`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope.errors import HookError, TripscopeError
from tripscope_gui.collector import SettledEvents
from tripscope_gui.context import PaneContext
from tripscope_gui.event_feed import EventFeed
from tripscope_gui.pacer import Pacer
from tripscope_gui.store.workspace import Run
from tripscope_gui.threads import in_thread
from tripscope_gui.view_turns import REPLAY_REST, REST

if TYPE_CHECKING:
    from tripscope.trace.events import AnyEvent

END_SECONDS: Final = 1.0
SHORT_RUN: Final = 1000
"""Events up to which the end of a run is shown at once; else views still take turns for it."""
_BEHIND_MS: Final = 100

Kind: TypeAlias = Literal["run", "replay"]


class RunController(QObject):
    """The runs of the window; one at a time."""

    state_changed = Signal()
    """`running`, `frozen` or `behind` changed."""
    finished = Signal(object)
    """The `Run` that ended or was read, all its events in its store.

    Views of a long one still take turns to show its end: see `ViewTurns.shown`.
    """
    refused = Signal(str)
    """Why a run could not be started."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._context = context
        self._settled = SettledEvents()
        self._feed = EventFeed(context, self._settled)
        self._feed.emptied.connect(self._on_emptied)
        self._ending: Run | None = None
        """The run that is over, while not all of it was told."""
        self._task: asyncio.Task[Any] | None = None
        self.loader: Callable[[Run], Awaitable[bool]] | None = None
        """Brings the events of a run that are on disk into memory; see `ensure`."""
        self.real_time = True
        """False lets a scripted model's delays pass at once."""
        self._frozen = False
        self._told_behind = 0
        self._watch = QTimer(self)
        self._watch.setInterval(_BEHIND_MS)
        self._watch.timeout.connect(self._tell_behind)

    # reading

    @property
    def running(self) -> bool:
        """Whether a run is at work."""
        return self._task is not None

    @property
    def settled(self) -> bool:
        """Whether nothing runs, and all of the last run was told."""
        return self._task is None and self._ending is None

    @property
    def active(self) -> Run | None:
        """The run that is at work."""
        return self._feed.run if self.running else None

    @property
    def starting(self) -> bool:
        """Whether a run is at work of which nothing has arrived yet."""
        active = self.active
        return active is not None and not active.store.events

    @property
    def frozen(self) -> bool:
        """Whether the view stands still while the run goes on."""
        return self._frozen

    @property
    def behind(self) -> int:
        """Events that wait for the view to go on."""
        return self._feed.waiting if self._frozen else 0

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

    def start(
        self, prompt: str | None = None, model: str | None = None, *, real_time: bool = True
    ) -> Run | None:
        """Ask the session's model: scripted or live. None if nothing was started.

        ``real_time`` false lets a scripted model's delays pass at once, on a virtual clock.
        """
        return self._start("run", prompt, model, real_time=real_time and self.real_time)

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
        from tripscope_gui.trace_reading import TraceReading

        run: Run | None = None

        def note(share: float) -> None:
            if run is not None:
                run.share = share

        batches = iter_load(
            path, report=lambda what: self._context.say(f"{path.name}: {what}"), progress=note
        )
        run = self.load(next(batches, ()), path)
        if not run.store.events:
            return run
        self._settled.add(len(run.store.events))
        try:
            await TraceReading(self._context, self._settled, run).take(batches)
        finally:
            run.share = None
            self._close(run)
            self._context.runs_changed.emit()
            self.finished.emit(run)
        return run

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
        self._end_at_once()
        self._settled.release()

    def set_frozen(self, frozen: bool) -> None:
        """Stop or go on with the view; the run is not touched."""
        if frozen == self._frozen:
            return
        self._frozen = frozen
        if frozen:
            self._feed.pause()
            self._watch.start()
        else:
            self._watch.stop()
            if self._ending is not None:
                self._end_at_once()
            elif self.running:
                self._feed.resume()
        self.state_changed.emit()

    def _tell_behind(self) -> None:
        if self._told_behind != self._feed.waiting:
            self._told_behind = self._feed.waiting
            self.state_changed.emit()

    # the run itself

    def _start(
        self,
        kind: Kind,
        prompt: str | None,
        model: str | None,
        of: Run | None = None,
        *,
        real_time: bool = True,
    ) -> Run | None:
        session = self._context.session.session
        if session is None or self.running:
            return None
        self.set_frozen(False)
        self._end_at_once()
        recording = of.store.events if kind == "replay" and of is not None else None
        if kind == "replay" and not recording:
            return None
        run = self._context.workspace.add(parent=of if kind == "replay" else None)
        self._feed.begin(run)
        self._task = self._context.tasks.start(
            self._drive(session, prompt, model, recording, real_time), f"{run.title} ({kind})"
        )
        if self._task is None:
            self._feed.pause()
            self._context.workspace.remove(run)
            return None
        self._task.add_done_callback(lambda _task: self._over(run))
        self._context.show_current()
        self._context.turns.begin(REPLAY_REST if kind == "replay" else REST)
        self.state_changed.emit()
        return run

    async def _drive(
        self,
        session: Any,
        prompt: str | None,
        model: str | None,
        recording: Sequence[AnyEvent] | None,
        real_time: bool,
    ) -> None:
        start_run, served = await in_thread(_prepared, session, recording)
        stream: Any = None
        try:
            api_key = await self._api_key(session, model, recording)
            self._feed.expect()
            stream = await start_run(
                session,
                prompt=prompt,
                model=model,
                base_url=session.model.base_url or self._context.settings.base_url or None,
                api_key=api_key,
                replay=served,
                trace=self._feed.put,
                pace=Pacer(pressed=lambda: self._context.turns.serving),
                real_time=real_time,
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
        self._ending = run
        self.state_changed.emit()
        if not self._frozen and len(run.store.events) + self._feed.waiting <= SHORT_RUN:
            self._end_at_once()
        else:
            self._feed.catch_up()

    def _on_emptied(self) -> None:
        if self._ending is not None and not self._frozen:
            self._feed.pause()
            # before a view is served, so that each takes what is left, and where the selection
            # goes at the end, in one turn, and is painted once
            self._context.tell_news()
            self._report()

    def _end_at_once(self) -> None:
        """Tell all of a run that is over, now."""
        if self._ending is not None:
            self._feed.finish()
            self._context.turns.finish()
            self._report()

    def _report(self) -> None:
        run, self._ending = self._ending, None
        if run is None:
            return
        turns = self._context.turns
        at_leisure, turns.on = turns.on, False
        if run not in self._context.workspace.runs:
            return  # its session was closed before it ended
        if not run.store.events:
            self._context.workspace.remove(run)
            self._context.show_current()
            return
        self._close(run)
        self._context.runs_changed.emit()
        self.state_changed.emit()
        # the selection goes to where a run ended; all views of a long one are too much for a frame
        turns.on = at_leisure
        if at_leisure:
            turns.hurry(turns.finish)
        self.finished.emit(run)

    async def _api_key(
        self, session: Any, model: str | None, recording: Sequence[AnyEvent] | None
    ) -> str | None:
        """The key from the keychain, asked for only where a live run needs one."""
        scripted = (model or session.model.use) == "scripted"
        if scripted or recording is not None or os.environ.get("OPENAI_API_KEY"):
            return None
        from tripscope_gui.connect_dialog import stored_key

        return await stored_key()


def _prepared(
    session: Any, recording: Sequence[AnyEvent] | None
) -> tuple[Any, list[AnyEvent] | None]:
    """``start_run``, with all imported and compiled that the chain takes; to be called in a thread.

    Rules are compiled once per process, which takes longer than a frame, as does unpacking what a
    replay is served from.
    """
    from tripscope.models.recorded import served_from
    from tripscope.processors.regex_filter import RegexFilterProcessor
    from tripscope.session import start_run
    from tripscope.session.build import build_chain

    with contextlib.suppress(TripscopeError):  # the run itself says what is wrong
        chain = build_chain(session.chain)
        for processor in (*chain.input, *chain.output):
            if isinstance(processor, RegexFilterProcessor):
                processor.prepare()
    return start_run, None if recording is None else served_from(recording)
