import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.support.example_runs import example_events
from tests.support.patience import PATIENCE
from tripscope.errors import SessionError
from tripscope.trace import store
from tripscope.trace.events import AnyEvent, Warned
from tripscope.trace.store import RunHistory, facts_of, is_busy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "runs.db"


@pytest.fixture
def history(path: Path) -> Iterator[RunHistory]:
    made = RunHistory(path)
    yield made
    made.close()


def events() -> list[AnyEvent]:
    return list(example_events("support-agent"))


def test_a_run_is_listed_without_being_loaded(history: RunHistory, path: Path) -> None:
    stored = history.save(events(), number=3, parent=2)
    assert stored is not None
    history.close()
    again = RunHistory(path)
    (listed,) = again.runs()
    assert listed == stored
    facts = listed.facts
    assert (facts.session, facts.number, facts.parent) == ("Support agent", 3, 2)
    assert (facts.mode, facts.status) == ("scripted", "changed")
    assert facts.events == len(events())
    assert facts.chunks > 10
    assert facts.findings > 3
    assert facts.time == events()[-1].time
    again.close()


def test_a_number_is_stored_once_in_a_session(history: RunHistory) -> None:
    stored = [history.save(events(), number=number) for number in (1, 4, 4, 2, 0, 0)]
    stored.append(history.save(events(), session="another", number=4))
    assert [run.facts.number for run in stored if run] == [1, 4, 5, 2, 0, 0, 4]
    assert history.runs() == stored


def test_a_loaded_run_has_the_same_events(history: RunHistory, path: Path) -> None:
    stored = history.save(events())
    assert stored is not None
    history.close()
    again = RunHistory(path)
    assert again.load(stored.key) == events()
    again.close()


def test_half_an_emoji_anywhere(history: RunHistory) -> None:
    name = "caf\u00e9 \ud83d"
    odd: list[AnyEvent] = [Warned(0, 0, None, None, None, None, message="\ude00 \x00")]
    stored = history.save(odd, session=name)
    assert stored is not None
    assert [run.facts.session for run in history.runs(name)] == [name]
    assert history.runs("caf\u00e9") == []
    assert history.load(stored.key) == odd


@pytest.mark.skipif(os.name != "posix", reason="permissions of files")
def test_only_the_owner_can_read_it(path: Path) -> None:
    path.parent.mkdir()
    path.touch(mode=0o644)
    path.chmod(0o644)
    history = RunHistory(path)
    history.save(events())
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    history.close()


def test_the_oldest_go_first_when_there_are_too_many(path: Path) -> None:
    history = RunHistory(path, most_runs=3)
    keys = [stored.key for n in range(4) if (stored := history.save(events(), number=n))]
    assert [run.key for run in history.runs()] == keys[1:]
    history.pin(keys[1])
    for _ in range(3):
        history.save(events())
    left = history.runs()
    assert len(left) == 3
    assert (left[0].key, left[0].pinned) == (keys[1], True)
    with pytest.raises(SessionError, match="no longer in the history"):
        history.load(keys[2])
    history.close()


def test_the_oldest_go_first_when_they_are_too_large(path: Path) -> None:
    probe = RunHistory(path)
    stored = probe.save(events())
    assert stored is not None
    probe.clear()
    assert probe.runs() == []
    probe.close()
    history = RunHistory(path, most_bytes=int(2.5 * stored.size))
    for number in range(5):
        assert history.save(events(), number=number) is not None
    assert [run.facts.number for run in history.runs()] == [3, 4]
    # what fits nowhere pushes nothing out
    long = [replace(event, seq=n) for n, event in enumerate(events() * 40)]
    assert history.save(long) is None
    assert [run.facts.number for run in history.runs()] == [3, 4]
    history.close()


def test_what_was_removed_is_gone_from_the_file(history: RunHistory, path: Path) -> None:
    secret = "name-of-a-session-that-nobody-may-find"
    stored = history.save(events(), session=secret)
    assert stored is not None
    grown = path.stat().st_size
    assert secret.encode() in path.read_bytes()
    history.remove(stored.key)
    assert secret.encode() not in path.read_bytes()
    assert path.stat().st_size < grown


def test_a_failed_save_leaves_nothing(history: RunHistory) -> None:
    with pytest.raises(SessionError, match="history of runs"):
        history.save_pages(facts_of(events()), [b"a", [1]])  # type: ignore[list-item]
    assert history.runs() == []
    assert history.save(events()) is not None


def test_two_programs_and_several_threads_write(history: RunHistory, path: Path) -> None:
    other = RunHistory(path)

    def write(to: RunHistory) -> None:
        for _ in range(5):
            to.save(events()[:10])

    threads = [threading.Thread(target=write, args=(to,)) for to in (history, other, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(history.runs()) == 15
    other.close()


def test_a_newer_history_is_refused(path: Path) -> None:
    RunHistory(path).close()
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 9")
    db.close()
    with pytest.raises(SessionError, match="use a newer Tripscope"):
        RunHistory(path)


def test_what_is_no_history_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(SessionError, match="history of runs"):
        RunHistory(path)
    assert path.read_bytes().startswith(b"no database")


def test_an_entry_of_a_newer_program_is_listed(history: RunHistory, path: Path) -> None:
    history.save(events())
    with sqlite3.connect(path) as db:
        db.execute("update runs set facts = json_set(facts, '$.colour', 'red')")
    db.close()
    (listed,) = history.runs()
    assert listed.facts.session == "Support agent"


@pytest.mark.parametrize(
    "facts", ["{bad", "[]", '{"session": "", "number": "x"}', "{}", "[" * 9999]
)
def test_a_damaged_description_hides_no_other_run(
    history: RunHistory, path: Path, facts: str
) -> None:
    keys = [stored.key for n in range(3) if (stored := history.save(events(), number=n))]
    with sqlite3.connect(path) as other:
        other.execute("update runs set facts = ? where key = ?", (facts, keys[1]))
    other.close()
    assert [run.key for run in history.runs()] == [keys[0], keys[2]]
    assert history.damaged == 1
    history.remove(keys[1])
    assert len(history.runs()) == 2
    assert history.damaged == 0


def test_a_reader_waits_for_another_program_only_briefly(history: RunHistory, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin exclusive")
    (milliseconds,) = history._db.execute("pragma busy_timeout").fetchone()
    assert milliseconds <= 250
    with pytest.raises(SessionError, match="locked") as caught:
        history.runs()
    assert is_busy(caught.value)
    with pytest.raises(SessionError, match="locked") as caught:
        RunHistory(path)
    assert is_busy(caught.value)
    other.execute("rollback")
    other.close()
    assert history.runs() == []


def test_a_save_waits_longer(
    history: RunHistory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_BUSY_SAVING", PATIENCE)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("begin exclusive")

    def let_go() -> None:
        other.execute("rollback")
        other.close()

    timer = threading.Timer(0.6, let_go)
    timer.start()
    assert history.save(events()) is not None
    timer.join()


def test_a_full_disk_is_named_and_nothing_is_half_stored(history: RunHistory) -> None:
    before = history.save(events())
    (pages,) = history._db.execute("pragma page_count").fetchone()
    history._db.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(SessionError, match="full"):
        history.save(events())
    assert history.runs() == [before]
    history._db.execute(f"pragma max_page_count = {pages * 100}")
    after = history.save(events())
    assert history.runs() == [before, after]
