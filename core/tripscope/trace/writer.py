"""Writes trace files: see `tripscope.trace.file`."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from io import FileIO
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tripscope import __version__
from tripscope.trace.codec import Encoder
from tripscope.trace.events import AnyEvent, RunStarted
from tripscope.trace.file_format import FORMAT, OFFSET_UNIT, VERSION
from tripscope.trace.lines import line_of
from tripscope.whole_file import not_written, refuse_read_only, replacing
from tripscope.wire import JSON

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_AT_ONCE: Final = 512
_WHAT: Final = "the trace"


class TraceWriter:
    """A sink that appends each event to a new file; what was there before goes at the first one.

    Args:
        path: the file.
        shown: its name in errors, if that is another.

    Raises:
        SessionError: the file cannot be opened or written, or is read-only.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, shown: str | os.PathLike[str] | None = None
    ) -> None:
        self.path = os.fspath(path)
        self._shown = self.path if shown is None else os.fspath(shown)
        self._is_new = not os.path.exists(path)
        refuse_read_only(path, what=_WHAT)
        try:
            self._file = FileIO(os.open(path, _FLAGS, 0o600), "w")
        except OSError as error:
            raise not_written(self._shown, error, what=_WHAT) from error
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
        self._write(line_of(_header(first)) + b"\n", begins=True)
        return self._encoder

    def _write(self, data: bytes, *, begins: bool = False) -> None:
        try:
            if begins:
                self._empty()
            while (written := self._file.write(data)) < len(data):
                data = data[written:]
        except OSError as error:
            raise not_written(self._shown, error, what=_WHAT) from error

    def _empty(self) -> None:
        file = self._file.fileno()
        if stat.S_ISREG(os.fstat(file).st_mode):  # not for a device or a pipe
            # what was there may have been readable for others
            os.chmod(file if os.chmod in os.supports_fd else self.path, 0o600)
            self._file.truncate(0)

    def close(self) -> None:
        """Finish the file; one without any event is none. A second call changes nothing."""
        if self._file.closed:
            return
        self._file.close()
        if self._is_new and self._encoder is None:
            Path(os.path.realpath(self.path)).unlink(missing_ok=True)

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
    with (
        replacing(Path(path), what=_WHAT) as fresh,
        TraceWriter(fresh, shown=path) as writer,
    ):
        rest = iter(events)
        while some := list(islice(rest, _AT_ONCE)):
            writer.extend(some)


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
