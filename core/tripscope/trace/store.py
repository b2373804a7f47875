"""The history of runs, in one SQLite file that only its owner can read.

It holds unredacted text, as traces do. Each run's events stand beside a short description, by which
runs are listed without being loaded. Oldest runs go first when there are too many, or too many
bytes; pinned ones stay. Text is kept as escaped JSON, for it may hold lone surrogates.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from tripscope.errors import SessionError
from tripscope.trace.events import AnyEvent, FindingMade, ModelChunk, RunEnded, RunStarted, Status
from tripscope.trace.packing import Packer, unpack

MOST_RUNS: Final = 500
MOST_BYTES: Final = 512 * 1024 * 1024
_VERSION: Final = 1
_BUSY_SECONDS: Final = 0.25
_BUSY_SAVING: Final = 5.0
"""How long another program may hold the file: briefly, for a window waits, longer for a save."""
_TABLES: Final = """
create table runs (
    key integer primary key autoincrement,
    session text not null,
    facts text not null,
    size integer not null,
    pinned integer not null default 0
);
create index runs_of_session on runs (session, key);
create table pages (
    run integer not null references runs (key) on delete cascade,
    number integer not null,
    data blob not null,
    primary key (run, number)
) without rowid;
"""


class RunFacts(Struct, frozen=True):
    """What is known of a stored run without loading it.

    ``number`` and ``parent``: what the window called it and the run that it replays; ``time``: ns.
    """

    session: str
    run_id: str = ""
    number: int = 0
    parent: int | None = None
    mode: str = ""
    model: str = ""
    status: Status = "running"
    started_at: str = ""
    time: int = 0
    chunks: int = 0
    events: int = 0
    findings: int = 0


class StoredRun(Struct, frozen=True):
    """A run of the history. ``size``: bytes of its events as kept."""

    key: int
    facts: RunFacts
    size: int
    pinned: bool = False


def facts_of(
    events: Sequence[AnyEvent], *, session: str = "", number: int = 0, parent: int | None = None
) -> RunFacts:
    """The description of a run, from its events; ``session`` is the agent's id if not given."""
    started = next((e for e in events[:1] if isinstance(e, RunStarted)), None)
    ended = next((e for e in events[-1:] if isinstance(e, RunEnded)), None)
    return RunFacts(
        session=session or (started.agent if started else ""),
        run_id=started.run_id if started else "",
        number=number,
        parent=parent,
        mode=started.mode if started else "",
        model=started.model if started else "",
        status=ended.status if ended else "running",
        started_at=started.started_at if started else "",
        time=events[-1].time if events else 0,
        chunks=sum(type(event) is ModelChunk for event in events),
        events=len(events),
        findings=sum(type(event) is FindingMade for event in events),
    )


class RunHistory:
    """Runs on disk. May be used from several threads, and several programs at a time.

    Raises:
        SessionError: the file cannot be opened, read or written, is damaged, or newer than this
            program.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        most_runs: int = MOST_RUNS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.path = Path(path)
        self._most_runs, self._most_bytes = most_runs, most_bytes
        self._lock = threading.Lock()
        self.damaged = 0
        """How many runs `runs` left out."""
        with self._told():
            self._make_private()
            self._db = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    # reading

    def runs(self, session: str | None = None) -> list[StoredRun]:
        """All runs, or those of a session, in the order in which they were stored.

        Those whose description is damaged are left out; `damaged` is how many.
        """
        where, values = ("", []) if session is None else ("where session = ?", [_escaped(session)])
        with self._told(), self._lock:
            rows = self._db.execute(
                f"select key, facts, size, pinned from runs {where} order by key", values
            ).fetchall()
        stored = [run for row in rows if (run := _stored(*row)) is not None]
        self.damaged = len(rows) - len(stored)
        return stored

    def load(self, key: int) -> list[AnyEvent]:
        """The events of a run, as they were.

        Raises:
            SessionError: also if there is no such run any more.
        """
        return [event for batch in self.iter_load(key) for event in batch]

    def iter_load(self, key: int) -> Iterator[list[AnyEvent]]:
        """The events in batches, each some milliseconds of work; raises as `load`."""
        with self._told():
            yield from unpack(self._pages(key))

    def _pages(self, key: int) -> Iterator[bytes]:
        number = 0
        while True:
            # a query a page: a run may be dropped while it is loaded, and nothing is kept locked
            with self._lock:
                row = self._db.execute(
                    "select data from pages where run = ? and number = ?", (key, number)
                ).fetchone()
            if row is None:
                break
            yield row[0]
            number += 1
        if not number:
            raise ValueError("this run is no longer in the history")

    # writing

    def save(
        self,
        events: Sequence[AnyEvent],
        *,
        session: str = "",
        number: int = 0,
        parent: int | None = None,
    ) -> StoredRun | None:
        """Store a whole run, described as by `facts_of`. None: it alone is over the limit."""
        packer = Packer()
        packer.add(events)
        facts = facts_of(events, session=session, number=number, parent=parent)
        return self.save_pages(facts, packer.finish())

    def save_pages(self, facts: RunFacts, pages: Sequence[bytes]) -> StoredRun | None:
        """Store a run that `Packer` has packed: all of it or nothing. None: it is too large.

        A number that a run of its session has already, from another window, becomes the next one.
        """
        size = sum(map(len, pages))
        if size > self._most_bytes:
            return None
        with self._told(), self._lock, self._patient(), self._transaction():
            facts = replace(facts, number=self._free_number(facts))
            key = self._db.execute(
                "insert into runs (session, facts, size) values (?, ?, ?)",
                (_escaped(facts.session), _escaped(asdict(facts)), size),
            ).lastrowid
            assert key is not None
            self._db.executemany(
                "insert into pages (run, number, data) values (?, ?, ?)",
                [(key, number, page) for number, page in enumerate(pages)],
            )
            self._retain(key)
        self._give_back()
        return StoredRun(key, facts, size)

    def pin(self, key: int, pinned: bool = True) -> None:
        """Keep a run whatever its age, or no longer."""
        with self._told(), self._lock:
            self._db.execute("update runs set pinned = ? where key = ?", (int(pinned), key))

    def remove(self, key: int) -> None:
        """Forget a run; its text is overwritten."""
        with self._told(), self._lock:
            self._db.execute("delete from runs where key = ?", (key,))
        self._give_back()

    def clear(self) -> None:
        """Forget all runs, pinned ones too."""
        with self._told(), self._lock:
            self._db.execute("delete from runs")
        self._give_back()

    def close(self) -> None:
        """Let go of the file; a second call changes nothing."""
        with self._lock:
            self._db.close()

    # inside

    def _prepare(self) -> None:
        run = self._db.execute
        version = run("pragma user_version").fetchone()[0]
        if version > _VERSION:
            raise SessionError(
                f"the history has version {version}, this program knows {_VERSION};"
                " use a newer Tripscope",
                file=str(self.path),
            )
        run("pragma foreign_keys = on")
        # what is deleted here is unredacted text
        run("pragma secure_delete = on")
        if version == 0:
            run("pragma auto_vacuum = incremental")
            with self._transaction():
                # another program may have been first
                if run("pragma user_version").fetchone()[0] == 0:
                    for statement in _TABLES.split(";"):
                        run(statement)
                    run(f"pragma user_version = {_VERSION}")

    def _make_private(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        self.path.chmod(0o600)

    def _retain(self, newest: int) -> None:
        """Drop the oldest runs that are over a limit, never the newest or a pinned one."""
        rows = self._db.execute(
            "select key, size, pinned from runs order by pinned desc, key desc"
        ).fetchall()
        runs = total = 0
        for key, size, pinned in rows:
            runs += 1
            total += size
            over = runs > self._most_runs or total > self._most_bytes
            if over and not pinned and key != newest:
                self._db.execute("delete from runs where key = ?", (key,))
                runs -= 1
                total -= size

    def _free_number(self, facts: RunFacts) -> int:
        """The number of a run, or the next one of its session where that is taken."""
        if not facts.number:
            return 0
        rows = self._db.execute(
            "select facts from runs where session = ?", (_escaped(facts.session),)
        )
        taken = {run.facts.number for (text,) in rows if (run := _stored(0, text, 0, 0))}
        return max(taken) + 1 if facts.number in taken else facts.number

    def _give_back(self) -> None:
        """Give pages of the file that are free now back to the disk."""
        with self._told(), self._lock:
            self._db.execute("pragma incremental_vacuum").fetchall()

    @contextmanager
    def _patient(self) -> Iterator[None]:
        self._db.execute(f"pragma busy_timeout = {int(_BUSY_SAVING * 1000)}")
        try:
            yield
        finally:
            self._db.execute(f"pragma busy_timeout = {int(_BUSY_SECONDS * 1000)}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            # a full disk has SQLite roll back by itself
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise
        self._db.execute("commit")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong with the file, as an error that names it."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise SessionError(f"history of runs: {why}", file=str(self.path)) from error


def is_busy(error: SessionError) -> bool:
    """Whether another program held the file: it may be tried again."""
    code = getattr(error.__cause__, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF == sqlite3.SQLITE_BUSY


def _escaped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


def _stored(key: int, facts: str, size: int, pinned: int) -> StoredRun | None:
    """The run of a row; None if it is damaged. What a newer program added is passed over."""
    try:
        known = msgspec.convert(json.loads(facts), RunFacts)
    except (TypeError, ValueError, RecursionError):
        return None
    return StoredRun(key, known, size, bool(pinned))
