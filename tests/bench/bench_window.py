"""The whole window: a live load, a replay after an edit, the memory of a run, the cold start."""

import asyncio
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.bench.rows import Row

CHUNKS = 100_000
RATE = 10_000
REPLAYED = 5_000
TICK_MS = 16
STARTS = 5
PATIENCE_SECONDS = 40
"""After which a live run that cannot keep up is stopped; its rate is told."""
_CHAIN: list[dict[str, Any]] = [
    {"id": "pii", "type": "regex-filter", "options": {"presets": ["pii"], "strategy": "redact"}},
    {"id": "keys", "type": "regex-filter", "options": {"presets": ["secrets"], "strategy": "warn"}},
    {"id": "urls", "type": "regex-filter", "options": {"presets": ["urls"], "strategy": "warn"}},
]


def rows() -> list[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tripscope_gui.aio import run_app
    from tripscope_gui.shot import quiet_offscreen
    from tripscope_gui.theme import Theme, apply

    quiet_offscreen()
    starts = [_measured("cold"), _measured("memory")]
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("light")
    apply(app, theme)
    found: dict[str, Any] = {}

    async def main() -> int:
        found.update(await _in_window(theme, _live))
        found.update(await _in_window(theme, _replay))
        return 0

    run_app(app, main)
    cold, memory = starts
    gaps = found["gaps"]
    return [
        Row(
            f"live, {CHUNKS:,} chunks at {RATE:,}/s, longest GUI block",
            max(gaps) - TICK_MS,
            "ms",
            50,
            1,
        ),
        Row(f"live, {CHUNKS:,} chunks, p99 frame gap", _p99(gaps), "ms", 33, 1),
        # smaller is better in this table: the time that a chunk takes, beside the one it may take
        Row("live, time of a chunk", 1e6 / found["rate"], "us", 1e6 / RATE, 1.05),
        Row("live, longest collector pause", found["pause"], "ms", 50, 1),
        Row("keep a run on disk, longest GUI block", found["keeping"], "ms", 50, 1),
        Row(
            f"replay of {REPLAYED:,} chunks after an edit, until shown",
            found["replay"],
            "ms",
            500,
            1,
        ),
        Row("cold start, first frame beside a bare window", cold["window"], "ms", cold["bare"], 2),
        Row(
            "cold start, example visible beside a bare window",
            cold["example"],
            "ms",
            cold["bare"],
            3.5,
        ),
        Row("resident memory per traced chunk", memory["bytes"], "bytes", 2048, 1),
    ]


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


# -- in the window ---------------------------------------------------------------------------------


async def _in_window(
    theme: Any, measure: Callable[[Any], Awaitable[dict[str, Any]]]
) -> dict[str, Any]:

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


class Pulse:
    """A timer of 16 ms and the gaps between its ticks, as painting sees the loop."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps.append((now - self._last) * 1000)
        self._last = now

    def stop(self) -> list[float]:
        self._timer.stop()
        return self.gaps


class Collector:
    """The longest pause of the garbage collector."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._begun = 0.0

    def __call__(self, phase: str, _info: dict[str, Any]) -> None:
        if phase == "start":
            self._begun = time.perf_counter()
        else:
            self.longest = max(self.longest, (time.perf_counter() - self._begun) * 1000)


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
            for number, part in enumerate(_parts(CHUNKS)):
                ahead = start + number / RATE - time.perf_counter()
                if ahead > 0.001:
                    await asyncio.sleep(ahead)
                yield part

    paced = patch("tripscope.session.running.build_model", lambda *_args, **_more: Paced())
    paced.start()
    collector = Collector()
    gc.collect()
    gc.callbacks.append(collector)
    try:
        window.context.session.take(_session())
        _ = window.work
        await asyncio.sleep(0.3)
        pulse = Pulse()
        start = time.perf_counter()
        loop = asyncio.get_running_loop()
        loop.call_later(PATIENCE_SECONDS, window.context.runs.stop)
        run = await _finished(window, window.context.runs.start)
        seconds = time.perf_counter() - start
        gaps = pulse.stop()
        rate = len(run.store.rows) / seconds
        pulse = Pulse()
        await _kept(window)
        keeping = max(pulse.stop(), default=0.0) - TICK_MS
    finally:
        paced.stop()
        gc.callbacks.remove(collector)
    return {"gaps": gaps, "rate": rate, "pause": collector.longest, "keeping": keeping}


async def _replay(window: Any) -> dict[str, Any]:
    from tripscope.session import session_from_wire

    script = {"use": "scripted", "script": [{"text": list(_texts(REPLAYED))}]}
    window.context.session.take(_session(model=script))
    await _finished(window, window.context.runs.start)
    times = []
    for turn in range(3):
        rule = {"name": "word", "pattern": "word9[0-5]", "replacement": f"[W{turn}]"}
        wire = _wire(model=script, chain=[_CHAIN[0] | {"rules": [rule]}, *_CHAIN[1:]])
        window.context.session.edit("rule", session_from_wire(wire))
        await _kept(window)
        start = time.perf_counter()
        await _finished(window, window.context.runs.replay)
        window.repaint()
        await asyncio.sleep(0)
        times.append((time.perf_counter() - start) * 1000)
    return {"replay": min(times)}


async def _finished(window: Any, start: Callable[[], object]) -> Any:
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


def _texts(count: int) -> Any:
    """Words; five of a thousand chunks bring an address."""
    for number in range(count):
        yield f"ann{number}@example.test " if number % 200 == 7 else f"word{number % 97} "


def _parts(count: int) -> Any:
    from tripscope.chunks import BlockEdge, Chunk, Delta, Finish

    yield Chunk("text-start", BlockEdge(id="t1"))
    for text in _texts(count):
        yield Chunk("text-delta", Delta(id="t1", text=text))
    yield Chunk("text-end", BlockEdge(id="t1"))
    yield Chunk("finish", Finish(reason="stop"))


def _wire(**more: Any) -> dict[str, Any]:
    base = {"format": "tripscope-session", "version": 1, "name": "bench", "chain": _CHAIN}
    return base | {"prompts": ["go"], "model": {"use": "bench/paced"}} | more


def _session(**more: Any) -> Any:
    from tripscope.session import session_from_wire

    return session_from_wire(_wire(**more))


# -- in a process of its own -----------------------------------------------------------------------


def _measured(what: str) -> dict[str, float]:
    """What this module prints as JSON when it is run with that word."""
    if what == "cold":
        return {kind: _start_of(kind) for kind in ("bare", "window", "example")}
    done = _python("memory")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _start_of(kind: str) -> float:
    """Milliseconds from the start of a process until its window is painted; the best of some."""
    times = []
    for _ in range(STARTS):
        begun = time.time()
        done = _python(kind)
        times.append((float(done.stdout.split()[-1]) - begun) * 1000)
    return min(times)


def _python(word: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tests.bench.bench_window", word]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)


def _bare() -> None:
    from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

    app = QApplication([])

    class Window(QMainWindow):
        def paintEvent(self, event: Any) -> None:
            super().paintEvent(event)
            print(time.time(), flush=True)
            app.quit()

    window = Window()
    window.setCentralWidget(QLabel("bare"))
    window.resize(1600, 1000)
    window.show()
    app.exec()


def _own(example: bool) -> None:
    from PySide6.QtCore import QEvent, QObject

    from tripscope_gui.aio import run_app
    from tripscope_gui.app import make_application
    from tripscope_gui.shot import quiet_offscreen

    quiet_offscreen()
    app = make_application("light")

    async def main() -> int:
        from tripscope_gui.main_window import MainWindow
        from tripscope_gui.settings import Settings
        from tripscope_gui.theme import Theme

        theme = app.findChild(Theme, "theme")
        assert isinstance(theme, Theme)
        window = MainWindow(theme, Settings.in_memory())
        window.resize(1600, 1000)
        painted = asyncio.Event()

        class Watch(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint:
                    painted.set()
                return False

        watch = Watch()
        window.pages.installEventFilter(watch)
        window.show()
        if example:
            from tripscope_resources import files

            window.open_paths(
                [Path(str(files("examples", "support-agent.tripscope.json")))], run_now=True
            )
            while window.context.store is None or not len(window.context.store.rows):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            window.repaint()
        else:
            await painted.wait()
        print(time.time(), flush=True)
        await window.context.tasks.shutdown()
        window.closed.set()
        window.close()
        window.deleteLater()
        return 0

    run_app(app, main)


def _memory() -> None:
    """Resident bytes per chunk of a run as the window keeps it."""
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

    async def run(count: int, store: RunStore) -> None:
        pending: list[Any] = []
        agent = Agent(
            id="bench",
            model=ScriptedModel([list(_parts(count))]),
            output_processors=[Pass("one"), redacting, Pass("two")],
        )
        stream = await agent.stream("go", trace=pending.append)
        async for _chunk in stream.full_stream:
            if len(pending) > 500:
                store.extend(pending)
                pending.clear()
        store.extend(pending)

    asyncio.run(run(200, RunStore()))
    gc.collect()
    before = _resident()
    store = RunStore()
    asyncio.run(run(CHUNKS, store))
    index_of(store).update()
    gc.collect()
    print(json.dumps({"bytes": (_resident() - before) / CHUNKS}))


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    {
        "bare": _bare,
        "window": lambda: _own(False),
        "example": lambda: _own(True),
        "memory": _memory,
    }[sys.argv[1]]()
