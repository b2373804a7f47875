import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tripscope.cli import main
from tripscope.errors import SessionError
from tripscope.session import load_session, save_session
from tripscope.trace.file import save
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
