"""What a turn of a pane in front costs late in a run beside earlier in it: it should not grow.

CPU of the GUI thread for 1,000 new chunks, from the news to the painting; the best of some turns.
"""

import asyncio
import time
from typing import Any, Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from tests.bench.made_runs import CHAIN, parts
from tests.bench.rows import Row
from tests.support.window import make_context
from tripscope.agent import Agent
from tripscope.models.scripted import ScriptedModel
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.trace.events import ModelChunk
from tripscope_gui.panes import Pane
from tripscope_gui.panes.chunks import ChunksPane
from tripscope_gui.panes.findings import FindingsPane
from tripscope_gui.panes.state import StatePane
from tripscope_gui.panes.text import TextPane
from tripscope_gui.panes.timeline import TimelinePane
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.run_index import index_of
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme, apply

EARLIER: Final = 50_000
LATER: Final = 100_000
STEP: Final = 1_000
TURNS: Final = 9
MAY_GROW: Final = 1.2
"""Noise; the Text pane was at 1.26 when it worked out the spans of the whole run each turn."""
_REST_SECONDS: Final = 2
"""After which a pane that still has a timer running is taken to have shown all."""
_PANES: Final[tuple[tuple[type[Pane], int, int], ...]] = (
    (ChunksPane, 1160, 440),
    (TimelinePane, 1592, 196),
    (TextPane, 748, 440),
    (FindingsPane, 676, 206),
    (StatePane, 366, 206),
)


def rows() -> list[Row]:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("light")
    apply(app, theme)
    news = asyncio.run(_news(LATER + TURNS * STEP))
    sizes = (EARLIER, LATER)
    stores = {size: RunStore() for size in sizes}
    for size, store in stores.items():
        for batch in news[: size // STEP]:
            _take(store, batch)
    shown = {size: [_shown(theme, stores[size], *pane) for pane in _PANES] for size in sizes}
    for panes in shown.values():
        for pane, _host in panes:
            _settle(app, pane)
    spent: dict[tuple[type[Pane], int], list[float]] = {}
    # in turns, for what else the machine does has its share in both
    for turn in range(TURNS):
        for size, store in stores.items():
            first = len(store.events)
            _take(store, news[size // STEP + turn])
            for pane, _host in shown[size]:
                took = _turn(app, pane, first, len(store.events))
                spent.setdefault((type(pane), size), []).append(took)
    for panes in shown.values():
        for _pane, host in panes:
            host.close()
            host.deleteLater()
    app.processEvents()
    best = {key: min(times) for key, times in spent.items()}
    what = f"CPU of a turn at {LATER:,} chunks beside {EARLIER:,}"
    return [
        Row(f"{kind.TITLE}, {what}", best[kind, LATER], "ms", best[kind, EARLIER], MAY_GROW)
        for kind, _, _ in _PANES
    ]


async def _news(chunks: int) -> list[list[Any]]:
    """The events of a run, in batches of 1,000 chunks."""
    filters = [RegexFilterProcessor(id=spec["id"], **spec["options"]) for spec in CHAIN]
    batches: list[list[Any]] = [[]]

    def trace(event: Any) -> None:
        if isinstance(event, ModelChunk) and (event.index or 0) % STEP == 0:
            batches.append([])
        batches[-1].append(event)

    agent = Agent(id="bench", model=ScriptedModel([list(parts(chunks))]), output_processors=filters)
    stream = await agent.stream("go", trace=trace)
    async for _chunk in stream.full_stream:
        pass
    return batches


def _take(store: RunStore, events: list[Any]) -> None:
    store.extend(events)
    while index_of(store).advance(10_000_000):
        pass


def _shown(
    theme: Theme, store: RunStore, kind: type[Pane], width: int, height: int
) -> tuple[Pane, QWidget]:
    context = make_context(theme)
    context.workspace.current = Run(1, store)
    host = QWidget()
    host.resize(width, height)
    line = QVBoxLayout(host)
    line.setContentsMargins(0, 0, 0, 0)
    pane = kind(context)
    line.addWidget(pane)
    host.show()
    return pane, host


def _turn(app: QApplication, pane: Pane, first: int, end: int) -> float:
    """Milliseconds that it takes to show news, also those that it shows a little later."""
    begin = time.thread_time()
    pane.count()
    pane.grow(first, end)
    _settle(app, pane)
    return (time.thread_time() - begin) * 1e3


def _settle(app: QApplication, pane: Pane) -> None:
    app.processEvents()
    over = time.monotonic() + _REST_SECONDS
    timers = pane.findChildren(QTimer)
    while any(timer.isActive() for timer in timers) and time.monotonic() < over:
        time.sleep(0.01)
        app.processEvents()
    app.processEvents()


if __name__ == "__main__":
    from tests.bench.rows import table

    print(table(rows()))
