"""What a session's own fields do to its run."""

from typing import Any

import pytest

from tripscope.errors import SessionError
from tripscope.session import session_from_wire, start_run

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
