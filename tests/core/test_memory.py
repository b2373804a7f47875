"""Message history: recall, what is saved and when, and what survives a kill."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import agent, processor, text
from tripscope.memory import InMemoryStore, Memory, SQLiteStore, ThreadOwnedByOther
from tripscope.messages import Message, text_message
from tripscope.models.scripted import ScriptedModel


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return InMemoryStore() if request.param == "memory" else SQLiteStore(tmp_path / "history.db")


def said(messages: list[Message]) -> list[str]:
    return [f"{message.role}: {message.text}" for message in messages]


async def ask(memory: Memory, prompt: str, answer: str, **options: Any) -> ScriptedModel:
    model = ScriptedModel([text(answer)])
    subject = agent(memory=memory, **options)
    subject.model = model
    await subject.generate(prompt, thread="t", resource="r")
    return model


async def test_next_request_recalls_what_was_said(store: Any) -> None:
    memory = Memory(store)
    await ask(memory, "one?", "one.")
    model = await ask(memory, "two?", "two.")
    prompt = [(m["role"], m["content"][0]["text"]) for m in model.requests[0].prompt]
    assert prompt == [("user", "one?"), ("assistant", "one."), ("user", "two?")]
    stored = await memory.messages("t", "r")
    assert said(stored) == ["user: one?", "assistant: one.", "user: two?", "assistant: two."]
    assert len({message.id for message in stored}) == 4
    assert {message.thread_id for message in stored} == {"t"}


async def test_recalls_the_last_twenty(store: Any) -> None:
    memory = Memory(store)
    await memory.save("t", "r", [text_message("user", str(n), id=f"s{n}") for n in range(30)])
    recalled = await memory.recall("t", "r")
    assert [message.text for message in recalled] == [str(n) for n in range(10, 30)]
    assert await Memory(store, last_messages=0).recall("t", "r") == []
    assert len(await Memory(store, last_messages=None).recall("t", "r")) == 30


async def test_threads_are_apart_and_belong_to_one_resource(store: Any) -> None:
    memory = Memory(store)
    await memory.save("t", "r", [text_message("user", "mine", id="a")])
    assert await memory.messages("other", "r") == []
    with pytest.raises(ThreadOwnedByOther):
        await memory.recall("t", "someone else")
    with pytest.raises(ThreadOwnedByOther):
        await memory.save("t", "someone else", [text_message("user", "x", id="b")])
    assert said(await memory.messages("t", "r")) == ["user: mine"]


async def test_stored_messages_are_copies(store: Any) -> None:
    memory = Memory(store)
    message = text_message("user", "before", id="a")
    await memory.save("t", "r", [message])
    message.parts[0].text = "after"
    loaded = await memory.messages("t", "r")
    loaded[0].parts[0].text = "after"
    assert said(await memory.messages("t", "r")) == ["user: before"]


async def test_half_an_emoji_is_kept(store: Any) -> None:
    memory = Memory(store)
    await memory.save("t", "r", [text_message("user", "half \ud83d", id="a")])
    assert (await memory.messages("t", "r"))[0].text == "half \ud83d"


async def test_without_a_thread_nothing_is_kept(store: Any) -> None:
    memory = Memory(store)
    await agent(text("x"), memory=memory).generate("hi")
    assert await memory.messages("t", "r") == []


async def test_data_parts_are_stored_unless_transient(store: Any) -> None:
    async def write(args: Any) -> Any:
        if args.part.type == "text-start":
            await args.writer.custom({"type": "data-kept", "data": 1})
            await args.writer.custom({"type": "data-gone", "data": 2, "transient": True})
        return args.part

    memory = Memory(store)
    await ask(memory, "hi", "x", output_processors=[processor("p", process_output_stream=write)])
    answer = (await memory.messages("t", "r"))[1]
    assert [part.type for part in answer.parts] == ["data-kept", "text"]


async def test_nothing_is_stored_before_all_processors_are_done(store: Any) -> None:
    seen: list[list[str]] = []
    memory = Memory(store)

    async def look(args: Any) -> None:
        seen.append(said(await memory.messages("t", "r")))

    await ask(memory, "hi", "x", output_processors=[processor("p", process_output_result=look)])
    assert seen == [[]]


async def test_failing_store_ends_the_run_with_its_error() -> None:
    class Full(InMemoryStore):
        async def save(self, thread: str, resource: str, messages: Any) -> None:
            raise OSError("disk full")

    subject = agent(text("x"), memory=Memory(Full()))
    stream = await subject.stream("hi", thread="t", resource="r")
    types = [chunk.type async for chunk in stream.full_stream]
    assert types[-1] == "error"
    result = await stream.result()
    assert (result.status, str(result.error)) == ("error", "disk full")


KILLED = """
import asyncio, os, sqlite3, sys
from tripscope.memory import SQLiteStore
from tripscope.messages import text_message

class Killed(SQLiteStore):
    pass

real = sqlite3.Connection
class Connection(real):
    def executemany(self, sql, rows):
        rows = list(rows)
        super().executemany(sql, rows[:1])
        os._exit(9)  # in the middle of the second save

async def main():
    store = SQLiteStore(sys.argv[1])
    await store.save("t", "r", [text_message("user", "first", id="a")])
    connect = sqlite3.connect
    sqlite3.connect = lambda path: connect(path, factory=Connection)
    await store.save("t", "r", [text_message("user", str(n), id=str(n)) for n in range(3)])

asyncio.run(main())
"""


async def test_kill_in_the_middle_of_a_save_loses_no_earlier_message(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    done = subprocess.run(  # noqa: ASYNC221 - nothing else runs
        [sys.executable, "-c", KILLED, str(path)], check=False
    )
    assert done.returncode == 9
    memory = Memory(SQLiteStore(path))
    assert said(await memory.messages("t", "r")) == ["user: first"]
    await memory.save("t", "r", [text_message("user", "second", id="b")])
    assert said(await memory.messages("t", "r")) == ["user: first", "user: second"]


@pytest.mark.skipif(os.name == "nt", reason="no such permissions there")
async def test_file_is_the_owners_only(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    await SQLiteStore(path).save("t", "r", [text_message("user", "x", id="a")])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM messages").fetchone() == (1,)
    db.close()
