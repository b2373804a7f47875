"""Message history: which messages a thread holds, recalled before a request and saved after it.

A store keeps threads; `Memory` says how many messages a request recalls. Only what is left in the
message list when all processors are done is saved, and in one transaction.
"""

from __future__ import annotations

import copy
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from tripscope.messages import Message
from tripscope.wire import JSON

DEFAULT_LAST_MESSAGES: Final = 20
_RUN_LOCAL_ID: Final = re.compile(r"m\d+")


class ThreadOwnedByOther(ValueError):
    """The thread belongs to another resource than the one that asks."""

    def __init__(self, thread: str, owner: str) -> None:
        super().__init__(f"thread {thread!r} belongs to resource {owner!r}")


class MessageStore(Protocol):
    """Keeps messages by thread, oldest first. A thread belongs to one resource."""

    async def load(self, thread: str, resource: str, last: int | None) -> list[Message]:
        """The ``last`` messages of a thread (None: all); an unknown thread is empty.

        Raises:
            ThreadOwnedByOther: see there.
        """
        ...

    async def save(self, thread: str, resource: str, messages: Sequence[Message]) -> None:
        """Append messages, all or none; one whose id is stored already takes its place.

        Raises:
            ThreadOwnedByOther: see there.
        """
        ...


class _Thread(Struct):
    resource: str
    messages: dict[str, JSON]


class InMemoryStore:
    """Lives as long as the process."""

    def __init__(self) -> None:
        self._threads: dict[str, _Thread] = {}

    async def load(self, thread: str, resource: str, last: int | None) -> list[Message]:
        """See `MessageStore.load`."""
        kept = self._threads.get(thread)
        if kept is None:
            return []
        _check_owner(thread, kept.resource, resource)
        wires = list(kept.messages.values())
        return [Message.from_wire(copy.deepcopy(wire)) for wire in wires[_from(last) :]]

    async def save(self, thread: str, resource: str, messages: Sequence[Message]) -> None:
        """See `MessageStore.save`."""
        kept = self._threads.get(thread) or _Thread(resource, {})
        _check_owner(thread, kept.resource, resource)
        wires = {str(message.id): copy.deepcopy(message.to_wire()) for message in messages}
        self._threads[thread] = _Thread(resource, kept.messages | wires)


_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, resource TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS messages (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    thread TEXT NOT NULL REFERENCES threads (id),
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (thread, id)
);
"""


class SQLiteStore:
    """A SQLite file; each save is one transaction, so a kill loses no earlier message.

    A connection is opened for each call and closed after it: a store may be used by several
    processes, and has nothing to close.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)

    async def load(self, thread: str, resource: str, last: int | None) -> list[Message]:
        """See `MessageStore.load`."""
        with self._transaction() as db:
            if not _own(db, thread, resource):
                return []
            rows = db.execute(
                "SELECT body FROM messages WHERE thread = ? ORDER BY position DESC LIMIT ?",
                (thread, -1 if last is None else last),
            ).fetchall()
        return [Message.from_wire(json.loads(body)) for (body,) in reversed(rows)]

    async def save(self, thread: str, resource: str, messages: Sequence[Message]) -> None:
        """See `MessageStore.save`."""
        # Escaped JSON: SQLite refuses text with lone surrogates.
        rows = [(thread, str(m.id), json.dumps(m.to_wire(), ensure_ascii=True)) for m in messages]
        with self._transaction() as db:
            if not _own(db, thread, resource):
                db.execute("INSERT INTO threads VALUES (?, ?)", (thread, resource))
            db.executemany(
                "INSERT INTO messages (thread, id, body) VALUES (?, ?, ?) "
                "ON CONFLICT (thread, id) DO UPDATE SET body = excluded.body",
                rows,
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        fresh = not self._path.exists()
        with closing(sqlite3.connect(self._path)) as db:
            if fresh:
                self._path.chmod(0o600)
                db.execute("PRAGMA journal_mode = WAL")
            db.executescript(_SCHEMA)
            db.execute("BEGIN IMMEDIATE")
            with db:  # commits, or rolls back on an exception
                yield db


def _own(db: sqlite3.Connection, thread: str, resource: str) -> bool:
    """Whether the thread is there; it then is this resource's."""
    row = db.execute("SELECT resource FROM threads WHERE id = ?", (thread,)).fetchone()
    if row is not None:
        _check_owner(thread, row[0], resource)
    return row is not None


def _check_owner(thread: str, owner: str, resource: str) -> None:
    if owner != resource:
        raise ThreadOwnedByOther(thread, owner)


def _from(last: int | None) -> int:
    return 0 if last is None else -last if last else 2**62


class Memory:
    """The message history that an agent has; ``last_messages``: how many a request recalls."""

    def __init__(
        self,
        store: MessageStore | None = None,
        *,
        last_messages: int | None = DEFAULT_LAST_MESSAGES,
    ) -> None:
        self.store: MessageStore = store if store is not None else InMemoryStore()
        self.last_messages = last_messages

    async def recall(self, thread: str, resource: str) -> list[Message]:
        """The messages that a request in this thread begins with."""
        return await self.store.load(thread, resource, self.last_messages)

    async def messages(self, thread: str, resource: str) -> list[Message]:
        """All messages of a thread."""
        return await self.store.load(thread, resource, None)

    async def save(self, thread: str, resource: str, messages: Sequence[Message]) -> None:
        """Append to a thread."""
        await self.store.save(thread, resource, messages)


class ThreadMemory:
    """A memory as one run uses it: one thread, and ids that stay unique outside the run."""

    def __init__(self, memory: Memory, thread: str, resource: str, run_id: str) -> None:
        self._memory = memory
        self._thread = thread
        self._resource = resource
        self._run_id = run_id

    async def recall(self) -> list[Message]:
        """See `Memory.recall`."""
        return await self._memory.recall(self._thread, self._resource)

    async def save(self, messages: Sequence[Message]) -> None:
        """See `Memory.save`; ids that count within the run get the run's id in front."""
        outside = []
        for message in messages:
            if message.id is not None and _RUN_LOCAL_ID.fullmatch(message.id):
                message = message.copy()
                message.id = f"{self._run_id}-{message.id}"
            outside.append(message)
        await self._memory.save(self._thread, self._resource, outside)
