"""Whether a file is a session or a trace, and what it is if it is not the one that was wanted.

Loads nothing of either, so that whoever only asks need not wait.
"""

from __future__ import annotations

import json
import os
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tripscope.errors import SessionError
from tripscope.wording import many, plural

if TYPE_CHECKING:
    from tripscope.wire import JSON

_OURS: Final = {
    "tripscope-session": (
        "a session",
        "the window opens it, and `tripscope run SESSION` runs it; with --trace OUT it writes a"
        " trace",
    ),
    "tripscope-trace": (
        "a trace",
        "a trace is opened by the window and by shot, and run SESSION --replay serves its answers",
    ),
    "tripscope-autosave": (
        "an autosave",
        "it holds changes that were never saved; the window offers them when it starts",
    ),
}
_HINTS: Final = {
    "session": 'a session says "format": "tripscope-session"; the window makes one by New session'
    " and Save as",
    "trace": 'a trace begins with a line that says "format": "tripscope-trace"; it is written by'
    " `tripscope run SESSION --trace OUT` and by the window's Save trace",
}
MOST_LOOKED_AT: Final = 1 << 20
"""Bytes by which it is told what a file is: more than a session usually has."""
_NAMED: Final = 3
"""Keys of an object that are named: enough to know one's own file by."""
_LONGEST: Final = 40


def check_is_file(path: str | os.PathLike[str]) -> None:
    """Refuse what would be waited for for ever, and names that no file can have.

    Raises:
        SessionError: it is a pipe or a device, or its name holds NUL.
    """
    name = os.fspath(path)
    if "\0" in name:
        raise SessionError("no file can have this name: it holds NUL", file=name)
    if os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name):
        raise SessionError("this is a pipe or a device, not a file", file=name)


def is_trace(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a trace: by its name, else by its first line; what is no file is none."""
    if os.fspath(path).endswith(".jsonl"):
        return True
    if not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as file:
            header = json.loads(file.readline(MOST_LOOKED_AT).removeprefix(BOM_UTF8))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("format") == "tripscope-trace"


def mistaken(wire: JSON, *, wanted: str) -> str:
    """What a file with this value is, that it is not what was ``wanted``, and what to do.

    Args:
        wire: the value of a JSON file, or of the first line of a file with a value a line.
        wanted: ``session`` or ``trace``.
    """
    name = wire.get("format") if isinstance(wire, dict) else None
    kind, hint = _OURS.get(name, ("", "")) if isinstance(name, str) else ("", "")
    return f"this is {kind or _spell(wire)}, not a {wanted}; {hint or _HINTS[wanted]}"


def not_text(data: bytes, error: UnicodeDecodeError) -> str:
    """Why bytes cannot be read as UTF-8, and what to do."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "this is UTF-16; save it as UTF-8"
    return f"not UTF-8 at byte {error.start}"


def _spell(wire: JSON) -> str:
    if isinstance(wire, dict):
        name = wire.get("format")
        if isinstance(name, str):
            return f"JSON of the format {_short(name)}"
        keys = [_short(key) for key in wire]
        more = len(keys) - _NAMED
        told = ", ".join(keys[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        words = plural(len(keys), "key")
        return f"a JSON object with the {words} {told}" if keys else "an empty JSON object"
    if isinstance(wire, list):
        return f"a JSON list of {many(len(wire), 'value')}"
    return "a single JSON value"


def _short(text: str) -> str:
    return f'"{text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."}"'
