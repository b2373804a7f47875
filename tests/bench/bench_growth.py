"""What a turn of a pane in front costs late in a run beside earlier in it: it should not grow.

CPU of the GUI thread for 1,000 new chunks, from the news to the painting; the median of some turns.
"""

import asyncio
import statistics
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
MAY_GROW: Final = 1.4
"""Beyond noise; the work of a turn that goes through the whole run grows twofold."""
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
    spent = asyncio.run(_spent(app, theme))
    what = f"CPU of a turn at {LATER:,} chunks beside {EARLIER:,}"
    return [
        Row(f"{kind.TITLE}, {what}", spent[kind, LATER], "ms", spent[kind, EARLIER], MAY_GROW)
        for kind, _, _ in _PANES
    ]


async def _spent(app: QApplication, theme: Theme) -> dict[tuple[type[Pane], int], float]:
    """Milliseconds of a turn, by kind of pane and chunks that were there."""
    filters = [RegexFilterProcessor(id=spec["id"], **spec["options"]) for spec in CHAIN]
    model = ScriptedModel([list(parts(LATER + TURNS * STEP))])
    news: list[Any] = []
    stream = await Agent(id="bench", model=model, output_processors=filters).stream(
        "go", trace=news.append
    )
    store = RunStore()
    shown = [_shown(theme, store, *size) for size in _PANES]
    found: dict[tuple[type[Pane], int], list[float]] = {}
    count = 0
    async for _chunk in stream.full_stream:
        count += 1
        if count % STEP:
            continue
        first = len(store.events)
        store.extend(news)
        news.clear()
        while index_of(store).advance(10_000_000):
            pass
        at = next((s for s in (EARLIER, LATER) if s < count <= s + TURNS * STEP), None)
        for pane, _host in shown:
            took = _turn(app, pane, first, len(store.events))
            if at is not None:
                found.setdefault((type(pane), at), []).append(took)
    for _pane, host in shown:
        host.close()
        host.deleteLater()
    app.processEvents()
    return {key: statistics.median(times) for key, times in found.items()}


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
    app.processEvents()
    over = time.monotonic() + _REST_SECONDS
    timers = pane.findChildren(QTimer)
    while any(timer.isActive() for timer in timers) and time.monotonic() < over:
        time.sleep(0.01)
        app.processEvents()
    app.processEvents()
    return (time.thread_time() - begin) * 1e3


if __name__ == "__main__":
    from tests.bench.rows import table

    print(table(rows()))
