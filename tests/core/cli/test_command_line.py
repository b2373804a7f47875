"""Words of the command line that cannot be used, and who tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tripscope.cli import main


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


@pytest.mark.parametrize("size", ["10", "1600x", "x1000", "1600 x 1000", "-5x100"])
def test_a_size_that_is_none(capsys: pytest.CaptureFixture[str], tmp_path: Path, size: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["shot", "a.tripscope.json", str(tmp_path / "a.png"), f"--size={size}"])
    assert "a size is WIDTHxHEIGHT, such as 1600x1000" in capsys.readouterr().err
