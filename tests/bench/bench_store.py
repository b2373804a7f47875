"""What the window's store of a run costs per chunk: to take events in, to index them, in memory."""

import asyncio
import gc
import time
import tracemalloc
from typing import Any

from tests.bench.made_runs import session, texts
from tests.bench.rows import Row

CHUNKS = 20_000
_BATCH = 128


def rows() -> list[Row]:
    from tripscope_gui.run_store import RunStore
    from tripscope_gui.store.run_index import index_of

    events = asyncio.run(_events())

    def taken(events: list[Any] = events) -> RunStore:
        store = RunStore()
        for first in range(0, len(events), _BATCH):
            store.extend(events[first : first + _BATCH])
        return store

    took, indexed = [], []
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        store = taken()
        between = time.process_time()
        index_of(store).update()
        took.append(between - start)
        indexed.append(time.process_time() - between)
    live, taking = _with_frames(events), []
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        taken(live)
        taking.append(time.process_time() - start)
    tracemalloc.start()
    store = taken()
    index_of(store).update()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return [
        Row("store of a run, CPU per chunk", min(took) / CHUNKS * 1e6, "us", 20, 1),
        Row("store of a run with a raw frame a chunk", min(taking) / CHUNKS * 1e6, "us", 20, 1),
        Row("index of a run, CPU per chunk", min(indexed) / CHUNKS * 1e6, "us", 20, 1),
        Row("store and index of a run, memory per chunk", size / CHUNKS, "bytes", 500, 1),
    ]


async def _events() -> list[Any]:
    """Of a run through three filters."""
    from tripscope.session import start_run

    events: list[Any] = []
    script = {"use": "scripted", "script": [{"text": list(texts(CHUNKS))}]}
    stream = await start_run(session(model=script), trace=events.append, real_time=False)
    async for _chunk in stream.full_stream:
        pass
    return events


def _with_frames(events: list[Any]) -> list[Any]:
    """As a live model gives them: each part behind the frame that it came in."""
    from tripscope.trace.events import ModelChunk, RawFrameReceived

    live: list[Any] = []
    for event in events:
        if isinstance(event, ModelChunk):
            place = (event.seq, event.time, event.step, event.attempt, None, None)
            live.append(RawFrameReceived(*place, call=event.call, data="{}"))
        live.append(event)
    return live
