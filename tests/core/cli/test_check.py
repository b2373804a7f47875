"""``tripscope check --rechunk``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tripscope.cli import main


def session(tmp_path: Path, **more: Any) -> str:
    wire = {
        "format": "tripscope-session",
        "version": 1,
        "name": "small",
        "model": {"use": "scripted", "script": [{"text": ["Mail ann@example.test now."]}]},
        "chain": [{"id": "pii", "type": "regex-filter", "options": {"presets": ["pii"]}}],
        "prompts": ["How?"],
    }
    path = tmp_path / "small.tripscope.json"
    path.write_text(json.dumps(wire | more))
    return str(path)


def test_a_filter_that_looks_at_each_chunk_alone_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = session(tmp_path)
    assert main(["check", path]) == 0
    capsys.readouterr()
    assert main(["check", path, "--rechunk"]) == 5
    out = capsys.readouterr().out
    assert "re-chunk, step 0, attempt 1: " in out
    assert "FAILED, cut at " in out
    assert out.endswith("1 failed\n")


def test_a_filter_that_holds_enough_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"presets": ["pii"], "strategy": "redact"}
    path = session(tmp_path, chain=[{"id": "pii", "type": "regex-filter", "options": options}])
    assert main(["check", path, "--rechunk"]) == 0
    assert "re-chunk, step 0, attempt 1: 0 of " in capsys.readouterr().out


def test_a_live_model_is_not_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = session(tmp_path, model={"use": "openai/some-model"})
    assert main(["check", path, "--rechunk"]) == 2
    assert "--rechunk needs the text of a scripted model" in capsys.readouterr().err


def test_a_pattern_that_is_refused_is_told_with_file_rule_and_offset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = [{"name": "odd", "pattern": "a(", "flags": "g"}]
    path = session(tmp_path, chain=[{"id": "own", "type": "regex-filter", "rules": rules}])
    for command in ("check", "run"):
        assert main([command, path]) == 2
        told = f"tripscope: {path}: chain[0].options: rules[0] 'odd': "
        said = capsys.readouterr().err
        assert said.startswith(told)
        assert "(at UTF-16 offset 1 of the pattern)" in said


def test_a_preset_that_does_not_exist_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"presets": ["pii", "secretz"]}
    path = session(tmp_path, chain=[{"id": "pii", "type": "regex-filter", "options": options}])
    assert main(["check", path]) == 5
    out = capsys.readouterr().out
    assert "  preset 'secretz': FAILED, no rules have this name; there are pii, secrets," in out
    assert "preset 'pii'" not in out


def test_a_broken_rule_that_is_switched_off_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = {"name": "odd", "pattern": "(", "enabled": False}
    options = {"presets": ["pii"], "streamCarryoverSize": None}
    chain = [{"id": "pii", "type": "regex-filter", "options": options, "rules": [rule]}]
    assert main(["check", session(tmp_path, chain=chain)]) == 5
    assert "odd: FAILED, Unterminated group" in capsys.readouterr().out


def test_a_window_of_null_is_the_usual_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = {"name": "long", "pattern": "x{200}"}
    options = {"streamCarryoverSize": None}
    chain = [{"id": "pii", "type": "regex-filter", "options": options, "rules": [rule]}]
    assert main(["check", session(tmp_path, chain=chain)]) == 0
    assert "longer than the window of 128" in capsys.readouterr().out


def test_what_can_go_wrong_with_a_rule_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = [
        {"name": "long", "pattern": "x{200}y"},
        {"name": "empty", "pattern": "z*"},
        {"name": "slow", "pattern": "(a+)+$"},
    ]
    path = session(tmp_path, chain=[{"id": "f", "type": "regex-filter", "rules": rules}])
    assert main(["check", path]) == 0
    out = capsys.readouterr().out
    assert "  long: no tests; a match has 201 UTF-16 units\n" in out
    assert "can be longer than the window of 128" in out
    assert "can match nothing" in out
    assert "can take exponential time in JavaScript" in out


@pytest.mark.parametrize(
    ("pattern", "tests", "words"),
    [
        ("a", [], "no tests; a match has 1 UTF-16 unit"),
        ("ab?", [{"text": "a"}], "1 of 1 test passed; a match has 1 to 2 UTF-16 units"),
        (
            "x+",
            [{"text": "x"}, {"text": "y"}],
            "1 of 2 tests passed; a match has 1 UTF-16 unit or more",
        ),
        ("x{1200}", [], "no tests; a match has 1,200 UTF-16 units"),
    ],
)
def test_numbers_are_worded_as_they_are(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    pattern: str,
    tests: list[dict[str, str]],
    words: str,
) -> None:
    rule = {"name": "own", "pattern": pattern, "tests": tests}
    main(["check", session(tmp_path, chain=[{"id": "f", "type": "regex-filter", "rules": [rule]}])])
    assert f"  own: {words}\n" in capsys.readouterr().out
