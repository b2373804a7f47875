"""Writing to the terminal, or to whatever the output was sent to."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from tripscope.errors import TripscopeError


def printable(text: str, stream: TextIO | None = None) -> str:
    """``text`` with control characters, and what ``stream`` cannot show, as escapes."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "utf-8"
    shown = text.encode(encoding, "backslashreplace").decode(encoding)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


def say(line: str) -> None:
    """Print a line; without a standard output, nothing.

    Raises:
        TripscopeError: it cannot be written, as on a full disk.
        BrokenPipeError: nobody reads any more.
    """
    with _written():
        print(printable(line))


def complain(error: BaseException | str) -> None:
    """Tell an error, or a sentence about what was wrong, on the standard error, if there is one."""
    with contextlib.suppress(OSError):
        print(printable(f"tripscope: {error}", sys.stderr), file=sys.stderr)


def flush() -> None:
    """Write out what `say` left in the buffer; raises as `say`."""
    if sys.stdout is not None:
        with _written():
            sys.stdout.flush()


@contextlib.contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        _discard()
        if isinstance(error, BrokenPipeError):
            raise
        raise TripscopeError(f"the output cannot be written: {error.strerror or error}") from error


def _discard() -> None:
    """Send the rest to nowhere, so that the interpreter doesn't fail on it once more at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
