"""Where the output goes wrong: closed, full, broken, or unable to show a text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tripscope.cli import main

EXAMPLES = Path(__file__).parents[3] / "resources/tripscope_resources/examples"
EXAMPLE = str(EXAMPLES / "support-agent.tripscope.json")
CALL = [sys.executable, "-c", "import sys; from tripscope.cli import main; sys.exit(main())"]
FULL = Path("/dev/full")


def run(
    *words: str, stdout: Any = None, before: Any = None, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """The program as a process of its own, with its output buffered as usual."""
    loud = ("PYTHONUNBUFFERED", "PYTHONASYNCIODEBUG")  # the latter tells of each slow turn
    kept = {name: value for name, value in os.environ.items() if name not in loud}
    return subprocess.run(
        [*CALL, *words],
        check=False,
        stdout=stdout,
        stderr=subprocess.PIPE,
        preexec_fn=before,
        env=kept | env,
    )


@pytest.fixture
def quick(tmp_path: Path) -> str:
    """A session without pauses and patterns: nothing in its run depends on the clock."""
    wire = {
        "format": "tripscope-session",
        "version": 1,
        "name": "quick",
        "prompts": ["hi"],
        "model": {"script": [{"text": ["Card \N{CREDIT CARD} and more"]}]},
    }
    session = tmp_path / "quick.tripscope.json"
    session.write_text(json.dumps(wire))
    return str(session)


@pytest.mark.skipif(os.name != "posix", reason="a pipe without a reader is an error there only")
@pytest.mark.parametrize("words", [["run", "SESSION"], ["run", "SESSION", "--json"], ["--help"]])
def test_a_reader_that_has_gone_is_no_traceback(words: list[str], quick: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = run(*[quick if word == "SESSION" else word for word in words], stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(quick: str) -> None:
    with FULL.open("wb") as out:
        done = run("run", quick, stdout=out)
    assert done.returncode == 2
    assert done.stderr == b"tripscope: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_trace_that_cannot_be_written_is_told(
    capsys: pytest.CaptureFixture[str], quick: str
) -> None:
    assert main(["run", quick, "--trace", str(FULL)]) == 2
    assert "the trace cannot be written: No space left" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="closes the output as a shell does")
def test_without_an_output_the_exit_code_counts(quick: str) -> None:
    done = run("run", quick, before=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_encoding_that_lacks_characters(quick: str) -> None:
    done = run("run", quick, stdout=subprocess.PIPE, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Card \\U0001f4b3" in done.stdout


def test_errors_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "no\x1b[31m\udcff.json"]) == 2
    assert "no\\x1b[31m\\udcff.json" in capsys.readouterr().err


def test_json_is_json_whatever_a_tool_gives(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    call = {"type": "tool-call", "toolCallId": "c", "toolName": "t", "input": "{}"}
    usage = {"inputTokens": float("nan")}
    finish = {"type": "finish", "finishReason": "tool-calls", "usage": usage}
    wire = {
        "format": "tripscope-session",
        "version": 1,
        "name": "a",
        "prompts": ["hi"],
        "maxSteps": 1,
        "model": {"script": [{"chunks": [call, finish]}]},
        "tools": [{"name": "t", "results": [float("inf")]}],
    }
    session = tmp_path / "a.tripscope.json"
    session.write_text(json.dumps(wire))
    assert main(["run", str(session), "--json"]) == 0
    json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.mark.parametrize("what", ["session", "recording"])
def test_a_trace_does_not_overwrite_what_the_run_is_made_from(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, what: str
) -> None:
    session, trace = tmp_path / "a.tripscope.json", tmp_path / "a.trace.jsonl"
    session.write_bytes(Path(EXAMPLE).read_bytes())
    main(["run", str(session), "--trace", str(trace)])
    target = session if what == "session" else trace
    before = target.read_bytes()
    words = ["run", str(session), "--replay", str(trace), "--trace", str(target)]
    assert main(words) == 2
    assert "would overwrite this file" in capsys.readouterr().err
    assert target.read_bytes() == before


def test_a_misspelt_command_is_not_taken_for_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bogus"]) == 2
    said = capsys.readouterr().err
    assert "no command 'bogus'" in said
    assert "run, check, shot, open" in said


def test_a_missing_file_is_told_before_a_window_is_looked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = str(tmp_path / "gone.tripscope.json")
    assert main([missing]) == 2
    assert capsys.readouterr().err.strip() == f"tripscope: {missing}: no such file"


def test_the_way_to_the_window_loads_nothing_of_the_engine(tmp_path: Path) -> None:
    script = (
        "import sys; from tripscope.cli.command_line import parser; parser('open')\n"
        "print(*sorted(m for m in sys.modules if m.startswith('tripscope')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == {
        "tripscope",
        "tripscope.errors",
        *(f"tripscope.cli{m}" for m in ("", ".command_line", ".exit_codes", ".gui", ".terminal")),
        "tripscope.cli.window",
    }
