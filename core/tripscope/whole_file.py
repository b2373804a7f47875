"""Files that are written whole, or not at all; none that its owner made read-only."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tripscope.errors import SessionError
from tripscope.file_kinds import check_is_file

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


@contextmanager
def replacing(target: Path, *, what: str, keep_mode: bool = False) -> Iterator[Path]:
    """A new file that only its owner can read; once written, it takes the place of what was there.

    Args:
        target: what is replaced; a link stays one, and what it leads to is replaced.
        what: the file in an error, such as ``the report``.
        keep_mode: a file that was there keeps its permissions.

    Raises:
        SessionError: it cannot be written, is read-only, a pipe or a device; the file that was
            there is untouched then, and also if the body raises.
    """
    check_is_file(target)
    target = Path(os.path.realpath(target))
    refuse_read_only(target, what=what)
    try:
        # not the name of the target, which may be as long as a name can be
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".tripscope.")
        os.close(handle)
        fresh = Path(name)
        try:
            yield fresh
            with fresh.open("rb+") as file:
                os.fsync(file.fileno())
            if keep_mode and target.exists():
                shutil.copymode(target, fresh)
            os.replace(fresh, target)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise not_written(target, error, what=what) from error


def write_whole(target: Path, text: str, *, what: str, keep_mode: bool = False) -> None:
    """Put a text file in the place of what was there: see `replacing`.

    Args:
        target: the file.
        text: no lone surrogates; JSON is written with ``ensure_ascii``.
        what: the file in an error, such as ``the report``.
        keep_mode: a file that was there keeps its permissions.

    Raises:
        SessionError: as `replacing`.
    """
    with replacing(target, what=what, keep_mode=keep_mode) as fresh:
        fresh.write_text(text, encoding="utf-8", newline="\n")


def not_written(target: str | os.PathLike[str], error: OSError, *, what: str) -> SessionError:
    """Why a file was not written, in words."""
    folder = os.path.dirname(os.path.realpath(target))
    if isinstance(error, FileNotFoundError) and os.path.isdir(folder):
        # what Linux says of the folders in which it shows itself, such as /proc
        why = "this folder takes no new files"
    else:
        why = error.strerror or str(error)
    return SessionError(f"{what} cannot be written: {why}", file=os.fspath(target))
