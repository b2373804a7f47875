import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tripscope.cli import main
from tripscope.errors import SessionError
from tripscope.session import load_session, save_session
from tripscope.trace.file import TraceWriter, save
from tripscope.trace.report_html import save_report
from tripscope.whole_file import write_whole
from tripscope_resources import files


@pytest.mark.skipif(os.name != "posix", reason="links and their names")
def test_a_link_stays_one(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    real = folder / "real.json"
    real.write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to(real)
    write_whole(link, "new", what="the file")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert [path.name for path in folder.iterdir()] == ["real.json"]


@pytest.mark.skipif(os.name != "posix", reason="names of 255 bytes")
def test_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".json")
    write_whole(path, "new", what="the file")
    assert path.read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_that_waits_beside_the_file_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("old")
    path = tmp_path / "a.trace.jsonl"
    path.with_name("a.trace.jsonl.part").symlink_to(precious)
    path.symlink_to(tmp_path / "real")
    save(path, [])
    assert precious.read_text() == "old"
    assert (path.is_symlink(), (tmp_path / "real").is_file()) == (True, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for write in WRITERS.values():
        with pytest.raises(SessionError, match="a pipe or a device, not a file"):
            write(path)
    assert path.is_fifo()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no such folder here")
def test_a_folder_that_takes_no_files_is_told_as_such() -> None:
    with pytest.raises(SessionError, match="the trace cannot be written: this folder takes no"):
        TraceWriter("/proc/x.trace.jsonl")
    with pytest.raises(SessionError, match="the file cannot be written: this folder takes no"):
        write_whole(Path("/proc/x"), "new", what="the file")
    with pytest.raises(SessionError, match="cannot be written: No such file or directory"):
        TraceWriter("/proc/none/x.trace.jsonl")


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_into_a_folder_that_is_not_there_is_told_as_such(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "none" / "x.trace.jsonl")
    with pytest.raises(SessionError, match="cannot be written: No such file or directory"):
        TraceWriter(link)


EXAMPLE = files("examples", "tool-loop.tripscope.json")
WRITERS: dict[str, Callable[[Path], object]] = {
    "the session": lambda path: save_session(load_session(EXAMPLE), path),
    "the trace": lambda path: save(path, []),
    "the report": lambda path: save_report(path, []),
    "the file": lambda path: write_whole(path, "new", what="the file"),
}


@pytest.mark.parametrize("what", WRITERS)
def test_a_file_that_is_read_only_stays_as_it_is(tmp_path: Path, what: str) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    path.chmod(0o444)
    told = f"{what} was not written, for this file is read-only; choose another name, or make"
    with pytest.raises(SessionError, match=told):
        WRITERS[what](path)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
    path.chmod(0o644)
    WRITERS[what](path)
    assert path.read_text() != "old"


def test_a_trace_of_the_command_line_spares_it_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kept.trace.jsonl"
    path.write_text("old")
    path.chmod(0o444)
    assert main(["run", str(EXAMPLE), "--trace", str(path)]) == 2
    assert (
        f"{path}: the trace was not written, for this file is read-only" in capsys.readouterr().err
    )
    assert path.read_text() == "old"
