"""Words of the command line that cannot be used, and who tells it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tripscope.cli import gui, main


@pytest.mark.parametrize(
    ("words", "command", "option"),
    [
        (["run", "a.tripscope.json", "--bogus"], "run", "--replay TRACE"),
        (["check", "a.tripscope.json", "--bogus"], "check", "--rechunk"),
        (["shot", "a.tripscope.json", "a.png", "--bogus"], "shot", "--size WxH"),
        (["a.tripscope.json", "--bogus"], "open", "--run"),
        (["--bogus"], "open", "--run"),
    ],
)
def test_an_unknown_option_is_told_with_the_usage_of_its_command(
    capsys: pytest.CaptureFixture[str], words: list[str], command: str, option: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    said = capsys.readouterr().err
    assert f"usage: tripscope {command} " in said
    assert option in said
    assert said.endswith(f"tripscope {command}: error: unrecognized arguments: --bogus\n")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["FILE"], (1, False)),
        (["open"], (0, False)),
        (["open", "FILE", "FILE"], (2, False)),
        (["open", "--run", "FILE"], (1, True)),
        (["FILE", "--run"], (1, True)),
        (["--run", "FILE"], (1, True)),
        (["open", "--ru", "FILE"], (1, True)),
        (["open", "--", "FILE"], (1, False)),
    ],
)
def test_the_window_is_opened_with_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], shown: tuple[int, bool]
) -> None:
    path = tmp_path / "a.tripscope.json"
    path.touch()
    told: list[tuple[str, list[str], bool]] = []

    def call(name: str, files: list[str], *, run_now: bool) -> int:
        told.append((name, files, run_now))
        return 7

    monkeypatch.setattr(gui, "call_window", call)
    assert main([str(path) if word == "FILE" else word for word in words]) == 7
    count, run_now = shown
    assert told == [("app", [str(path)] * count, run_now)]


def test_the_window_waits_for_no_parser() -> None:
    asked = (
        "import sys; from tripscope.cli import command_line, gui;"
        "gui.call_window = lambda *_, **__: 0;"
        "command_line.main(['open', '--run', sys.executable]);"
        "print('argparse' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("size", ["10", "1600x", "x1000", "1600 x 1000", "-5x100"])
def test_a_size_that_is_none(capsys: pytest.CaptureFixture[str], tmp_path: Path, size: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["shot", "a.tripscope.json", str(tmp_path / "a.png"), f"--size={size}"])
    assert "a size is WIDTHxHEIGHT, such as 1600x1000" in capsys.readouterr().err
