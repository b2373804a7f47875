"""Writes trace files: see `tripscope.trace.file`."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from io import FileIO
from itertools import islice
from types import TracebackType
from typing import Final, Self

from tripscope import __version__
from tripscope.errors import SessionError
from tripscope.trace.codec import Encoder
from tripscope.trace.events import AnyEvent, RunStarted
from tripscope.trace.file_format import FORMAT, OFFSET_UNIT, VERSION
from tripscope.trace.lines import line_of
from tripscope.whole_file import refuse_read_only
from tripscope.wire import JSON

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_AT_ONCE: Final = 512
_WHAT: Final = "the trace"


class TraceWriter:
    """A sink that appends each event to a new file; what was there before is replaced.

    Raises:
        SessionError: the file cannot be opened or written, or is read-only.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._file = _open_private(self.path)
        self._encoder: Encoder | None = None

    def __call__(self, event: AnyEvent) -> None:
        """Write one event; before the first one the header, which has the run's id from it."""
        encoder = self._encoder or self._begin(event)
        self._write(encoder.line(event) + b"\n")

    def extend(self, events: Sequence[AnyEvent]) -> None:
        """Write several events at once, which is cheaper."""
        if events:
            encoder = self._encoder or self._begin(events[0])
            self._write(b"\n".join([*map(encoder.line, events), b""]))

    def _begin(self, first: AnyEvent) -> Encoder:
        self._encoder = Encoder()
        self._write(line_of(_header(first)) + b"\n")
        return self._encoder

    def _write(self, data: bytes) -> None:
        try:
            while (written := self._file.write(data)) < len(data):
                data = data[written:]
        except OSError as error:
            raise _not_written(self.path, error) from error

    def close(self) -> None:
        """Finish the file; a second call changes nothing."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def save(path: str | os.PathLike[str], events: Iterable[AnyEvent]) -> None:
    """Write a whole trace. An old file stays as it is until the new one is complete.

    Raises:
        SessionError: the file cannot be written, or is read-only.
    """
    target = os.fspath(path)
    refuse_read_only(target, what=_WHAT)
    fresh = f"{target}.part"
    try:
        with TraceWriter(fresh) as writer:
            rest = iter(events)
            while some := list(islice(rest, _AT_ONCE)):
                writer.extend(some)
        os.replace(fresh, target)
    except OSError as error:
        raise _not_written(target, error) from error
    finally:
        with suppress(OSError):
            os.remove(fresh)  # gone already, unless something failed


def _header(event: AnyEvent) -> dict[str, JSON]:
    started = event if isinstance(event, RunStarted) else None
    return {
        "format": FORMAT,
        "version": VERSION,
        "offsetUnit": OFFSET_UNIT,
        "runId": started.run_id if started else None,
        "chainHash": started.chain_hash if started else None,
        "tripscope": __version__,
    }


def _open_private(path: str) -> FileIO:
    refuse_read_only(path, what=_WHAT)
    try:
        file = FileIO(os.open(path, _FLAGS, 0o600), "w")
        # Not for a device or a pipe. A file that was there may have been readable for others.
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.chmod(file.fileno() if os.chmod in os.supports_fd else path, 0o600)
            file.truncate(0)
    except OSError as error:
        raise _not_written(path, error) from error
    return file


def _not_written(path: str, error: OSError) -> SessionError:
    return SessionError(f"{_WHAT} cannot be written: {error.strerror or error}", file=path)
