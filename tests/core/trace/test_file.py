import json
import logging
import os
import signal
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.core.trace.strategies import events as event_strategy
from tripscope import __version__
from tripscope.chunks import text_delta
from tripscope.errors import APIError, SessionError
from tripscope.file_kinds import is_trace
from tripscope.trace.events import AnyEvent, Delivered, RunStarted, ToolEnded, Warned
from tripscope.trace.file import TraceWriter, iter_load, load, read, read_header, save

BASE = (None, None, None, None)
STARTED = RunStarted(
    0, 0, *BASE, "run-7", "live", "stream", "agent", "m", (), (), {}, "cafe", (), {}, "2030-01-01"
)


def warned(seq: int, message: str = "m") -> Warned:
    return Warned(seq, seq, *BASE, message=message)


def write(path: Path, events: list[AnyEvent]) -> None:
    with TraceWriter(path) as writer:
        for event in events:
            writer(event)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.trace.jsonl"


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(event_strategy(), max_size=6))
def test_load_gives_what_was_saved(path: Path, events: list[AnyEvent]) -> None:
    events = [STARTED, *(replace(event, seq=n) for n, event in enumerate(events, 1))]
    save(path, events)
    trace = read(path)
    assert trace.events == events
    assert trace.problems == ()


def test_the_header(path: Path) -> None:
    write(path, [STARTED])
    assert json.loads(path.read_text().splitlines()[0]) == {
        "format": "tripscope-trace",
        "version": 1,
        "offsetUnit": "utf-16",
        "runId": "run-7",
        "chainHash": "cafe",
        "tripscope": __version__,
    }
    header = read_header(path)
    assert (header.run_id, header.chain_hash, header.tripscope) == ("run-7", "cafe", __version__)


def test_only_the_owner_may_read_it(path: Path) -> None:
    old = os.umask(0)
    try:
        path.write_text("was here and readable")
        path.chmod(0o644)
        write(path, [STARTED])
        save(path.with_name("saved"), [STARTED])
    finally:
        os.umask(old)
    for name in (path, path.with_name("saved")):
        assert stat.S_IMODE(name.stat().st_mode) == 0o600
    assert load(path) == [STARTED]


def test_an_event_is_readable_as_soon_as_it_was_written(path: Path) -> None:
    with TraceWriter(path) as writer:
        writer(STARTED)
        writer(warned(1))
        assert load(path) == [STARTED, warned(1)]


def test_a_killed_run_leaves_a_readable_file(path: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from tests.core.trace.test_file import STARTED, warned\n"
        "from tripscope.trace.file import TraceWriter\n"
        "write = TraceWriter(sys.argv[1])\n"
        "write(STARTED)\n"
        "for seq in range(1, 100): write(warned(seq))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False, env=env)
    assert done.returncode == -signal.SIGKILL
    assert load(path) == [STARTED, *map(warned, range(1, 100))]


@pytest.mark.parametrize("cut", [1, 2, 20, 30])
def test_a_torn_last_line_is_reported_and_not_fatal(
    path: Path, cut: int, caplog: pytest.LogCaptureFixture
) -> None:
    write(path, [STARTED, warned(1), warned(2)])
    path.write_bytes(path.read_bytes()[: -1 - cut])
    trace = read(path)
    assert trace.events == [STARTED, warned(1)]
    (problem,) = trace.problems
    assert "line 4, the last one, is cut off" in problem
    with caplog.at_level(logging.WARNING):
        assert load(path) == trace.events
        assert f"{path}: line 4" in caplog.text
        caplog.clear()
        list(iter_load(path))
    assert f"{path}: line 4" in caplog.text


def test_a_last_line_without_its_end_is_whole_if_it_is_json(path: Path) -> None:
    write(path, [STARTED, warned(1)])
    path.write_bytes(path.read_bytes()[:-1])
    assert read(path).events == [STARTED, warned(1)]
    assert read(path).problems == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 3: not JSON"),
        ("", "line 3: not JSON"),
        ("1,2", "line 3: not JSON"),
        ("[" * 100_000, "line 3: not JSON"),
        ("[]", "line 3: an event is a JSON object"),
        ('{"kind": "warning", "seq": 1}', "line 3: warning event lacks 'time'"),
        ('{"kind": "delivered", "seq": 1, "time": 1, "chunk": 9}', "line 3: refers to the chunk"),
    ],
    ids=["open", "empty", "two values", "too deep", "list", "field missing", "lost reference"],
)
def test_a_bad_line_is_named(path: Path, line: str, message: str) -> None:
    write(path, [STARTED, warned(1), warned(2)])
    lines = path.read_text().splitlines()
    lines[2] = line
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(SessionError, match=message) as raised:
        load(path)
    assert str(path) in str(raised.value)
    assert raised.value.place == "line 3"


def test_what_stands_before_a_bad_line_is_told_first(path: Path) -> None:
    write(path, [STARTED, warned(1), warned(2)])
    with path.open("a") as file:
        file.write('{"kind": "warning"}\n')
    loaded = iter_load(path)
    assert next(loaded) == [STARTED, warned(1), warned(2)]
    with pytest.raises(SessionError, match="line 5: warning event lacks 'seq'"):
        next(loaded)


def test_bytes_that_are_no_text_are_named(path: Path) -> None:
    write(path, [STARTED, warned(1)])
    path.write_bytes(path.read_bytes() + b"\xff\n")
    with pytest.raises(SessionError, match="line 4: not JSON"):
        load(path)


def test_references_survive_a_batch_that_is_read_twice(path: Path) -> None:
    """A torn line makes its batch be read again, line by line, from the same state."""
    chunk = text_delta("x")
    events: list[AnyEvent] = [
        STARTED,
        Delivered(1, 0, *BASE, chunk=chunk),
        Delivered(2, 0, *BASE, chunk=chunk),
    ]
    write(path, [*events, warned(3)])
    path.write_bytes(path.read_bytes()[:-5])
    assert load(path) == events


def test_missing_lines_are_reported(path: Path) -> None:
    write(path, [STARTED, warned(1), warned(2), warned(5)])
    assert read(path).problems == ("event 3 should come next, but 5 does: lines are missing",)


def test_a_file_without_its_beginning(path: Path) -> None:
    write(path, [warned(4), warned(5)])
    assert read(path).problems == ("event 0 should come next, but 4 does: lines are missing",)
    assert read(path).header.run_id is None


def test_an_old_file_stays_until_the_new_one_is_whole(path: Path) -> None:
    save(path, [STARTED])

    def broken() -> Iterator[AnyEvent]:
        yield STARTED
        raise KeyError("in the middle")

    with pytest.raises(KeyError):
        save(path, broken())
    assert load(path) == [STARTED]
    assert list(path.parent.iterdir()) == [path]
    folder = path.with_name("folder")
    folder.mkdir()
    with pytest.raises(SessionError, match="cannot be written"):
        save(folder, [STARTED])
    assert sorted(path.parent.iterdir()) == [folder, path]


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("", "the file is empty"),
        ("text\n", 'line 1: this is no trace; the first line lacks "format": "tripscope-trace"'),
        ('{"version": 1}\n', 'this is a JSON object with the key "version", not a trace; a trace '),
        (
            '{\n  "format": "tripscope-session"\n}',
            "this is a session, not a trace; the window opens",
        ),
        ("[1,\n2]", "this is a JSON list of 2 values, not a trace"),
        ('{"format": "tripscope-trace", "version": 2}\n', r"line 1: trace version 2 is not known"),
        (
            '{"format": "tripscope-trace", "version": 1, "offsetUnit": "bytes"}\n',
            "line 1: offsetUnit 'bytes'",
        ),
    ],
)
def test_another_file_is_refused(path: Path, first: str, message: str) -> None:
    path.write_text(first)
    with pytest.raises(SessionError, match=message):
        load(path)


def test_a_trace_in_utf_16_is_named(path: Path) -> None:
    path.write_text('{"format": "tripscope-trace"}\n{}\n', encoding="utf-16")
    with pytest.raises(SessionError, match="this is UTF-16; save it as UTF-8"):
        load(path)


def test_a_large_file_is_not_read_to_tell_that_it_is_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.write(b"{")
        file.truncate(64 << 20)
    tracemalloc.start()
    assert not is_trace(path)
    with pytest.raises(SessionError, match="this is no trace"):
        read_header(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 << 20


def test_a_byte_order_mark_is_passed_over_and_not_kept(path: Path) -> None:
    write(path, [STARTED])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_header(path).run_id == STARTED.run_id
    events = load(path)
    assert events == [STARTED]
    save(path, events)
    assert path.read_bytes().startswith(b"{")


def test_a_file_that_cannot_be_opened(path: Path, tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="cannot be read: No such file"):
        load(path)
    with pytest.raises(SessionError, match="cannot be written"):
        TraceWriter(tmp_path)


def test_what_was_there_goes_at_the_first_event(path: Path) -> None:
    save(path, [STARTED, warned(1)])
    path.chmod(0o644)
    old, mode = path.read_bytes(), path.stat().st_mode
    with TraceWriter(path) as writer:
        assert (path.read_bytes(), path.stat().st_mode) == (old, mode)
        writer(STARTED)
    assert load(path) == [STARTED]


def test_a_run_that_never_began_leaves_no_file(path: Path) -> None:
    writer = TraceWriter(path)
    writer.close()
    assert not path.exists()
    path.write_text("somebody else's")
    writer.close()
    assert path.read_text() == "somebody else's"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_run_that_never_began_leaves_a_link_as_it_was(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "none")
    TraceWriter(link).close()
    assert link.is_symlink()
    assert not link.exists()


def test_a_file_that_is_full() -> None:
    with TraceWriter("/dev/full") as writer, pytest.raises(SessionError, match="No space left"):
        writer(STARTED)


def test_a_device_keeps_its_permissions() -> None:
    before = os.stat("/dev/null").st_mode
    write(Path("/dev/null"), [STARTED])
    assert os.stat("/dev/null").st_mode == before


def test_batches_hold_the_same_events(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[AnyEvent] = [STARTED, *map(warned, range(1, 50))]
    write(path, events)
    monkeypatch.setattr("tripscope.trace.reader.BATCH_BYTES", 300)
    batches = list(iter_load(path))
    assert len(batches) > 5
    assert [event for batch in batches for event in batch] == events


def test_half_a_character_is_kept(path: Path) -> None:
    events: list[AnyEvent] = [STARTED, warned(1, "\ud83e"), warned(2, "\udd80 \u2028 \x00")]
    write(path, events)
    assert path.read_bytes().isascii()
    assert load(path) == events


def test_a_value_that_is_no_json_does_not_end_the_run(path: Path) -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    results = [{1: 2, ("a", "b"): 3}, cycle, deep, {"s": {2, 1}}, object(), APIError("busy")]
    write(
        path,
        [
            ToolEnded(n, 0, *BASE, tool_call_id="c", tool_name="t", duration=1, result=result)
            for n, result in enumerate(results)
        ],
    )
    loaded = [event.result for event in load(path) if isinstance(event, ToolEnded)]
    assert loaded[0] == {"1": 2, "('a', 'b')": 3}
    assert loaded[3] == {"s": [1, 2]}
    assert loaded[4].startswith("<object object at")
    assert loaded[5] == {"name": "APIError", "message": "busy", "isRetryable": False}
    assert len(loaded) == len(results)


@pytest.mark.parametrize("intervals", [[5], [None], 7, "x"])
def test_a_line_that_somebody_edited_is_named(path: Path, intervals: object) -> None:
    write(path, [STARTED])
    line = {"kind": "hook", "seq": 1, "time": 1, "duration": 1, "outcome": "pass"}
    with path.open("a") as file:
        file.write(json.dumps(line | {"intervals": intervals}) + "\n")
    with pytest.raises(SessionError, match="line 3: hook event"):
        load(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(SessionError, match="a pipe or a device, not a file"):
        load(path)
