"""What the chunks table costs: scroll a million rows, filter a hundred thousand, append live."""

import statistics
import time
from collections.abc import Callable, Iterable

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from tests.bench.rows import Row
from tripscope.chunks import Chunk, text_delta
from tripscope.trace.events import (
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    Delivered,
    FindingMade,
    HookCalled,
    ModelChunk,
    RunEnded,
    RunStarted,
)
from tripscope_gui.actions import Actions
from tripscope_gui.aio import TaskSupervisor
from tripscope_gui.context import PaneContext
from tripscope_gui.panes.chunks import ChunksPane
from tripscope_gui.run_controller import RunController
from tripscope_gui.run_store import RunStore
from tripscope_gui.session_access import SessionAccess
from tripscope_gui.settings import Settings
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme, apply

HOOK = "processOutputStream"
FRAME_MS = 16.7
FILTER_MS = 200.0
_IDS = ("pii", "secrets", "links")


def rows() -> list[Row]:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("dark")
    apply(app, theme)
    million = RunStore(list(_trace(1_000_000, processors=("pii",))))
    frames, opening = _scroll(app, theme, million)
    del million
    hundred = RunStore(list(_trace(100_000, processors=_IDS)))
    first, whole = _filter(app, theme, hundred)
    appended = _append(app, theme)
    return [
        Row("scroll 1,000,000 chunk rows, p99 frame", _p99(frames), "ms", FRAME_MS, 1),
        Row("scroll 1,000,000 chunk rows, median frame", statistics.median(frames), "ms"),
        Row("open 1,000,000 chunk rows, first paint", opening, "ms", 1000, 1),
        Row("filter 100,000 chunk rows, first results", first, "ms", FILTER_MS, 1),
        Row("filter 100,000 chunk rows, all", whole, "ms"),
        Row("append 160 chunk rows and paint, p99", _p99(appended), "ms", FRAME_MS, 1),
    ]


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def _trace(count: int, processors: tuple[str, ...]) -> Iterable[AnyEvent]:
    """Deltas of a text; every twentieth is changed by the first processor, which reports it."""
    described = [
        {"id": id_, "type": "made-up", "hooks": [HOOK], "scans": ["text-delta"]}
        for id_ in processors
    ]
    chain = {"input": [], "output": described, "error": []}
    nowhere = (None, None, None, None)
    yield RunStarted(
        0, 0, *nowhere, "r", "live", "stream", "a", "m", (), (), chain, "0", (), {}, ""
    )
    yield AttemptStarted(1, 0, 0, 0, None, None)
    seq = 2
    at = out_at = now = 0
    for number in range(count):
        now = number * 100_000
        entered = text_delta(f"word {number:07} and ")
        width = 17
        yield ModelChunk(seq, now, 0, 0, None, None, 0, number, entered)
        seq += 1
        chunk: Chunk = entered
        for place, id_ in enumerate(processors):
            hit = place == 0 and number % 20 == 0
            out = text_delta("[EMAIL]          ") if hit else chunk
            at_out = out_at
            rule = "email" if hit else None
            if hit:
                yield FindingMade(
                    seq, now, 0, 0, HOOK, id_, "email", at, at + width, "changed",
                    replacement="[EMAIL]", block="t1", index=number,
                )  # fmt: skip
                seq += 1
            yield HookCalled(
                seq, now, 0, 0, HOOK, id_, 3000, "changed" if hit else "pass", number, chunk,
                (out,), ((at, at + width, at_out, at_out + width, rule),), number % 30,
            )  # fmt: skip
            seq += 1
            chunk = out
        yield Delivered(seq, now, 0, 0, None, None, chunk, number)
        seq += 1
        at += width
        out_at += width
    yield AttemptEnded(seq, now, 0, 0, None, None, "pass")
    yield RunEnded(seq + 1, now, *nowhere, "changed", "")


def _pane(theme: Theme, store: RunStore) -> tuple[QWidget, ChunksPane]:
    settings = Settings.in_memory()
    context = PaneContext(
        theme=theme,
        settings=settings,
        actions=Actions(),
        session=SessionAccess(),
        tasks=TaskSupervisor(),
    )
    context.runs = RunController(context)
    context.workspace.current = Run(1, store)
    host = QWidget()
    host.resize(1160, 440)
    line = QVBoxLayout(host)
    line.setContentsMargins(0, 0, 0, 0)
    pane = ChunksPane(context)
    line.addWidget(pane)
    return host, pane


def _frame(pane: ChunksPane, canvas: QPixmap) -> float:
    """Paint the viewport as it stands, as the window system would ask for."""
    start = time.perf_counter()
    pane.view.viewport().render(canvas)
    return (time.perf_counter() - start) * 1e3


def _scroll(app: QApplication, theme: Theme, store: RunStore) -> tuple[list[float], float]:
    start = time.perf_counter()
    host, pane = _pane(theme, store)
    host.show()
    canvas = QPixmap(pane.view.viewport().size())
    _frame(pane, canvas)
    opening = (time.perf_counter() - start) * 1e3
    _until(app, lambda: not pane.busy)
    pane.tail.follow(False)
    bar = pane.view.verticalScrollBar()
    bar.setValue(0)
    frames: list[float] = []
    for step in range(400):
        begin = time.perf_counter()
        # half of the way by wheel notches, half by dragging the handle
        bar.setValue(bar.value() + 57 if step < 200 else bar.maximum() * (step - 200) // 200)
        app.processEvents()
        moved = (time.perf_counter() - begin) * 1e3
        frames.append(moved + (_frame(pane, canvas) if not moved else 0.0))
    host.close()
    host.deleteLater()
    app.processEvents()
    return frames, opening


def _filter(app: QApplication, theme: Theme, store: RunStore) -> tuple[float, float]:
    host, pane = _pane(theme, store)
    host.show()
    _until(app, lambda: not pane.busy)
    start = time.perf_counter()
    pane.filter.set_query("rule:email changed | /word 0*9999\\b/")
    _until(app, lambda: len(pane.table.entries) > 0)
    pane.view.viewport().repaint()
    first = (time.perf_counter() - start) * 1e3
    _until(app, lambda: not pane.busy)
    whole = (time.perf_counter() - start) * 1e3
    assert pane.table.entries.matching >= 5000, pane.table.entries.matching
    host.close()
    host.deleteLater()
    app.processEvents()
    return first, whole


def _append(app: QApplication, theme: Theme) -> list[float]:
    """Batches as they come at 10,000 chunks a second, each handed on and painted at once."""
    events = list(_trace(20_000, processors=_IDS))
    store = RunStore(events[:2])
    host, pane = _pane(theme, store)
    host.show()
    app.processEvents()
    frames: list[float] = []
    batch = 160 * (len(events) // 20_000)
    for place in range(2, len(events), batch):
        store.extend(events[place : place + batch])
        begin = time.perf_counter()
        pane.context.events_appended.emit(place, len(store.events))
        app.processEvents()
        frames.append((time.perf_counter() - begin) * 1e3)
    host.close()
    host.deleteLater()
    app.processEvents()
    return frames


def _until(app: QApplication, holds: Callable[[], bool]) -> None:
    while not holds():
        app.processEvents()


if __name__ == "__main__":
    from tests.bench.rows import table

    print(table(rows()))
