"""Faults that other systems had with failures of the provider and of hooks.

The labels are those of the public reports: where a label has several tests, they are one fault on
several paths.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.both_methods import METHODS, run
from tests.support.engine import agent, processor, read, text, told
from tripscope.chunks import Chunk, ErrorPayload
from tripscope.errors import APIError, HookError
from tripscope.memory import Memory
from tripscope.trace.events import HookCalled, RunEnded
from tripscope.trace.recorder import EventLog

# -- L5: after a failure of the provider the last hook and the store were silently skipped


async def test_provider_failure_in_mid_stream() -> None:
    memory, log, seen = Memory(), EventLog(), []
    last = processor("last", process_output_result=lambda args: seen.append(args.result.text))
    failure = Chunk("error", ErrorPayload(error=APIError("overloaded", status_code=503)))
    subject = agent(
        [*text("par", end=False, finish=None), failure], output_processors=[last], memory=memory
    )
    stream = await subject.stream("hi", thread="t", resource="r", trace=log)
    lines = told(await read(stream))
    assert lines[-3:] == ["error", "step-finish:error", "finish:error"]
    assert lines.count("error") == 1
    assert seen == ["par"]
    assert "processOutputResult" in [event.hook for event in log.of(HookCalled)]
    assert log.of(RunEnded)[0].stored is True
    stored = await memory.messages("t", "r")
    assert [message.text for message in stored] == ["hi", "par"]
    assert stored[1].content.metadata == {"incomplete": True}


async def test_provider_failure_in_generate() -> None:
    memory, seen = Memory(), []
    last = processor("last", process_output_result=lambda args: seen.append(args.result.text))
    failure = APIError("overloaded", status_code=503)
    subject = agent(failure, output_processors=[last], memory=memory)
    with pytest.raises(APIError, match="overloaded"):
        await subject.generate("hi", thread="t", resource="r")
    assert seen == [""]
    assert [message.text for message in await memory.messages("t", "r")] == ["hi"]


# -- without a label: a hook that fails


@METHODS
async def test_error_of_a_hook_is_no_silence(method: str) -> None:
    def fail(args: Any) -> None:
        raise RuntimeError("boom")

    subject = agent(text("Hello"), output_processors=[processor("p", process_output_step=fail)])
    if method == "generate":
        with pytest.raises(HookError, match="boom"):
            await run(subject, method)
    else:
        assert (await run(subject, method)).status == "error"
