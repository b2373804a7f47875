"""Unsaved changes survive a crash: they are put on disk as they are made and offered at the start.

Each window has a file and a lock of its own in the recovery folder. A file whose lock nobody holds
was left by a window that did not come to its end; whoever takes the lock may offer it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLockFile, QObject, Signal

from tripscope.errors import SessionError
from tripscope_gui.context import PaneContext
from tripscope_gui.settings import data_folder
from tripscope_gui.threads import in_thread
from tripscope_gui.throttle import Throttle

if TYPE_CHECKING:
    from tripscope.session.autosave import Autosave
    from tripscope.session.model import Session

AUTOSAVE_MS: Final = 1000
"""Least time between two writes; an edit after a pause is written at once."""
SUFFIX: Final = ".autosave.json"
DAMAGED: Final = ".damaged.json"


def recovery_folder() -> Path:
    """Where the unsaved changes of this user are kept."""
    return data_folder() / "recovery"


class Autosaver(QObject):
    """Keeps the unsaved changes of one window on disk, until they are saved or given up."""

    def __init__(self, context: PaneContext, folder: Path) -> None:
        super().__init__(context)
        self._context = context
        self._folder = folder
        self._path = folder / f"{os.urandom(16).hex()}{SUFFIX}"
        self._lock: QLockFile | None = None
        self._turn = asyncio.Lock()
        self._stale = False
        self._told = False
        self._closed = False
        self._due = Throttle(self._start, AUTOSAVE_MS, self)
        context.session.changed.connect(self._on_changed)
        context.session.dirty_changed.connect(self._on_changed)

    @property
    def path(self) -> Path:
        """The file of this window; there only while something is unsaved."""
        return self._path

    def _on_changed(self, *_: object) -> None:
        if self._closed:
            return
        self._stale = True
        if self._context.session.dirty:
            self._due.ask()
        else:
            self._due.cancel()
            if self._lock is not None or self._turn.locked():
                self._start()

    def _start(self) -> None:
        self._context.tasks.start(self.keep(), "keep unsaved changes")

    async def keep(self) -> bool:
        """Write what is unsaved now; whether it is on disk."""
        from datetime import datetime

        from tripscope.session.autosave import Autosave

        access = self._context.session
        async with self._turn:
            try:
                while self._stale and not self._closed and access.dirty:
                    session = access.session
                    assert session is not None
                    self._stale = False
                    kept = Autosave(session, access.path, datetime.now().astimezone())
                    await in_thread(self._write, kept)
            except (SessionError, OSError) as error:
                self._tell(error)
                return False
            if not access.dirty:
                self._forget()
            return self._path.exists()

    async def close(self) -> None:
        """The window comes to an orderly end: nothing of it is offered later."""
        self._closed = True
        self._due.cancel()
        async with self._turn:
            self._forget()
            if self._lock is not None:
                self._lock.unlock()
                self._lock = None

    def _tell(self, error: Exception) -> None:
        # once: the next edit will hardly fare better
        if not self._told:
            self._told = True
            self._context.say(f"Unsaved changes are not kept for a crash: {error}")

    def _write(self, kept: Autosave) -> None:
        from tripscope.session.autosave import write_autosave

        if self._lock is None:
            make_folder(self._folder)
            self._lock = lock_of(self._path)
            if not self._lock.tryLock(0):
                self._lock = None
                raise OSError(f"no file can be written in {self._folder}")
        write_autosave(kept, self._path)

    def _forget(self) -> None:
        if self._lock is not None:
            remove(self._path)


@dataclass(slots=True, eq=False)
class LeftBehind:
    """What a window that did not come to its end left: its changes, or why they can't be read."""

    file: Path
    lock: QLockFile
    kept: Autosave | None = None
    damage: str = ""

    @property
    def session(self) -> Session | None:
        """The session with its changes."""
        return self.kept.session if self.kept is not None else None

    def discard(self) -> None:
        """Forget it for good; one that can't be read was put aside and stays there."""
        if self.kept is not None:
            remove(self.file)
        self.lock.unlock()

    def leave(self) -> None:
        """Let the next start offer it."""
        self.lock.unlock()


def left_behind(folder: Path) -> list[LeftBehind]:
    """What can be offered, oldest first; its locks are held from now on.

    A file that can't be read is renamed, so that it is told of once and stays at hand.
    """
    return sorted(_left_behind(folder), key=lambda left: (left.kept is None, _time(left)))


def _left_behind(folder: Path) -> Iterator[LeftBehind]:
    try:
        files = sorted(folder.glob(f"*{SUFFIX}"))
    except OSError:
        return
    for file in files:
        lock = lock_of(file)
        if not lock.tryLock(0):
            continue
        # its window may have ended well since the folder was listed
        left = _read(file, lock) if file.exists() else None
        if left is None:
            lock.unlock()
        else:
            yield left


def _read(file: Path, lock: QLockFile) -> LeftBehind | None:
    from tripscope.session.autosave import read_autosave

    try:
        kept = read_autosave(file)
    except SessionError as error:
        aside = file.with_name(file.name.removesuffix(SUFFIX) + DAMAGED)
        try:
            os.replace(file, aside)
        except OSError:
            aside = file
        return LeftBehind(aside, lock, damage=_reason(error))
    if not kept.worth_keeping:
        remove(file)
        return None
    return LeftBehind(file, lock, kept)


def _reason(error: SessionError) -> str:
    """What is wrong, without the name of the file, which has no meaning for a person."""
    return str(error).removeprefix(f"{error.file}: ") if error.file else str(error)


def _time(left: LeftBehind) -> float:
    return left.kept.saved_at.timestamp() if left.kept is not None else 0.0


def make_folder(folder: Path) -> None:
    """A folder for the owner only.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def lock_of(file: Path) -> QLockFile:
    """The lock that says whose file it is; it never ages, but ends with its process."""
    lock = QLockFile(str(file.with_name(file.name.removesuffix(SUFFIX) + ".lock")))
    lock.setStaleLockTime(0)
    return lock


def remove(file: Path) -> None:
    """Delete a file, if it can be."""
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)


class Recovery(QObject):
    """What was left behind, for a person to have back one after the other."""

    changed = Signal()
    """One was answered: the first of `left` is another one, or there is none."""

    def __init__(self, context: PaneContext, folder: Path) -> None:
        super().__init__(context)
        self._context = context
        self._folder = folder
        self._left: list[LeftBehind] = []
        self._looked = False
        self._closed = False
        self.autosaver = Autosaver(context, folder)

    @property
    def left(self) -> list[LeftBehind]:
        """What still waits for an answer; the first one is offered."""
        return self._left

    async def look(self) -> bool:
        """Find what was left behind, once; whether there is something to offer."""
        if self._looked:
            return False
        self._looked = True
        found = await in_thread(left_behind, self._folder)
        if self._closed:
            for left in found:
                left.leave()
            return False
        self._left += found
        return bool(found)

    async def settle(self, left: LeftBehind) -> None:
        """It has become the open session: it is kept anew before the old file goes."""
        if await self.autosaver.keep():
            left.discard()
        else:
            left.leave()
        self._done(left)

    def discard(self, left: LeftBehind) -> None:
        """Forget it."""
        left.discard()
        self._done(left)

    async def close(self) -> None:
        """The window comes to an orderly end; what was not answered is offered next time."""
        self._closed = True
        await self.autosaver.close()
        for left in self._left:
            left.leave()
        self._left.clear()

    def _done(self, left: LeftBehind) -> None:
        if left in self._left:
            self._left.remove(left)
        self.changed.emit()
