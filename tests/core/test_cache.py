"""Both caches of model responses keep, forget and clear away alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tripscope.cache import InMemoryCache, SQLiteCache


class Now:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture(params=["memory", "sqlite"])
def cache(request: pytest.FixtureRequest, tmp_path: Path, now: Now) -> Any:
    if request.param == "memory":
        return InMemoryCache(now)
    return SQLiteCache(tmp_path / "cache.db", now)


async def test_keeps_for_its_time(cache: Any, now: Now) -> None:
    await cache.set("k", {"a": ["\ud83d"]}, 10)
    assert await cache.get("k") == {"a": ["\ud83d"]}
    now.seconds += 10
    assert await cache.get("k") is None
    assert await cache.get("unknown") is None


async def test_newer_value_takes_the_place(cache: Any) -> None:
    await cache.set("k", 1, 10)
    await cache.set("k", 2, 10)
    assert await cache.get("k") == 2
    await cache.delete("k")
    await cache.delete("k")
    assert await cache.get("k") is None


async def test_nobody_can_edit_what_is_kept(cache: Any) -> None:
    value = [1]
    await cache.set("k", value, 10)
    value.append(2)
    (await cache.get("k")).append(3)
    assert await cache.get("k") == [1]


async def test_sqlite_outlives_the_object(tmp_path: Path, now: Now) -> None:
    await SQLiteCache(tmp_path / "cache.db", now).set("k", "v", 10)
    assert await SQLiteCache(tmp_path / "cache.db", now).get("k") == "v"
