"""What a trace costs: as a file, written, saved and loaded, and packed in memory."""

import gc
import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

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
from tripscope.trace.file import TraceWriter, load, save
from tripscope.trace.packed_events import PackedEvents

EVENTS = 1_000_000
SOME = 30_000
_HOOK = "processOutputStream"
_PROCESSORS = ("unicode", "pii", "secrets")
_PER_CHUNK = 3 + len(_PROCESSORS)


def rows() -> list[Row]:
    some = list(islice(_trace(), SOME))
    with tempfile.TemporaryDirectory() as folder:
        path, other = Path(folder, "run.trace.jsonl"), Path(folder, "some")
        save(path, _trace())
        loading, parsing = _best(3, lambda: load(path), lambda: _parse(path))
        save(other, some)
        wires = [json.loads(line) for line in other.read_text().splitlines()]
        saving, dumping = _best(5, lambda: save(other, some), lambda: _dump(other, wires))
        (writing,) = _best(5, lambda: _write(other, some))
        size = path.stat().st_size
    (packing,) = _best(5, lambda: _packed(some))
    packed = _packed(some)
    (unpacking,) = _best(5, lambda: list(packed))
    return [
        Row(
            f"load a trace of {EVENTS:,} events (json.loads of its lines)",
            loading,
            "s",
            parsing,
            0.6,
        ),
        Row(
            "save an event of a trace (json.dumps of its line)",
            saving / SOME * 1e6,
            "us",
            dumping / SOME * 1e6,
            0.6,
        ),
        Row("write one event to a trace file, at once", writing / SOME * 1e6, "us"),
        Row("pack an event", packing / SOME * 1e6, "us"),
        Row("unpack an event", unpacking / SOME * 1e6, "us"),
        Row("size of an event in a trace file", size / EVENTS, "bytes"),
        Row("size of an event when packed", sum(map(len, packed.pages())) / SOME, "bytes"),
    ]


def _best(times: int, *works: Callable[[], object]) -> list[float]:
    """CPU seconds of each, in turns."""
    best = [float("inf")] * len(works)
    for _ in range(times):
        for at, work in enumerate(works):
            gc.collect()
            start = time.process_time()
            work()
            best[at] = min(best[at], time.process_time() - start)
    return best


def _write(path: Path, events: Iterable[AnyEvent]) -> None:
    with TraceWriter(path) as write:
        for event in events:
            write(event)


def _parse(path: Path) -> None:
    with path.open() as file:
        for line in file:
            json.loads(line)


def _dump(path: Path, wires: list[Any]) -> None:
    with path.open("w") as file:
        for wire in wires:
            file.write(json.dumps(wire) + "\n")


def _packed(events: Iterable[AnyEvent]) -> PackedEvents:
    made = PackedEvents(events)
    while made.pack(10**9, loose=0):
        pass
    return made


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
