"""Finished runs go to the history on disk; old ones come back when somebody looks at them.

Only the run that is looked at, its parent, the baseline and a few recent ones keep their events in
memory. Packing and loading are done in slices (`tripscope_gui.run_packing`), in the one loop of the
window; what SQLite does is done in a thread, where it needs no interpreter.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from tripscope.errors import SessionError
from tripscope_gui.actions import Command
from tripscope_gui.context import PaneContext
from tripscope_gui.pacer import Pacer
from tripscope_gui.run_packing import SLICE, SLICE_NS, pack_at_leisure, pages_of
from tripscope_gui.settings import data_folder
from tripscope_gui.store.workspace import Run
from tripscope_gui.threads import in_thread

if TYPE_CHECKING:
    from tripscope.trace.store import RunFacts, RunHistory, StoredRun

RECENT: Final = 3
"""Runs that keep their events although nobody looks at them."""
MOST_LISTED: Final = 200
SETTLE_SECONDS: Final = 1.5
"""How long a closed window lives on, unseen, to store what has finished."""


def history_path() -> Path:
    """Where the history of this user is."""
    return data_folder() / "runs.db"


class HistoryKeeper(QObject):
    """Stores, lists, loads and unloads the runs of the window."""

    def __init__(self, context: PaneContext, path: Path) -> None:
        super().__init__(context)
        self._context = context
        self._path = path
        self._history: RunHistory | None = None
        self._usable = True
        self._due = context.session.session is not None
        self._recent: deque[Run] = deque(maxlen=RECENT)
        self._saving: set[Run] = set()
        self._loading: dict[Run, asyncio.Event] = {}
        self._pinned: Run | None = None
        self._register()
        context.runs.loader = self.ensure
        context.session.opened.connect(self._on_opened)
        context.store_changed.connect(self._on_store_changed)
        context.runs_changed.connect(self._on_runs_changed)
        context.runs.finished.connect(self._on_finished)

    @property
    def busy(self) -> bool:
        """Whether a run is being stored."""
        return bool(self._saving)

    @property
    def keeping(self) -> str:
        """The runs that are being stored, by name."""
        return " and ".join(run.title for run in sorted(self._saving, key=lambda run: run.number))

    async def kept(self, seconds: float) -> bool:
        """Wait until all finished runs are stored, but no longer than that; whether they are."""
        until = time.monotonic() + seconds
        while self._saving and time.monotonic() < until:  # noqa: ASYNC110 - tasks, none kept
            await asyncio.sleep(0.005)
        return not self._saving

    async def settle(self) -> None:
        """Wait until all finished runs are stored, but not for long; then let go of the file."""
        await self.kept(SETTLE_SECONDS)
        if self._history is not None:
            self._history.close()
            self._history, self._usable = None, False

    async def ensure(self, run: Run) -> bool:
        """Have the events of a run in memory; whether they are."""
        loading = self._loading.get(run)
        if loading is not None:
            await loading.wait()
        elif not run.complete:
            await self._load(run)
        return run.complete

    def forget(self, run: Run) -> None:
        """Drop a run from the window and from the disk."""
        entry, history = run.entry, self._open()
        try:
            if entry is not None and history is not None:
                history.remove(entry.key)
        except SessionError as error:
            self._context.say(str(error))
            return
        self._recent = deque((other for other in self._recent if other is not run), RECENT)
        self._context.workspace.remove(run)
        self._context.show_current()

    def forget_all(self) -> None:
        """Drop every run of every session from the disk; the window keeps what is in memory."""
        history = self._open()
        if history is None:
            return
        try:
            history.clear()
        except SessionError as error:
            self._context.say(str(error))
            return
        workspace = self._context.workspace
        for run in list(workspace):
            run.entry = None
            if not run.complete:
                workspace.remove(run)
        self._context.show_current()
        self._context.say("The history of runs is empty")

    def _register(self) -> None:
        context = self._context

        def forget_current() -> None:
            if context.run is not None:
                self.forget(context.run)

        def idle() -> bool:
            return not context.runs.running and not self._saving and not self._loading

        context.actions.add(
            Command(
                "run.forget",
                "Forget this run",
                "Run",
                forget_current,
                enabled=lambda: context.run is not None and idle(),
                group=1,
                hint="Remove it from the window and from the history on disk",
            )
        )
        context.actions.add(
            Command(
                "run.forget_all",
                "Empty the history of runs",
                "Run",
                self.forget_all,
                enabled=idle,
                group=1,
                hint="Remove all runs of all sessions from the disk",
            )
        )

    # following the window

    def _on_opened(self) -> None:
        # the runs of the session before are dropped only after this
        self._due = True

    def _on_store_changed(self) -> None:
        session = self._context.session.session
        if self._due and session is not None:
            self._due = False
            if not self._context.workspace.runs:
                self._list(session.name)
        run = self._context.run
        if run is None:
            return
        if not run.complete and run not in self._loading:
            self._context.tasks.start(self._look_at(run), f"load {run.title}")
        self._note(run)

    def _on_runs_changed(self) -> None:
        baseline = self._context.workspace.baseline
        if baseline is not self._pinned:
            for run, pinned in ((self._pinned, False), (baseline, True)):
                self._pin(run, pinned)
            self._pinned = baseline
            if baseline is not None and not baseline.complete:
                self._context.tasks.start(self.ensure(baseline), f"load {baseline.title}")

    def _on_finished(self, run: Run) -> None:
        if run.entry is None and run.source is None and run.store.over:
            self._saving.add(run)
            # another session may be open before the task has begun
            session = self._context.session.session
            name = session.name if session is not None else ""
            task = self._context.tasks.start(self._save(run, name), f"keep {run.title}")
            if task is None:
                self._saving.discard(run)
            else:
                # a task that is cancelled before its first step runs no line of its own
                task.add_done_callback(lambda _task: self._saving.discard(run))
        elif run.complete:
            self._context.tasks.start(pack_at_leisure(run.store), f"pack {run.title}")
        self._note(run)

    # the file

    def _open(self) -> RunHistory | None:
        if self._history is None and self._usable:
            try:
                self._history = _history_at(self._path)
            except SessionError as error:
                self._refuse(error)
        return self._history

    def _list(self, session: str) -> None:
        history = self._open()
        try:
            entries = history.runs(session) if history is not None else []
        except SessionError as error:
            self._context.say(str(error))
            return
        if history is not None and history.damaged:
            self._context.say(f"Damaged in the history and not listed: {history.damaged} runs")
        self._context.workspace.add_stored(entries[-MOST_LISTED:])
        self._pinned = self._context.workspace.baseline

    def _pin(self, run: Run | None, pinned: bool) -> None:
        history = self._history
        if run is not None and run.entry is not None and history is not None:
            try:
                history.pin(run.entry.key, pinned)
            except SessionError as error:
                self._context.say(str(error))

    async def _opened(self) -> RunHistory | None:
        """As `_open`, in a thread: it imports, and waits for the disk."""
        if self._history is None and self._usable:
            try:
                made = await in_thread(_history_at, self._path)
            except SessionError as error:
                self._refuse(error)
                return None
            self._keep_open(made)
        return self._history

    def _keep_open(self, made: RunHistory) -> None:
        """Use a file that a thread opened, unless another one is in use, or none any more."""
        if self._history is None and self._usable:
            self._history = made
        else:
            made.close()

    def _refuse(self, error: SessionError) -> None:
        from tripscope.trace.store import is_busy

        self._usable = is_busy(error)
        self._context.say(f"Runs are not kept: {error}")

    async def _save(self, run: Run, session: str) -> None:
        await self._context.turns.shown()
        history = await self._opened()
        if history is None:
            return
        pages = await pages_of(run.store.events)
        facts = _facts(run, session, self._context.workspace.by_number(run.parent))
        try:
            entry = await in_thread(history.save_pages, facts, pages)
        except SessionError as error:
            self._context.say(f"{run.title} is not kept: {error}")
            return
        self._kept(run, entry)

    def _kept(self, run: Run, entry: StoredRun | None) -> None:
        run.entry = entry
        if entry is None:
            self._context.say(f"{run.title} is too large to be kept after the window is closed")
        elif run is self._context.workspace.baseline:
            self._pin(run, True)
        if entry is not None and entry.facts.number != run.number:
            kept = f"{run.title} is kept as Run {entry.facts.number}"
            self._context.say(f"{kept}: another window has stored a run of that number")
        self._unload()

    async def _look_at(self, run: Run) -> None:
        if await self.ensure(run) and run is self._context.run:
            self._context.runs_changed.emit()
            self._context.runs.state_changed.emit()
            self._context.runs.finished.emit(run)

    async def _load(self, run: Run) -> None:
        history, entry = self._open(), run.entry
        if history is None or entry is None:
            return
        loaded = self._loading[run] = asyncio.Event()
        try:
            pace = Pacer(SLICE_NS)
            for batch in history.iter_load(entry.key):
                run.share = len(run.store.events) / max(1, entry.facts.events)
                for at in range(0, len(batch), SLICE):
                    run.store.extend(batch[at : at + SLICE])
                    self._context.turns.ask(self._context.tell_news)
                    await pace()
            self._context.tell_news()
            run.complete = True
            if run.store.close() and run is self._context.run:
                self._context.show_current()
        except SessionError as error:
            self._context.say(f"{run.title} cannot be loaded: {error}")
        finally:
            run.share = None
            if not run.complete:
                run.unload()
            del self._loading[run]
            loaded.set()

    # memory

    def _note(self, run: Run) -> None:
        runs = self._context.workspace.runs
        others = (other for other in self._recent if other is not run and other in runs)
        self._recent = deque([*others, run], RECENT)
        self._unload()

    def _unload(self) -> None:
        """Let go of the events of runs that nobody looks at."""
        context, workspace = self._context, self._context.workspace
        current = context.run
        kept = {current, workspace.baseline, context.runs.active, *self._recent}
        kept.update(workspace.compared)
        if current is not None:
            kept.add(workspace.by_number(current.parent))
        for run in workspace:
            idle = run not in kept and run not in self._loading and run not in self._saving
            if idle and run.complete and run.entry is not None:
                run.unload()


def _history_at(path: Path) -> RunHistory:
    from tripscope.trace.store import RunHistory

    return RunHistory(path)


def _facts(run: Run, session: str, parent: Run | None) -> RunFacts:
    """The description of a finished run; its events are not gone through for it."""
    from tripscope.trace.store import RunFacts

    store, started = run.store, run.store.started
    return RunFacts(
        session=session,
        run_id=store.run_id,
        number=run.number,
        # under which it is kept may be another number than the one it has in this window
        parent=parent.entry.facts.number if parent and parent.entry else run.parent,
        mode=run.mode,
        model=run.model,
        status=store.status,
        started_at=started.started_at if started is not None else "",
        time=store.totals.time,
        chunks=len(store.rows),
        events=len(store.events),
        findings=len(store.findings),
    )
