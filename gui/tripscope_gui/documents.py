"""Opening, saving and closing of sessions and traces, with the guard for unsaved changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tripscope.errors import TripscopeError
from tripscope.file_kinds import is_trace
from tripscope_gui import dialogs
from tripscope_gui.bars.examples import is_example
from tripscope_gui.context import PaneContext
from tripscope_gui.threads import in_thread

if TYPE_CHECKING:
    from tripscope.session.model import Session

SESSION_SUFFIX = ".tripscope.json"
TRACE_SUFFIX = ".trace.jsonl"


class Documents(QObject):
    """The files of the window."""

    made = Signal()
    """A new session is open: it has no prompt yet."""

    def __init__(self, context: PaneContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window

    async def new(self) -> None:
        """A new, empty session."""
        from tripscope.session.model import Session

        if await self.may_leave():
            self._context.workspace.clear()
            self._context.session.take(Session(name="New session"), unsaved=True)
            self._context.show_current()
            self.made.emit()

    async def take(self, session: Session, path: Path | None = None) -> bool:
        """Open a session that stands in no file as it is; whether it was opened.

        Args:
            session: made here, or with changes that were never saved.
            path: the file that its changes belong to.
        """
        if not await self.may_leave():
            return False
        self._context.workspace.clear()
        self._context.session.take(session, path, unsaved=True)
        self._context.show_current()
        return True

    async def choose(self) -> None:
        """Ask for a file and open it."""
        start = folder_of(self._context)
        path = await dialogs.open_path(self._window, "Open", start, dialogs.FILTER_OPEN)
        if path is not None:
            await self.open(path)

    async def open(self, path: Path) -> bool:
        """Open a session or a trace; whether it worked. What is wrong is told."""
        before = list(self._context.workspace)
        try:
            if is_trace(path):
                await self.open_trace(path)
            else:
                from tripscope.session.file import load_session

                session = load_session(path)
                if not await self.may_leave():
                    return False
                self._show(session, path)
        except (TripscopeError, OSError) as error:
            new = (run for run in self._context.workspace if run not in before)
            some = any(run.source == path and run.store.events for run in new)
            what = "is damaged; what stands before that is shown." if some else "cannot be opened."
            await dialogs.tell(self._window, f"{path.name} {what}", str(error))
            return False
        return True

    def open_session(self, path: Path) -> None:
        """Make a session file the open one.

        Raises:
            SessionError: it cannot be read.
        """
        from tripscope.session.file import load_session

        self._show(load_session(path), path)

    def _show(self, session: Session, path: Path) -> None:
        self._context.session.take(session, path)
        self._context.workspace.clear()
        self._context.show_current()
        self._context.settings.add_recent(path)

    async def open_trace(self, path: Path) -> None:
        """Add the run of a trace file and look at it.

        Raises:
            SessionError: it cannot be read.
        """
        await self._context.runs.read(path)
        self._context.settings.add_recent(path)

    async def save(self) -> bool:
        """Save the session to its file, asking for one where it has none; whether it was saved."""
        path = self._context.session.path
        if path is None or is_example(path):
            return await self.save_as()
        return await self._save_to(path)

    async def save_as(self) -> bool:
        """Save the session to a file that the person names; whether it was saved."""
        session = self._context.session
        if session.session is None:
            return False
        start = session.path
        if start is None or is_example(start):
            name = f"{_file_name(session.session.name)}{SESSION_SUFFIX}"
            start = folder_of(self._context) / name
        path = await dialogs.save_path(
            self._window, "Save session as", start, dialogs.FILTER_SESSION, SESSION_SUFFIX
        )
        if path is None:
            return False
        if not path.name.endswith(".json"):
            # the dialog asked about another name: it takes what is behind a dot for an ending
            path = path.with_name(path.name + SESSION_SUFFIX)
            if path.exists() and not await self._may_replace(path):
                return False
        return await self._save_to(path)

    async def _may_replace(self, path: Path) -> bool:
        question = f"{path.name} is there already. Replace it?"
        return await dialogs.ask(self._window, question, "", ["Replace", "Cancel"]) == "Replace"

    async def save_trace(self) -> None:
        """Save the run that is looked at, unredacted text included, to a file of the owner's."""
        from tripscope.trace.file import save

        run = self._context.run
        if run is None:
            return
        start = folder_of(self._context) / f"run-{run.number}{TRACE_SUFFIX}"
        words = "Save trace (holds unredacted text)"
        path = await dialogs.save_path(
            self._window, words, start, dialogs.FILTER_TRACE, TRACE_SUFFIX
        )
        if path is None:
            return
        try:
            await in_thread(save, path, run.store.events)
        except TripscopeError as error:
            await dialogs.tell(self._window, "The trace was not saved.", str(error))
            return
        self._context.say(f"{path.name} saved; it holds unredacted text")

    async def close(self) -> None:
        """Close the session and its runs."""
        if await self.may_leave():
            self._context.workspace.clear()
            self._context.session.take(None)
            self._context.show_current()

    async def may_leave(self) -> bool:
        """Whether the open session can be let go: saved, or given up by the person.

        If so its run has ended and is told of: what follows may drop all runs.
        """
        if not await self._may_lose_changes():
            return False
        await self._context.runs.end()
        return True

    async def _may_lose_changes(self) -> bool:
        session = self._context.session
        if not session.dirty or session.session is None:
            return True
        answer = await dialogs.ask(
            self._window,
            f"Save the changes to {session.session.name}?",
            "They are lost otherwise.",
            ["Save", "Don't save", "Cancel"],
        )
        if answer == "Save":
            return await self.save()
        return answer == "Don't save"

    async def _save_to(self, path: Path) -> bool:
        try:
            self._context.session.save(path)
        except TripscopeError as error:
            await dialogs.tell(self._window, "The session was not saved.", str(error))
            return False
        self._context.settings.add_recent(path)
        self._context.say(f"{path.name} saved")
        return True


def folder_of(context: PaneContext) -> Path:
    """Where a person looks for files, and puts them: beside the open one, or the last one."""
    path = context.session.path
    paths = [path] if path is not None and not is_example(path) else context.settings.recent
    folders = (path.parent for path in paths if not is_example(path))
    return next((folder for folder in folders if folder.is_dir()), Path.home())


def _file_name(name: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in name.lower()).strip("-")
    return kept or "session"
