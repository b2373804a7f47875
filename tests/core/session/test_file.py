"""Session files: what is read is what was saved, and what is wrong is named with its place."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripscope.errors import SessionError
from tripscope.session import (
    Session,
    load_session,
    save_session,
    session_from_wire,
    session_to_wire,
)
from tripscope.session.build import scripted_response
from tripscope.session.model import (
    ProcessorSpec,
    RuleTest,
    ScriptedResponse,
    SessionRule,
    ToolSpec,
)

HEAD = {"format": "tripscope-session", "version": 1, "name": "a"}

any_text = st.text(st.characters(exclude_categories=()), max_size=20)


@given(
    name=any_text,
    prompts=st.lists(any_text, max_size=3),
    rules=st.lists(
        st.builds(
            SessionRule,
            name=any_text,
            pattern=any_text,
            replacement=st.none() | any_text,
            colour=st.none() | st.integers(0, 7),
            tests=st.lists(st.builds(RuleTest, text=any_text), max_size=2),
        ),
        max_size=3,
    ),
)
def test_save_then_load_gives_the_same_session(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    prompts: list[str],
    rules: list[SessionRule],
) -> None:
    session = Session(
        name=name,
        prompts=list(prompts),
        chain=[ProcessorSpec(id="filter", type="regex-filter", rules=rules)],
        tools=[ToolSpec(name="t", results=[{"a": name}])],
    )
    path = tmp_path_factory.mktemp("sessions") / "x.tripscope.json"
    save_session(session, path)
    assert load_session(path) == session
    assert path.read_bytes().isascii(), "lone surrogates are kept as escapes"


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"format": "other"}, "", "format"),
        ({"version": 2}, "version", "version 2 is not known"),
        ({"chian": []}, "chian", "check its spelling"),
        ({"chain": [{"id": "x", "type": "y", "optons": {}}]}, "chain[0].optons", "spelling"),
        ({"chain": [{"id": "x", "type": "y"}] * 2}, "session", "'x' is used twice"),
        ({"tools": [{"name": "t"}]}, "tools[0]", "needs results"),
        ({"model": {"use": "gpt"}}, "model", "provider/model"),
        ({"model": {"script": [{"text": ["a"], "chunks": []}]}}, "model.script[0]", "exactly one"),
        ({"prompts": [3]}, "prompts[0]", "text"),
        ({"maxSteps": 0}, "maxSteps", "greater than 0"),
        (
            {"chain": [{"id": "x", "type": "y", "rules": [{"name": "r", "pattern": 1}]}]},
            "chain[0].rules[0].pattern",
            "text in quotes",
        ),
    ],
)
def test_a_fault_is_named_with_its_place(change: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(SessionError, match=r"^demo\.json: ") as caught:
        session_from_wire(HEAD | change, file="demo.json")
    assert (caught.value.place or "").startswith(place)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"format": ', "line 1, column 12"),
        (b"\xff\xfd", "not UTF-8 at byte 0"),
        ("{}".encode("utf-16"), "this is UTF-16; save it as UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[1]", "this is a JSON list of 1 value, not a session; a session says "),
        (b"{}", "this is an empty JSON object, not a session"),
        (b'{"a": 1, "b": 2, "c": 3, "d": 4}', 'object with the keys "a", "b", "c" and 1 more, not'),
        (b'{"format": "other"}', 'this is JSON of the format "other", not a session'),
        (b'{"format": "tripscope-trace"}', "this is a trace, not a session; a trace is opened by"),
        (b'{"format": "tripscope-trace"}\n{"seq": 0}\n', "this is a trace, not a session"),
        (b'{"format": "tripscope-autosave"}', "the window offers them when it starts"),
        (b'{"a": 1}\n{"a": 2}\n', 'a JSON object with the key "a", not a session'),
        (b"", "the file is empty, not a session"),
        (b" \n", "the file is empty, not a session"),
        (b"{", "not JSON"),
    ],
)
def test_a_file_that_is_no_session(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.tripscope.json"
    path.write_bytes(content)
    with pytest.raises(SessionError) as caught:
        load_session(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_byte_order_mark_is_passed_over_and_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "from-windows.tripscope.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(HEAD).encode())
    session = load_session(path)
    assert session.name == "a"
    save_session(session, path)
    assert path.read_bytes().startswith(b"{")


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(SessionError, match=str(tmp_path)):
            load_session(path)


def test_a_failed_save_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.tripscope.json"
    save_session(Session(name="old"), path)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SessionError, match="No space left"):
        save_session(Session(name="new"), path)
    assert load_session(path).name == "old"
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_saving_keeps_the_mode_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.tripscope.json"
    save_session(Session(name="a"), path)
    path.chmod(0o640)
    save_session(Session(name="b"), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_defaults_are_not_written() -> None:
    assert session_to_wire(Session(name="a")) == HEAD
    assert session_from_wire(json.loads(json.dumps(HEAD))) == Session(name="a")


def test_a_misspelt_key_is_told_before_the_key_that_is_missing_for_it() -> None:
    wire = {**HEAD, "chain": [{"id": "a", "typ": "regex-filter"}]}
    with pytest.raises(SessionError, match=r"^chain\[0\]\.typ: .*spelling \(and 1 more fault\)$"):
        session_from_wire(wire)
    with pytest.raises(SessionError, match=r"^chain\[0\]\.type: is missing$"):
        session_from_wire({**HEAD, "chain": [{"id": "a"}]})


def test_half_a_character_in_a_name_is_told_in_words() -> None:
    wire = {**HEAD, "chain": [{"id": "a\ud83d", "type": "regex-filter"}]}
    with pytest.raises(SessionError, match=r"^chain\[0\]\.id: holds half of a character"):
        session_from_wire(wire)


def test_numbers_that_are_too_long(tmp_path: Path) -> None:
    path = tmp_path / "a.tripscope.json"
    path.write_text(f'{{"format": "tripscope-session", "version": {"1" * 6000}}}')
    with pytest.raises(SessionError, match="a number that is too long"):
        load_session(path)


@pytest.mark.parametrize("delay", [10**400, 1e9, -1, float("nan"), float("inf"), "5", True, None])
def test_a_delay_that_no_clock_has_is_refused(delay: object) -> None:
    chunk = {"type": "text-delta", "id": "t", "delta": "x", "delayMs": delay}
    response = ScriptedResponse(chunks=[chunk])
    with pytest.raises(SessionError, match=r"script\[0\].chunks\[0\]: delayMs is a number from 0"):
        scripted_response(response, place="script[0]")
    tools = [{"name": "t", "results": [1], "delayMs": delay}]
    if delay not in ("5", True):  # pydantic takes these for numbers
        with pytest.raises(SessionError, match=r"tools\[0\]\.delayMs"):
            session_from_wire({**HEAD, "tools": tools})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.tripscope.json"
    os.mkfifo(path)
    with pytest.raises(SessionError, match="a pipe or a device, not a file"):
        load_session(path)
