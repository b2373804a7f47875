"""Files that are written whole, or not at all; none that its owner made read-only."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Final

from tripscope.errors import SessionError

_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def refuse_read_only(target: str | os.PathLike[str], *, what: str) -> None:
    """See to it that a file can be replaced: to take its place needs no leave of the file itself.

    Args:
        target: a file that is there, or not yet.
        what: the file in an error, such as ``the report``.

    Raises:
        SessionError: it is there and read-only, whoever asks.
    """
    try:
        mode = os.stat(target).st_mode
    except OSError:
        return
    # the bits too: to root everything is writable
    if stat.S_ISREG(mode) and not (mode & _WRITABLE and os.access(target, os.W_OK)):
        raise SessionError(
            f"{what} was not written, for this file is read-only; choose another name, or make the"
            " file writable",
            file=os.fspath(target),
        )


def write_whole(target: Path, text: str, *, what: str, keep_mode: bool = False) -> None:
    """Put a text file in the place of what was there; only its owner can read it.

    Args:
        target: what is replaced; a link stays one, and what it leads to is replaced.
        text: no lone surrogates; JSON is written with ``ensure_ascii``.
        what: the file in an error, such as ``the report``.
        keep_mode: a file that was there keeps its permissions.

    Raises:
        SessionError: it cannot be written, or is read-only; the file that was there is untouched.
    """
    target = Path(os.path.realpath(target))
    refuse_read_only(target, what=what)
    try:
        # not the name of the target, which may be as long as a name can be
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".tripscope.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            if keep_mode and target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        why = error.strerror or str(error)
        raise SessionError(f"{what} cannot be written: {why}", file=str(target)) from error
