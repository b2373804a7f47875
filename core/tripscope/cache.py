"""Where cached model responses are kept: in memory, or in a SQLite file."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Protocol

from tripscope.wire import JSON


class Cache(Protocol):
    """Values by key, each for a time. ``seconds`` are of the wall clock, so files outlive a run."""

    async def get(self, key: str) -> JSON:
        """The value; None if there is none, or none any more."""
        ...

    async def set(self, key: str, value: JSON, seconds: float) -> None:
        """Keep a value for that long."""
        ...

    async def delete(self, key: str) -> None:
        """Forget a value; one that is not there is no error."""
        ...


class InMemoryCache:
    """Lives as long as the process; ``now`` gives seconds."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        # As text, so that nobody can edit what is kept.
        self._kept: dict[str, tuple[float, str]] = {}

    async def get(self, key: str) -> JSON:
        """See `Cache.get`."""
        until, text = self._kept.get(key, (0.0, "null"))
        if until <= self._now():
            self._kept.pop(key, None)
            return None
        return json.loads(text)

    async def set(self, key: str, value: JSON, seconds: float) -> None:
        """See `Cache.set`."""
        self._kept[key] = (self._now() + seconds, json.dumps(value))

    async def delete(self, key: str) -> None:
        """See `Cache.delete`."""
        self._kept.pop(key, None)


_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS responses (key TEXT PRIMARY KEY, until REAL NOT NULL, "
    "body TEXT NOT NULL)"
)


class SQLiteCache:
    """A SQLite file; opened for each call and closed after it. Only its owner may read the file."""

    def __init__(self, path: str | Path, now: Callable[[], float] = time.time) -> None:
        self._path = Path(path)
        self._now = now

    async def get(self, key: str) -> JSON:
        """See `Cache.get`."""
        with self._transaction() as db:
            row = db.execute(
                "SELECT body FROM responses WHERE key = ? AND until > ?", (key, self._now())
            ).fetchone()
        return json.loads(row[0]) if row else None

    async def set(self, key: str, value: JSON, seconds: float) -> None:
        """See `Cache.set`; what has run out is cleared away."""
        now = self._now()
        # Escaped JSON: SQLite refuses text with lone surrogates.
        row = (key, now + seconds, json.dumps(value, ensure_ascii=True))
        with self._transaction() as db:
            db.execute("DELETE FROM responses WHERE until <= ?", (now,))
            db.execute("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)", row)

    async def delete(self, key: str) -> None:
        """See `Cache.delete`."""
        with self._transaction() as db:
            db.execute("DELETE FROM responses WHERE key = ?", (key,))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._path.touch(mode=0o600)
        with closing(sqlite3.connect(self._path)) as db, db:
            db.execute(_SCHEMA)
            yield db
