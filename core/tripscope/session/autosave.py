"""Unsaved changes, put on disk so that a crash does not take them: one file per open session.

The session stands in it as in its own file, beside where that file is. Both may hold whatever a
person typed, so only the owner can read it.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from tripscope.errors import SessionError
from tripscope.session.file import (
    load_session,
    read_json,
    session_from_wire,
    session_to_wire,
)
from tripscope.session.model import Session
from tripscope.whole_file import write_whole

FORMAT: Final = "tripscope-autosave"
VERSION: Final = 1


class Autosave(Struct, frozen=True):
    """A session with changes that its file lacks.

    Attributes:
        path: the session's own file; None if it was never saved.
        saved_at: local time with its zone.
    """

    session: Session
    path: Path | None
    saved_at: datetime

    @property
    def worth_keeping(self) -> bool:
        """Whether something would be lost without it: its file does not say the same."""
        if self.path is None:
            return True
        try:
            return load_session(self.path) != self.session
        except SessionError:
            return True


def write_autosave(kept: Autosave, path: Path) -> None:
    """Write it whole or not at all, readable for its owner only.

    Raises:
        SessionError: it cannot be written; what was there before is untouched.
    """
    wire = {
        "format": FORMAT,
        "version": VERSION,
        "path": str(kept.path.absolute()) if kept.path is not None else None,
        "savedAt": kept.saved_at.isoformat(),
        "session": session_to_wire(kept.session),
    }
    write_whole(path, json.dumps(wire) + "\n", what="the autosave")


def read_autosave(path: Path) -> Autosave:
    """Read what `write_autosave` wrote.

    Raises:
        SessionError: it cannot be read, is damaged, or another Tripscope made it.
    """
    file = str(path)
    wire = read_json(path)
    if not isinstance(wire, dict) or wire.get("format") != FORMAT:
        raise SessionError(f'"format" is not "{FORMAT}"', file=file)
    if wire.get("version") != VERSION:
        raise SessionError(
            f"version {wire.get('version')!r} is not known here, only {VERSION}",
            file=file,
            place="version",
        )
    home = wire.get("path")
    if home is not None and not isinstance(home, str):
        raise SessionError("not a path", file=file, place="path")
    return Autosave(
        session=session_from_wire(wire.get("session"), file=file),
        path=Path(home) if home is not None else None,
        saved_at=_time(wire.get("savedAt"), file),
    )


def _time(value: Any, file: str) -> datetime:
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise SessionError("not a time", file=file, place="savedAt") from error
