"""What a trace file costs: to write one while running, and to load a million events."""

import gc
import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from tests.bench.rows import Row
from tripscope.chunks import Chunk, Delta
from tripscope.trace.events import (
    AnyEvent,
    Delivered,
    HookCalled,
    ModelChunk,
    RawFrameReceived,
    RunStarted,
)
from tripscope.trace.file import TraceWriter, load

EVENTS = 1_000_000
SOME = 30_000
_HOOK = "processOutputStream"
_PROCESSORS = ("unicode", "pii", "secrets")
_PER_CHUNK = 3 + len(_PROCESSORS)


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.trace.jsonl")
        _write(path, _trace())
        some = list(islice(_trace(), SOME))
        writing = min(_seconds(lambda: _write(Path(folder, "some"), some)) for _ in range(5))
        reference = min(_seconds(lambda: _parse(path)) for _ in range(3))
        loading = min(_seconds(lambda: load(path)) for _ in range(3))
        size = path.stat().st_size
    return [
        Row(
            f"load a trace of {EVENTS:,} events (json.loads of its lines)",
            loading,
            "s",
            reference,
            2,
        ),
        Row("write one event to a trace file", writing / SOME * 1e6, "µs"),
        Row("size of an event in a trace file", size / EVENTS, "bytes"),
    ]


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def _write(path: Path, events: Iterable[AnyEvent]) -> None:
    with TraceWriter(path) as write:
        for event in events:
            write(event)


def _parse(path: Path) -> None:
    with path.open() as file:
        for line in file:
            json.loads(line)


def _trace() -> Iterator[AnyEvent]:
    """A stream of short deltas through three processors; every tenth is changed by the second."""
    base = (0, 0, None, None)
    yield RunStarted(
        0,
        0,
        None,
        None,
        None,
        None,
        "r",
        "live",
        "stream",
        "agent",
        "m",
        (),
        (),
        {},
        "0",
        (),
        {},
        "",
    )
    for number in range((EVENTS - 1) // _PER_CHUNK):
        seq = 1 + number * _PER_CHUNK
        now = number * 40_000
        chunk = Chunk("text-delta", Delta(id="t1", text=f"word {number}"), "run-1")
        frame = f'{{"choices":[{{"index":0,"delta":{{"content":"word {number}"}}}}]}}'
        yield RawFrameReceived(seq, now, *base, call=0, data=frame)
        yield ModelChunk(seq + 1, now, *base, call=0, index=number, chunk=chunk)
        for position, processor in enumerate(_PROCESSORS):
            out, intervals, held = chunk, None, None
            if processor == "pii":
                at = number * 8
                intervals, held = ((at, at + 8, at, at + 8, None),), 0
                if number % 10 == 0:
                    out = Chunk("text-delta", Delta(id="t1", text="[EMAIL]"), "run-1")
            yield HookCalled(
                seq + 2 + position,
                now + position * 5000,
                0,
                0,
                _HOOK,
                processor,
                4200 + number % 1000,
                "pass" if out is chunk else "changed",
                number,
                chunk,
                (out,),
                intervals,
                held,
            )
            chunk = out
        yield Delivered(seq + 5, now + 20_000, *base, chunk=chunk, index=number)
