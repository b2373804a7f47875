"""What is measured in a process of its own: cold starts, and the memory of a run."""

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.made_runs import parts

CHUNKS = 100_000
STARTS = 5
_SLICE_NS = 4_000_000
_START = Path(__file__).with_name("start.py")


def cold_starts() -> dict[str, float]:
    """Milliseconds until the first frame, by what is started: see `start.py`; the best of some.

    Each kind is started once before, as a user has compiled modules, and then in turns.
    """
    kinds = ("bare", "window", "example")
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            _start_of(kind, folder)
        times: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(STARTS):
            for kind in kinds:
                times[kind].append(_start_of(kind, folder))
    return {kind: min(times[kind]) for kind in kinds}


def memory_of_a_chunk() -> float:
    """Resident bytes per chunk of a run as the window keeps it."""
    found = _python("-m", "tests.bench.alone")
    return float(json.loads(found))


def _start_of(kind: str, home: str) -> float:
    begun = time.time()
    painted = _python(str(_START), kind, home=home)
    return (float(painted.split()[-1]) - begun) * 1000


def _python(*words: str, home: str | None = None) -> str:
    """What Python prints; settings and compiled modules are kept in ``home``, if given."""
    # what a start costs depends on compiled modules, which users have
    given = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    if home is not None:
        homes = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
        given |= dict.fromkeys(homes, home) | {"PYTHONPYCACHEPREFIX": str(Path(home, "compiled"))}
    command = [sys.executable, *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=100, env=given
    )
    return done.stdout


def _memory() -> None:
    from tripscope.agent import Agent
    from tripscope.models.scripted import ScriptedModel
    from tripscope.processor import Processor, ProcessOutputStreamArgs
    from tripscope.processors.regex_filter import RegexFilterProcessor
    from tripscope_gui.run_store import RunStore
    from tripscope_gui.store.run_index import index_of

    class Pass(Processor):
        def __init__(self, id: str) -> None:
            self.id = id

        def process_output_stream(self, args: ProcessOutputStreamArgs) -> Any:
            return args.part

    redacting = RegexFilterProcessor(presets=["pii"], strategy="redact")

    def take(store: RunStore, pending: list[Any]) -> None:
        # what the window does between two frames
        store.extend(pending)
        pending.clear()
        while index_of(store).advance(_SLICE_NS) or store.pack(_SLICE_NS):
            pass

    async def run(count: int, store: RunStore) -> None:
        pending: list[Any] = []
        agent = Agent(
            id="bench",
            model=ScriptedModel([list(parts(count))]),
            output_processors=[Pass("one"), redacting, Pass("two")],
        )
        stream = await agent.stream("go", trace=pending.append)
        async for _chunk in stream.full_stream:
            if len(pending) > 500:
                take(store, pending)
        take(store, pending)

    asyncio.run(run(200, RunStore()))
    gc.collect()
    before = _resident()
    store = RunStore()
    asyncio.run(run(CHUNKS, store))
    index_of(store).update()
    gc.collect()
    print(json.dumps((_resident() - before) / CHUNKS))


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    _memory()
