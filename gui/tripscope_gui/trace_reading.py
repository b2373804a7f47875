"""A trace file into the store of a run, while the window lives.

Reading has most of the time: after each batch the loop gets a turn, and the views are told in
turns of theirs, so that what they cost does not grow with the number of batches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tripscope_gui.store.run_index import index_of

if TYPE_CHECKING:
    from tripscope.trace.events import AnyEvent
    from tripscope_gui.collector import SettledEvents
    from tripscope_gui.context import PaneContext
    from tripscope_gui.store.workspace import Run

SHORT: Final = 2_000
"""Events of a trace whose views show all of it at once."""
_SLICE_NS: Final = 8_000_000


class TraceReading:
    """Fills one run; its first events are in its store already, and shown."""

    def __init__(self, context: PaneContext, settled: SettledEvents, run: Run) -> None:
        self._context, self._settled, self._run = context, settled, run

    async def take(self, batches: Iterable[list[AnyEvent]]) -> None:
        """Put the rest into the store; stops early when the run is dropped.

        When it returns, raises or is cancelled, the views show what there is.
        """
        turns = self._context.turns
        turns.begin()
        try:
            await self._take(batches)
            if len(self._run.store.events) > SHORT:
                await self._served()
        finally:
            self._context.tell_news()
            turns.finish()

    async def _take(self, batches: Iterable[list[AnyEvent]]) -> None:
        store = self._run.store
        index = index_of(store)
        await asyncio.sleep(0)
        for batch in batches:
            if self._run not in self._context.workspace.runs:
                return
            self._settled.add(len(batch))
            store.extend(batch)
            index.advance(_SLICE_NS)
            self._context.turns.ask(self._context.tell_news)
            await asyncio.sleep(0)
        while index.advance(_SLICE_NS):  # noqa: ASYNC110 - it is worked on, not waited for
            await asyncio.sleep(0)

    async def _served(self) -> None:
        """Let all views show the end, a frame each."""
        self._context.tell_news()
        served = asyncio.Event()
        self._context.turns.hurry(served.set)
        await served.wait()
