"""A long trace opened in the window, and a change of the theme."""

import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.bench_trace_file import EVENTS, _trace
from tests.bench.bench_window import in_window
from tests.bench.pulse import Pulse
from tests.bench.rows import Row

SWITCHES = 5


def rows() -> list[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tripscope.trace.file import save
    from tripscope_gui.aio import run_app
    from tripscope_gui.shot import quiet_offscreen
    from tripscope_gui.theme import Theme, apply

    quiet_offscreen()
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("light")
    apply(app, theme)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.trace.jsonl")
        save(path, _trace())
        parsing = min(_parsed(path) for _ in range(2))

        async def main() -> int:
            found.update(await in_window(theme, lambda window: _open(window, path)))
            found.update(await in_window(theme, lambda window: _switch(window, theme)))
            return 0

        run_app(app, main)
    opened = f"open {EVENTS:,} events"
    return [
        Row(f"{opened}, first paint", found["first"], "s", 1, 1),
        Row(f"{opened}, complete (CPU beside json.loads)", found["cpu"], "s", parsing, 2),
        Row(f"{opened}, longest CPU without a frame", found["busy"], "ms"),
        Row("theme switch until painted, CPU", found["switch"], "ms", 200, 1),
    ]


def _parsed(path: Path) -> float:
    begun = time.process_time()
    with path.open() as file:
        for line in file:
            json.loads(line)
    return time.process_time() - begun


async def _open(window: Any, path: Path) -> dict[str, Any]:
    """Seconds until rows of the run are painted, and of CPU until the views have all of it."""
    from PySide6.QtCore import QEvent, QObject

    view = window.work.grid.pane("Chunks").view.viewport()
    painted: list[float] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            store = window.context.store
            if event.type() == QEvent.Type.Paint and store is not None and len(store.rows):
                painted.append(time.perf_counter())
                view.removeEventFilter(self)
            return False

    assert window.work.grid.panes
    await asyncio.sleep(0.5)
    watch = Watch()
    view.installEventFilter(watch)
    pulse = Pulse()
    begun, cpu = time.perf_counter(), time.process_time()
    run = await window.context.runs.read(path)
    used = time.process_time() - cpu
    pulse.stop()
    assert len(run.store.events) > 0.99 * EVENTS
    return {"first": painted[0] - begun, "cpu": used, "busy": max(pulse.busy)}


async def _switch(window: Any, theme: Any) -> dict[str, Any]:
    from PySide6.QtWidgets import QApplication

    from tripscope_gui.shot import settle, show_run
    from tripscope_resources import files

    assert window.work.grid.panes
    await show_run(window, files("examples", "support-agent.tripscope.json"))
    times = []
    for turn in range(SWITCHES):
        await settle()
        begun = time.process_time()
        theme.set_mode(("dark", "light")[turn % 2])
        QApplication.processEvents()
        times.append((time.process_time() - begun) * 1000)
    return {"switch": min(times)}
