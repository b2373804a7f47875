"""``tripscope run``: what it prints, the exit code, and that it says the same twice."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.llm_server import free_port
from tripscope.cli import main
from tripscope.session import load_session, start_run
from tripscope.trace.events import AnyEvent, HookCalled

EXAMPLES = Path(__file__).parents[3] / "resources/tripscope_resources/examples"


def example(name: str) -> str:
    return str(EXAMPLES / f"{name}.tripscope.json")


LIVE = ["run", example("tool-loop"), "--model", "openai/some-model"]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(words)
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, captured.out


def without_times(text: str) -> str:
    # with the room before them: columns are as wide as their longest time
    return re.sub(r" *\d+\.\d ms|run [0-9a-f]+", "_", text)


def test_times_of_another_length_are_no_difference() -> None:
    assert without_times("email   1   9.9 ms") == without_times("email   1  10.0 ms")


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("support-agent", 0, ["[EMAIL]", "FAIL  nothing left before decided", "status: changed"]),
        ("secret-in-prompt", 3, ["blocked by secrets", "  12-32  blocked"]),
        ("tool-loop", 0, ["rejected ", "asked again", "[EMAIL] 📦"]),
    ],
)
def test_each_example_prints_the_same_twice(
    capsys: pytest.CaptureFixture[str], name: str, code: int, words: list[str]
) -> None:
    first_code, first = printed(capsys, "run", example(name))
    again_code, again = printed(capsys, "run", example(name))
    assert first_code == again_code == code
    assert without_times(first) == without_times(again)
    assert "ann.lee@example.test" not in first
    for word in words:
        assert word in first


def test_json_is_one_object_with_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = printed(capsys, "run", example("support-agent"), "--json")
    told: dict[str, Any] = json.loads(out)
    assert code == 0
    assert {"status", "text", "tripwire", "findings", "advisories", "checks", "steps"} <= set(told)
    assert {"rule", "processor", "hits", "searches", "ns", "timeOuts"} == set(told["rules"][0])
    assert told["status"] == "changed"
    assert len(told["steps"]) == 2
    email = next(f for f in told["findings"] if f["rule"] == "email")
    assert (email["start"], email["end"]) == (21, 41)


def test_strict_turns_a_failed_check_into_exit_code_5(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "run", example("support-agent"), "--strict")[0] == 5
    assert printed(capsys, "run", example("tool-loop"), "--strict")[0] == 0


def test_another_prompt_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = printed(capsys, "run", example("secret-in-prompt"), "--prompt", "Deploy it")
    assert code == 0
    assert "Deployed. The log is on its way." in out


def test_a_trace_replays_to_the_same_text_without_its_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = str(tmp_path / "run.trace.jsonl")
    _, first = printed(capsys, "run", example("support-agent"), "--trace", trace)
    _, again = printed(capsys, "run", example("support-agent"), "--replay", trace)
    assert "replay run" in again
    assert without_times(first).split("\n", 1)[1] == without_times(again).split("\n", 1)[1]


def test_a_replay_that_needs_more_than_was_recorded_needs_a_live_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = str(tmp_path / "run.trace.jsonl")
    printed(capsys, "run", example("secret-in-prompt"), "--trace", trace)
    code, out = printed(
        capsys, "run", example("secret-in-prompt"), "--replay", trace, "--prompt", "Deploy it"
    )
    assert code == 4
    assert "status: needs-live" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "none.tripscope.json"], "none.tripscope.json: No such file or directory"),
        (["run", example("tool-loop"), "--model", "gpt"], "a model is named provider/model"),
        (["run", example("tool-loop"), "--model", "nobody/x"], "unknown provider 'nobody'"),
        (["run", example("tool-loop"), "--replay", "none.jsonl"], "none.jsonl: the trace"),
        ([*LIVE, "--base-url", "localhost:80/v1"], "localhost:80/v1 is no address of a server"),
        (LIVE, "no API key for https://api.openai.com/v1: set OPENAI_API_KEY"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("words", [LIVE, ["run", "no-prompt.json"]])
def test_a_run_that_cannot_start_leaves_the_trace_that_was_there(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: list[str],
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("no-prompt.json").write_text('{"format":"tripscope-session","version":1,"name":"a"}')
    Path("old.trace.jsonl").write_text("precious")
    for name in ("old.trace.jsonl", "new.trace.jsonl"):
        assert main([*words, "--trace", name]) == 2
    assert Path("old.trace.jsonl").read_text() == "precious"
    assert not Path("new.trace.jsonl").exists()


def test_a_call_that_fails_is_told_by_the_run_itself(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = printed(capsys, *LIVE, "--base-url", f"http://127.0.0.1:{free_port()}/v1")
    assert code == 1
    assert "status: error: cannot ask http://127.0.0.1" in out


def test_a_replay_needs_no_key(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    trace = str(tmp_path / "run.trace.jsonl")
    printed(capsys, "run", example("tool-loop"), "--trace", trace)
    assert printed(capsys, *LIVE, "--replay", trace)[0] == 0


def test_help_names_every_command_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    out = capsys.readouterr().out
    for word in ("run", "check", "shot", "open", "needs a live model"):
        assert word in out


def test_text_from_elsewhere_cannot_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    session = tmp_path / "s.tripscope.json"
    session.write_text(
        json.dumps(
            {
                "format": "tripscope-session",
                "version": 1,
                "name": "evil\u001b[2J",
                "model": {"script": [{"text": ["a\u001b]0;x\u0007\ud83d", "b"]}]},
                "prompts": ["hi"],
            }
        )
    )
    code, out = printed(capsys, "run", str(session))
    assert code == 0
    assert "\x1b" not in out
    assert "\\x1b]0;x\\x07\\ud83db" in out


def test_attempts_count_from_one_and_hooks_tell_their_real_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out = printed(capsys, "run", example("support-agent"))
    assert "step 1, attempt 2" in out
    assert "attempt 0" not in out
    assert "2 messages, 1 tool\n" in out
    # the tool waits 380 ms of virtual time, and then for its turn; a hook costs what it costs,
    # whatever the clock
    waited = re.search(r"returned, (\d+(?:\.\d+)?) (ms|s)\b", out)
    assert waited is not None
    assert float(waited[1]) * {"ms": 1, "s": 1000}[waited[2]] >= 380
    events: list[AnyEvent] = []

    async def run() -> None:
        session = load_session(example("support-agent"))
        stream = await start_run(session, trace=events.append, real_time=False)
        await stream.result()

    asyncio.run(run())
    hooks = [event for event in events if isinstance(event, HookCalled)]
    assert hooks
    assert all(event.duration > 0 for event in hooks)


def test_a_trace_is_not_taken_for_a_session(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = tmp_path / "out.trace.jsonl"
    printed(capsys, "run", example("tool-loop"), "--trace", str(trace))
    assert main(["run", str(trace)]) == 2
    assert "this is a trace, not a session" in capsys.readouterr().err


def test_a_recording_of_another_session_is_told_at_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = str(tmp_path / "run.trace.jsonl")
    printed(capsys, "run", example("tool-loop"), "--trace", trace)
    _, out = printed(capsys, "run", example("support-agent"), "--replay", trace)
    told = out.splitlines()[1]
    assert told.startswith("  edited by hand ")
    assert "made by session 'Tool loop with a retry' and is replayed by 'Support agent'" in told
    _, out = printed(capsys, "run", example("support-agent"), "--replay", trace, "--json")
    assert "is replayed by 'Support agent'" in json.loads(out)["edits"][0]["what"]
    _, out = printed(capsys, "run", example("tool-loop"), "--replay", trace)
    assert "edited by hand" not in out
