"""The whole window: a live load, a replay after an edit, the memory of a run, the cold start.

With TRIPSCOPE_STALLS=MS in the environment the functions are named that keep a frame waiting.
"""

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.bench.alone import CHUNKS, cold_starts, memory_of_a_chunk
from tests.bench.made_runs import CHAIN, parts, session, texts, wire
from tests.bench.pulse import CollectorPauses, Pulse
from tests.bench.rows import Row

RATE = 10_000
REPLAYED = 5_000
PATIENCE_SECONDS = 40
"""After which a live run that cannot keep up is stopped; its rate is told."""


def rows() -> list[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tripscope_gui.aio import run_app
    from tripscope_gui.shot import quiet_offscreen
    from tripscope_gui.theme import Theme, apply

    quiet_offscreen()
    cold, memory = cold_starts(), memory_of_a_chunk()
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("light")
    apply(app, theme)
    found: dict[str, Any] = {}

    async def main() -> int:
        found.update(await in_window(theme, _live))
        found.update(await in_window(theme, _replay))
        return 0

    run_app(app, main)
    return [
        *_live_rows(found),
        *_start_rows(cold),
        Row("resident memory per traced chunk", memory, "bytes", 2048, 1),
    ]


def _live_rows(found: dict[str, Any]) -> list[Row]:
    live, keeping = found["live"], found["keeping"]
    run = f"live, {CHUNKS:,} chunks"
    replay = f"replay of {REPLAYED:,} chunks after an edit, until shown"
    return [
        Row(f"{run} at {RATE:,}/s, longest GUI block", live.longest, "ms", 50, 1),
        Row(f"{run}, p99 frame gap", live.p99, "ms", 33, 1),
        Row(f"{run}, longest CPU without a frame", max(live.busy), "ms"),
        Row(f"{run}, p99 CPU without a frame", live.busy_p99, "ms"),
        # smaller is better in this table: the time that a chunk takes, beside the one it may take
        Row("live, time of a chunk", 1e6 / found["rate"], "us", 1e6 / RATE, 1.05),
        Row("live, CPU of a chunk", found["cpu"], "us"),
        Row("live, longest collector pause", found["pause"], "ms", 50, 1),
        Row("keep a run on disk, longest GUI block", keeping.longest, "ms", 50, 1),
        Row("keep a run on disk, longest CPU without a frame", max(keeping.busy), "ms"),
        Row(replay, found["replay"], "ms", 500, 1),
    ]


def _start_rows(cold: dict[str, float]) -> list[Row]:
    bare = cold["bare"]
    return [
        Row("cold start, first frame beside a bare window", cold["window"], "ms", bare, 2),
        Row("cold start, example visible beside a bare window", cold["example"], "ms", bare, 3.5),
    ]


async def in_window(
    theme: Any, measure: Callable[[Any], Awaitable[dict[str, Any]]]
) -> dict[str, Any]:
    """What ``measure`` returns, given a window of its own."""
    from tripscope_gui.main_window import MainWindow
    from tripscope_gui.settings import Settings

    settings = Settings.in_memory()
    with tempfile.TemporaryDirectory() as folder:
        window = MainWindow(theme, settings, Path(folder, "runs.db"))
        window.resize(1600, 1000)
        window.show()
        try:
            return await measure(window)
        finally:
            assert window.history is not None
            await window.history.settle()
            await window.context.tasks.shutdown()
            window.closed.set()
            window.close()
            window.deleteLater()


async def _live(window: Any) -> dict[str, Any]:
    from unittest.mock import patch

    from tripscope.models.base import Model, ModelResponse

    class Paced(Model):
        """Gives its parts by the clock, as a provider's socket would."""

        provider, model_id = "bench", "paced"

        async def call(self, request: Any) -> ModelResponse:
            return ModelResponse(parts=self._parts())

        async def _parts(self) -> AsyncGenerator[Any, None]:
            start = time.perf_counter()
            for number, part in enumerate(parts(CHUNKS)):
                ahead = start + number / RATE - time.perf_counter()
                if ahead > 0.001:
                    await asyncio.sleep(ahead)
                yield part

    paced = patch("tripscope.session.running.build_model", lambda *_args, **_more: Paced())
    paced.start()
    pauses = CollectorPauses()
    gc.collect()
    gc.callbacks.append(pauses)
    try:
        window.context.session.take(session())
        _ = window.work
        await asyncio.sleep(0.3)
        live = Pulse()
        start, computed = time.perf_counter(), time.process_time()
        loop = asyncio.get_running_loop()
        loop.call_later(PATIENCE_SECONDS, window.context.runs.stop)
        run = await finished(window, window.context.runs.start)
        seconds, computed = time.perf_counter() - start, time.process_time() - computed
        live.stop()
        chunks = len(run.store.rows)
        keeping = Pulse()
        await _kept(window)
        await asyncio.sleep(0.1)
        keeping.stop()
    finally:
        paced.stop()
        gc.callbacks.remove(pauses)
    return {
        "live": live,
        "rate": chunks / seconds,
        "cpu": computed / chunks * 1e6,
        "pause": pauses.longest,
        "keeping": keeping,
    }


async def _replay(window: Any) -> dict[str, Any]:
    from tripscope.session import session_from_wire

    script = {"use": "scripted", "script": [{"text": list(texts(REPLAYED))}]}
    window.context.session.take(session(model=script))
    await finished(window, window.context.runs.start)
    times = []
    for turn in range(3):
        rule = {"name": "word", "pattern": "word9[0-5]", "replacement": f"[W{turn}]"}
        edited = wire(model=script, chain=[CHAIN[0] | {"rules": [rule]}, *CHAIN[1:]])
        window.context.session.edit("rule", session_from_wire(edited))
        await _kept(window)
        start = time.perf_counter()
        await finished(window, window.context.runs.replay)
        await window.context.turns.shown()
        times.append((time.perf_counter() - start) * 1000)
    return {"replay": min(times)}


async def finished(window: Any, start: Callable[[], object]) -> Any:
    """The run that ``start`` begins, once it is over."""
    done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def over(run: Any) -> None:
        if not done.done():
            done.set_result(run)

    connection = window.context.runs.finished.connect(over)
    start()
    try:
        return await asyncio.wait_for(done, 120)
    finally:
        window.context.runs.finished.disconnect(connection)


async def _kept(window: Any) -> None:
    while window.history.busy:  # noqa: ASYNC110 - tells nobody when it is done
        await asyncio.sleep(0.01)
