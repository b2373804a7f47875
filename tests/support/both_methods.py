"""One test for ``stream`` and ``generate``, which differ in how a run is told only."""

from __future__ import annotations

from typing import Any

import pytest

from tripscope.agent import Agent
from tripscope.chunks import Chunk
from tripscope.results import RunResult
from tripscope.trace.recorder import EventLog

METHODS = pytest.mark.parametrize("method", ["stream", "generate"])


async def run(subject: Agent, method: str, prompt: Any = "hi", **options: Any) -> RunResult:
    """The result by either method; an error is in it."""
    if method == "stream":
        stream = await subject.stream(prompt, **options)
        return await stream.result()
    return await subject.generate(prompt, **options)


def delivered(log: EventLog) -> list[Chunk]:
    """What the client of a run got, or would have got."""
    return [event.chunk for event in log if event.kind == "delivered"]
