"""What a session's own fields do to its run."""

from pathlib import Path
from typing import Any

import pytest

from tripscope.errors import SessionError
from tripscope.session import Session, load_session, session_from_wire, start_run
from tripscope.trace.events import AnyEvent, EditedByHand
from tripscope.trace.file import load, save
from tripscope.trace.recorder import EventLog
from tripscope_resources import files

EXAMPLES = sorted(files("examples").iterdir())
BUSY = {"error": {"message": "busy", "statusCode": 503, "isRetryable": True}}


def session(**settings: Any) -> Any:
    script = [BUSY, {"text": ["fine"]}]
    return session_from_wire(
        {
            "format": "tripscope-session",
            "version": 1,
            "name": "retries",
            "model": {"use": "scripted", "script": script, "settings": settings},
            "prompts": ["hi"],
        }
    )


@pytest.mark.parametrize(("settings", "status"), [({}, "error"), ({"maxRetries": 1}, "passed")])
async def test_a_failed_call_is_made_again_as_the_settings_say(
    settings: dict[str, Any], status: str
) -> None:
    async with await start_run(session(**settings), real_time=False) as stream:
        assert (await stream.result()).status == status


@pytest.mark.parametrize("wrong", [-1, True, "2", 1.5])
async def test_a_wrong_number_of_retries_is_refused(wrong: Any) -> None:
    with pytest.raises(SessionError, match="maxRetries"):
        await start_run(session(maxRetries=wrong), real_time=False)


async def trace_of(session: Session, **more: Any) -> list[AnyEvent]:
    log = EventLog()
    async with await start_run(session, trace=log, real_time=False, **more) as stream:
        await stream.result()
    return log.events


def edits(events: list[AnyEvent]) -> list[EditedByHand]:
    return [event for event in events if isinstance(event, EditedByHand)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
async def test_a_replay_of_an_unchanged_session_tells_no_edit(
    example: Path, tmp_path: Path
) -> None:
    session = load_session(example)
    recorded = await trace_of(session)
    assert edits(recorded) == []
    assert edits(await trace_of(session, replay=recorded)) == []
    save(tmp_path / "run.trace.jsonl", recorded)
    assert edits(await trace_of(session, replay=load(tmp_path / "run.trace.jsonl"))) == []


async def test_a_replay_tells_what_was_edited_since_the_recording() -> None:
    wire = {
        "format": "tripscope-session",
        "version": 1,
        "name": "edited",
        "model": {"script": [{"text": ["fine"]}]},
        "prompts": ["hi"],
    }
    rule = {"name": "own", "pattern": "a"}
    chain = [{"id": "f", "type": "regex-filter", "rules": [rule]}]
    recorded = await trace_of(session_from_wire(wire | {"chain": chain}))
    other = {"name": "own", "pattern": "b"}, {"name": "more", "pattern": "c"}
    chain = [{"id": "f", "type": "regex-filter", "rules": list(other)}]
    now = session_from_wire(wire | {"chain": chain, "instructions": "Be short."})
    told = edits(await trace_of(now, replay=recorded))
    assert [(event.processor, event.what) for event in told] == [
        ("f", "rule own changed"),
        ("f", "rule more new"),
        (None, "instructions changed"),
    ]
    assert told[0].detail["lines"] == [["-", "/a/g"], ["+", "/b/g"]]


async def test_a_replay_of_another_sessions_recording_names_both() -> None:
    one, other = (load_session(path) for path in EXAMPLES[:2])
    told = edits(await trace_of(other, replay=await trace_of(one)))
    assert told[0].what.startswith(
        f"the recording was made by session {one.name!r} and is replayed by {other.name!r}: "
    )
    assert len(told) > 1
