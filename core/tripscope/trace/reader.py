"""Reads trace files: see `tripscope.trace.file`."""

from __future__ import annotations

import gc
import json
import logging
import os
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import BinaryIO, Final, NoReturn, TypeAlias, cast

from msgspec import Struct

from tripscope.errors import SessionError
from tripscope.file_kinds import MOST_LOOKED_AT, check_is_file, mistaken, not_text
from tripscope.trace.codec import Decoder
from tripscope.trace.events import AnyEvent
from tripscope.trace.file_format import FORMAT, OFFSET_UNIT, VERSION
from tripscope.trace.lines import NotJSON
from tripscope.wire import JSON

BATCH_BYTES: Final = 1 << 18
PathLike: TypeAlias = "str | os.PathLike[str]"
Report: TypeAlias = Callable[[str], None]
Progress: TypeAlias = Callable[[float], None]

_log = logging.getLogger(__name__)


class Header(Struct, frozen=True):
    """The first line of a trace file. ``tripscope``: the version that wrote it."""

    run_id: str | None
    chain_hash: str | None
    tripscope: str | None


class Trace(Struct, frozen=True):
    """A whole file. ``problems``: what is wrong with it and was not fatal, in words."""

    header: Header
    events: list[AnyEvent]
    problems: tuple[str, ...] = ()


def load(path: PathLike) -> list[AnyEvent]:
    """The events of a trace file; what `read` calls problems goes to the log.

    Raises:
        SessionError: as `read`.
    """
    trace = read(path)
    for problem in trace.problems:
        _logged(path)(problem)
    return trace.events


def read(path: PathLike) -> Trace:
    """A trace file with its header and what is wrong with it.

    Raises:
        SessionError: it cannot be read, is no trace, is of another version, or a line is no event.
    """
    problems: list[str] = []
    events: list[AnyEvent] = []
    with _open(path) as file, _paused_collector():
        header = file.header()
        for batch in file.batches(problems.append):
            events += batch
    return Trace(header, events, tuple(problems))


def iter_load(
    path: PathLike, *, report: Report | None = None, progress: Progress | None = None
) -> Iterator[list[AnyEvent]]:
    """The events in batches, each some milliseconds of work.

    ``report`` is told each problem that is not fatal; without it they go to the log. ``progress``
    is told the share of the file that was read, 0 to 1, before each batch.

    Raises:
        SessionError: as `read`; where a line is bad, after all events before it.
    """
    with _open(path) as file:
        file.header()
        for batch in file.batches(report or _logged(path)):
            if progress is not None:
                progress(file.share)
            yield batch


def _logged(path: PathLike) -> Report:
    return partial(_log.warning, "%s: %s", os.fspath(path))


def read_header(path: PathLike) -> Header:
    """The first line alone; raises as `read`."""
    with _open(path) as file:
        return file.header()


@contextmanager
def _open(path: PathLike) -> Iterator[_TraceFile]:
    name = os.fspath(path)
    check_is_file(path)
    try:
        with open(name, "rb") as file:
            yield _TraceFile(name, file)
    except OSError as error:
        why = error.strerror or str(error)
        raise SessionError(f"the trace cannot be read: {why}", file=name) from error


@contextmanager
def _paused_collector() -> Iterator[None]:
    """Nothing that loading makes is garbage; the collector would go through it again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _TraceFile:
    """An open trace, read from its start."""

    def __init__(self, name: str, file: BinaryIO) -> None:
        self._name = name
        self._file = file
        self._decoder = Decoder()

    @property
    def share(self) -> float:
        """How much of it was read, 0 to 1."""
        size = os.fstat(self._file.fileno()).st_size
        return min(1.0, self._file.tell() / size) if size else 1.0

    def header(self) -> Header:
        line = self._file.readline(MOST_LOOKED_AT).removeprefix(BOM_UTF8)
        if not line:
            self._fail("the file is empty; no event was written to it")
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):
            header = self._whole(line)
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            self._fail(mistaken(header, wanted="trace"))
        if header.get("version") != VERSION:
            self._fail(
                f"trace version {header.get('version')!r} is not known, only {VERSION}; "
                "open it with the Tripscope that wrote it, or a newer one",
                1,
            )
        if header.get("offsetUnit") != OFFSET_UNIT:
            self._fail(f"offsetUnit {header.get('offsetUnit')!r} is not {OFFSET_UNIT!r}", 1)
        texts = [header.get(key) for key in ("runId", "chainHash", "tripscope")]
        return Header(*[text if isinstance(text, str) else None for text in texts])

    def _whole(self, line: bytes) -> JSON:
        """The value of the file, if it is one that takes several lines."""
        data = line + self._file.read(MOST_LOOKED_AT)
        try:
            return cast(JSON, json.loads(data.decode("utf-8")))
        except UnicodeDecodeError as error:
            self._fail(not_text(data, error))
        except (ValueError, RecursionError):
            self._fail(f'this is no trace; the first line lacks "format": "{FORMAT}"', 1)

    def batches(self, report: Report) -> Iterator[list[AnyEvent]]:
        number = 2
        expected = 0
        while lines := self._file.readlines(BATCH_BYTES):
            events: list[AnyEvent] = []
            problem = self._decode(lines, events, report, number)
            number += len(lines)
            if events:
                _check_order(events, expected, report)
                expected = events[-1].seq + 1
                yield events
            if problem is not None:
                self._fail(*problem)

    def _decode(
        self, lines: list[bytes], events: list[AnyEvent], report: Report, first: int
    ) -> tuple[str, int] | None:
        """Add the events of lines, the first of which is line ``first``, up to one that is bad.

        Returns:
            What is wrong with that line, and its number.
        """
        decode = self._decoder.line
        try:
            for line in lines:
                events.append(decode(line))
        except NotJSON as error:
            number = first + len(events)
            if lines[len(events)].endswith(b"\n"):
                return str(error), number
            report(f"line {number}, the last one, is cut off: the run ended while writing it")
        except ValueError as error:
            return str(error), first + len(events)
        return None

    def _fail(self, message: str, line: int | None = None) -> NoReturn:
        raise SessionError(message, file=self._name, place=f"line {line}" if line else None)


def _check_order(events: list[AnyEvent], expected: int, report: Report) -> None:
    if events[0].seq == expected and events[-1].seq - expected == len(events) - 1:
        return
    for event in events:
        if event.seq != expected:
            report(f"event {expected} should come next, but {event.seq} does: lines are missing")
            return
        expected += 1
