"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from tripscope.errors import SessionError


def write_whole(target: Path, text: str, *, what: str, keep_mode: bool = False) -> None:
    """Put a text file in the place of what was there; only its owner can read it.

    Args:
        target: what is replaced; a link stays one, and what it leads to is replaced.
        text: no lone surrogates; JSON is written with ``ensure_ascii``.
        what: the file in an error, such as ``the report``.
        keep_mode: a file that was there keeps its permissions.

    Raises:
        SessionError: it cannot be written; the file that was there is untouched.
    """
    target = Path(os.path.realpath(target))
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
