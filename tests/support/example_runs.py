"""Events of the shipped examples, run once per process on a virtual clock."""

import asyncio
from functools import cache
from pathlib import Path

from tripscope.session import load_session, start_run
from tripscope.trace.events import AnyEvent
from tripscope_resources import files


@cache
def example_events(name: str) -> tuple[AnyEvent, ...]:
    """The whole trace of an example (``support-agent``) with its scripted model."""
    events: list[AnyEvent] = []
    asyncio.run(_run(name, events))
    return tuple(events)


async def _run(name: str, events: list[AnyEvent]) -> None:
    session = load_session(Path(str(files("examples", f"{name}.tripscope.json"))))
    stream = await start_run(session, trace=events.append, real_time=False)
    try:
        async for _chunk in stream.full_stream:
            pass
    finally:
        await stream.aclose()
