"""Reading and writing session files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from tripscope.errors import SessionError
from tripscope.file_kinds import check_is_file, mistaken, not_text
from tripscope.session.model import FORMAT, VERSION, Session
from tripscope.whole_file import write_whole
from tripscope.wording import many

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

SUFFIX = ".tripscope.json"


def load_session(path: str | os.PathLike[str]) -> Session:
    """Read a session file.

    Raises:
        SessionError: it cannot be read, is not JSON, is of another format or version, or breaks the
            schema; the message names the file, the place in it and what to do.
    """
    return session_from_wire(read_json(path), file=os.fspath(path))


def read_json(path: str | os.PathLike[str]) -> Any:
    """The value in a JSON file that a session is expected in; a byte order mark is passed over.

    Raises:
        SessionError: it cannot be read or is not JSON.
    """
    file = os.fspath(path)
    check_is_file(path)
    try:
        data = Path(path).read_bytes()
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SessionError(not_text(data, error), file=file) from error
    except OSError as error:
        raise SessionError(error.strerror or str(error), file=file) from error
    if not text.strip():
        raise SessionError("the file is empty, not a session", file=file)
    try:
        wire = json.loads(text)
    except json.JSONDecodeError as error:
        if (first := _first_of_many(text)) is not None:
            raise SessionError(mistaken(first, wanted="session"), file=file) from error
        place = f"line {error.lineno}, column {error.colno}"
        raise SessionError(f"not JSON: {error.msg}", file=file, place=place) from error
    except RecursionError as error:
        raise SessionError("nested too deeply to be a session", file=file) from error
    except ValueError as error:
        raise SessionError(f"holds a number that is too long: {error}", file=file) from error
    return wire


def _first_of_many(text: str) -> Any:
    """The value of the first line of a file with a value a line, as a trace is; else None."""
    lines = text.split("\n", 2)[:2]
    try:
        values = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    return values[0] if len(values) == 2 else None


def session_from_wire(wire: Any, *, file: str | None = None) -> Session:
    """Check a parsed session.

    Raises:
        SessionError: see `load_session`.
    """
    if not isinstance(wire, dict) or wire.get("format") != FORMAT:
        raise SessionError(mistaken(wire, wanted="session"), file=file)
    if wire.get("version") != VERSION:
        raise SessionError(
            f"version {wire.get('version')!r} is not known here, only {VERSION};"
            " it was made by another Tripscope",
            file=file,
            place="version",
        )
    try:
        return Session.model_validate(wire)
    except ValidationError as error:
        place, message = first_fault(error)
        raise SessionError(message, file=file, place=place) from None


def first_fault(error: ValidationError) -> tuple[str, str]:
    """Where a session breaks the schema, and how, in words."""
    details = error.errors(include_url=False, include_context=False)
    # a misspelt key is the cause of one that is missing
    details.sort(key=lambda one: one["type"] != "extra_forbidden")
    return _place(details[0]["loc"]), _told(details)


def _told(faults: Sequence[ErrorDetails]) -> str:
    message = faults[0]["msg"].removeprefix("Value error, ")
    if faults[0]["type"] == "extra_forbidden":
        message = "is not an option here; check its spelling"
    elif faults[0]["type"] == "missing":
        message = "is missing"
    elif faults[0]["type"] == "string_unicode":
        message = "holds half of a character (a lone surrogate), which no name can have"
    more = len(faults) - 1
    if more:
        message += f" (and {many(more, 'more fault')})"
    return message


def _place(steps: Iterable[int | str]) -> str:
    """``chain[1].options``, without pydantic's names of union members."""
    place = ""
    for step in steps:
        if isinstance(step, int):
            place += f"[{step}]"
        elif step.isidentifier():
            place += f".{step}" if place else step
    return place or "session"


def session_to_wire(session: Session) -> dict[str, Any]:
    """The JSON object of a session, options that have their default left out."""
    body = session.model_dump(mode="python", by_alias=True, exclude_defaults=True)
    return {"format": FORMAT, "version": VERSION} | body


def save_session(session: Session, path: str | os.PathLike[str]) -> None:
    """Write a session file: whole, or not at all.

    Raises:
        SessionError: it cannot be written; the file that was there is untouched.
    """
    text = json.dumps(session_to_wire(session), indent=2) + "\n"
    write_whole(Path(path), text, what="the session", keep_mode=True)
