"""The open session: what it is, where it lives, whether it is saved, and its undo stack.

A session is replaced, never edited in place: a pane makes a changed copy
(``session.model_copy(update=...)``) and hands it to `SessionAccess.edit`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

if TYPE_CHECKING:
    from tripscope.session.model import Session


class _Edit(QUndoCommand):
    def __init__(
        self, access: SessionAccess, words: str, before: Session, after: Session, merge: str | None
    ) -> None:
        super().__init__(words)
        self.access, self.before, self.after, self.merge = access, before, after, merge

    def redo(self) -> None:
        self.access._take(self.after)

    def undo(self) -> None:
        self.access._take(self.before)

    def id(self) -> int:
        return 1 if self.merge is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or other.merge != self.merge:
            return False
        self.after = other.after
        return True


class SessionAccess(QObject):
    """The one holder of the open session."""

    changed = Signal()
    """Another session, or an edit, undo or redo of it: read `session` anew."""
    opened = Signal()
    """Another file or a new session; comes after ``changed``."""
    dirty_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._path: Path | None = None
        self._never_saved = False
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._on_clean)

    @property
    def session(self) -> Session | None:
        """The session as it stands with all edits."""
        return self._session

    @property
    def path(self) -> Path | None:
        """The session's file; None for one that was never saved or that ships with the program."""
        return self._path

    @property
    def dirty(self) -> bool:
        """Whether something would be lost by closing it."""
        return self._session is not None and (self._never_saved or not self.undo_stack.isClean())

    def open(self, path: Path) -> Session:
        """Read a session file and make it the open one.

        Raises:
            SessionError: it cannot be read; the open session stays.
        """
        from tripscope.session.file import load_session

        session = load_session(path)
        self.take(session, path)
        return session

    def take(
        self, session: Session | None, path: Path | None = None, *, unsaved: bool = False
    ) -> None:
        """Make a session the open one, or close it. ``unsaved``: it exists nowhere yet."""
        self._path = path
        self._never_saved = unsaved and session is not None
        self._session = session
        self.undo_stack.clear()
        self.changed.emit()
        self.opened.emit()
        self.dirty_changed.emit(self.dirty)

    def edit(self, words: str, session: Session, *, merge: str | None = None) -> None:
        """Replace the session by a changed one, as one step that can be undone.

        Args:
            words: what was done, for the Undo menu (``edit pattern of email``).
            session: the changed copy.
            merge: edits with the same word in a row become one undo step (typing in a field).

        Raises:
            RuntimeError: no session is open.
        """
        if self._session is None:
            raise RuntimeError("no session is open")
        if session != self._session:
            self.undo_stack.push(_Edit(self, words, self._session, session, merge))

    def save(self, path: Path | None = None) -> Path:
        """Write the session to its file, or to another one that becomes its file.

        Raises:
            SessionError: it cannot be written.
            RuntimeError: no session is open, or it has no file and none was given.
        """
        target = path or self._path
        if self._session is None or target is None:
            raise RuntimeError("nothing to save, or no file to save it to")
        from tripscope.session.file import save_session

        save_session(self._session, target)
        moved = target != self._path
        self._path = target
        self._never_saved = False
        self.undo_stack.setClean()
        if moved:
            self.opened.emit()
        self.dirty_changed.emit(self.dirty)
        return target

    def _on_clean(self, _clean: bool) -> None:
        self.dirty_changed.emit(self.dirty)

    def _take(self, session: Session) -> None:
        self._session = session
        self.changed.emit()
