"""Time per chunk of `Agent.stream` beside the real Agent on the same model; memory per chunk."""

import asyncio
import gc
import json
import logging
import tempfile
import time
import tracemalloc
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from tests.bench import node
from tests.bench.made_runs import session, texts
from tests.bench.rows import Row
from tripscope.agent import Agent
from tripscope.chunks import BlockEdge, Chunk, Delta, Finish, Usage
from tripscope.models.base import Model, ModelRequest, ModelResponse, RawFrame
from tripscope.processor import Processor, ProcessOutputStreamArgs
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.session.model import Session
from tripscope.session.running import start_run
from tripscope.trace.events import AnyEvent
from tripscope.trace.recorder import EventLog, Sink

SHORT, LONG = 2_000, 20_000
REPLAYED = 5_000
PROCESSORS = (0, 1, 3)
TIMES = 5
GOAL = 0.5
GROWTH = 1.2
Clock = Callable[[], float]
HIT_EVERY = 200  # chunks: 5 hits per 1,000
_SCRIPT = Path(__file__).parent / "node" / "engine.mjs"


class Deltas(Model):
    """Makes its text deltas as they are asked for, like the reference's mock does."""

    provider, model_id = "bench", "deltas"

    def __init__(self, count: int, *, hits: bool = False) -> None:
        self.count = count
        self.hits = hits

    async def call(self, request: ModelRequest) -> ModelResponse:
        """See `Model.call`."""
        return ModelResponse(parts=self._parts())

    async def _parts(self) -> AsyncGenerator[Chunk | RawFrame, None]:
        yield Chunk("text-start", BlockEdge(id="t1"))
        for number in range(self.count):
            text = " ann@example.test " if self.hits and number % HIT_EVERY == 0 else "abcd"
            yield Chunk("text-delta", Delta(id="t1", text=text))
        yield Chunk("text-end", BlockEdge(id="t1"))
        usage = Usage(input_tokens=1, output_tokens=2, total_tokens=3)
        yield Chunk("finish", Finish(reason="stop", usage=usage))


class PassThrough(Processor):
    """Returns each part as it is, from an async hook as most processors have it."""

    def __init__(self, id: str) -> None:
        self.id = id

    async def process_output_stream(self, args: ProcessOutputStreamArgs) -> Chunk:
        """See `Processor`."""
        return args.part


def rows() -> list[Row]:
    reference = {count: _reference(count) for count in (SHORT, LONG)}
    ours = {count: _in_memory(count) for count in (SHORT, LONG)}
    cpu = {count: _in_memory(count, time.process_time) for count in (SHORT, LONG)}
    timed = [
        Row(
            f"{_name(deltas, processors)}, traced",
            ours[deltas][processors],
            "µs/chunk",
            against,
            GOAL,
        )
        for deltas in (SHORT, LONG)
        for processors in PROCESSORS
        for against in [reference[deltas].get(processors)]
    ]
    grown = [
        Row(
            f"processor time, {LONG:,} chunks beside {SHORT:,}, {processors} processors",
            cpu[LONG][processors],
            "µs/chunk",
            cpu[SHORT][processors],
            GROWTH,
        )
        for processors in PROCESSORS
    ]
    untraced = [
        Row(f"{_name(LONG, p)}, not traced", _best(LONG, p, lambda: None), "µs/chunk")
        for p in PROCESSORS
    ]
    memory = [
        Row(
            f"memory of a traced run, {deltas:,} chunks, 2 pass-through + 1 redacting",
            _bytes_per_chunk(deltas),
            "bytes/chunk",
        )
        for deltas in (SHORT, LONG)
    ]
    return [*timed, *grown, *untraced, *_filters(), *_to_file(), *memory]


def _filters() -> list[Row]:
    """The window's chain of three filters, headless: its part of the time that a chunk may take."""
    logging.getLogger("tripscope.rules").setLevel(logging.ERROR)
    script = {"use": "scripted", "script": [{"text": list(texts(REPLAYED))}]}
    filters = session(model=script)
    live = [asyncio.run(_session_run(filters, None)) for _ in range(TIMES)]
    recording = live[0][1].events
    again = [asyncio.run(_session_run(filters, recording)) for _ in range(TIMES)]
    per_chunk = min(seconds for seconds, _ in live) / REPLAYED * 1e6
    whole = min(seconds for seconds, _ in again) * 1000
    name = f"{REPLAYED:,} chunks, 3 filters, traced, processor time"
    return [
        Row(f"start_run, {name}", per_chunk, "µs/chunk", goal=50, against_value=True),
        Row(f"replay, {name}", whole, "ms", goal=300, against_value=True),
        Row(
            "events per chunk of it",
            len(recording) / REPLAYED,
            "events",
            goal=6,
            against_value=True,
        ),
    ]


async def _session_run(
    filters: Session, recording: list[AnyEvent] | None
) -> tuple[float, EventLog]:
    log = EventLog()
    gc.collect()
    begun = time.process_time()
    stream = await start_run(filters, replay=recording, trace=log)
    async for _ in stream.full_stream:
        pass
    return time.process_time() - begun, log


def _name(deltas: int, processors: int) -> str:
    return f"Agent.stream, {deltas:,} chunks, {processors} processors"


def _reference(deltas: int) -> dict[int, float]:
    job = {"deltas": deltas, "processors": PROCESSORS, "times": TIMES}
    told = node.run(_SCRIPT, stdin=json.dumps(job)) or {}
    return {int(count): figure for count, figure in told.items()}


def _in_memory(deltas: int, clock: Clock = time.perf_counter) -> dict[int, float]:
    return {p: _best(deltas, p, EventLog, clock) for p in PROCESSORS}


def _best(
    deltas: int, processors: int, sink: Callable[[], Sink | None], clock: Clock = time.perf_counter
) -> float:
    chain: list[Processor] = [PassThrough(f"p{number}") for number in range(processors)]
    runs = (asyncio.run(_once(deltas, chain, sink(), clock)) for _ in range(TIMES))
    return min(runs) / deltas * 1e6


async def _once(
    deltas: int, chain: list[Processor], trace: Sink | str | None, clock: Clock = time.perf_counter
) -> float:
    agent = Agent(id="bench", model=Deltas(deltas), output_processors=chain)
    gc.collect()
    start = clock()
    stream = await agent.stream("hello", trace=trace)
    seen = 0
    async for chunk in stream.full_stream:
        seen += chunk.type == "text-delta"
    assert seen == deltas
    return clock() - start


def _to_file() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "run.trace.jsonl"))
        chain: list[Processor] = [PassThrough(f"p{number}") for number in range(3)]
        seconds = min(asyncio.run(_once(LONG, chain, path)) for _ in range(2))
    return [Row(f"{_name(LONG, 3)}, traced to a file", seconds / LONG * 1e6, "µs/chunk")]


def _bytes_per_chunk(deltas: int) -> float:
    chain: list[Processor] = [
        PassThrough("a"),
        PassThrough("b"),
        RegexFilterProcessor(presets=["pii"], strategy="redact"),
    ]
    agent = Agent(id="bench", model=Deltas(deltas, hits=True), output_processors=chain)

    async def run() -> EventLog:
        log = EventLog()
        stream = await agent.stream("hello", trace=log)
        async for _ in stream.full_stream:
            pass
        return log

    asyncio.run(run())  # what is made once only is made now
    gc.collect()
    tracemalloc.start()
    log = asyncio.run(run())
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(log) > deltas
    return held / deltas
