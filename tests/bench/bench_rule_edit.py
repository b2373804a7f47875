"""From the moment a rule edit is taken up (the debounce fires) to its highlights on the screen."""

import asyncio
import os
import random
import statistics
import time

from tests.bench.rows import Row

_WORDS = ("hello", "order", "ORD-204417", "the", "quick", "brown", "fox", "https://x.y/z")
_HITS = ("ann.lee@example.test", "(415) 555-0132", "4111111111111111")
_GOALS = {100_000: 50.0, 1_000_000: 300.0}
_EDITS = 11


def rows() -> list[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tripscope_gui.aio import run_app
    from tripscope_gui.app import make_application
    from tripscope_gui.shot import quiet_offscreen

    quiet_offscreen()
    app = make_application("light")
    found: list[Row] = []

    async def main() -> int:
        found.extend(await _measure())
        return 0

    run_app(app, main)
    return found


async def _measure() -> list[Row]:
    from PySide6.QtWidgets import QApplication

    from tripscope.session.model import Session
    from tripscope_gui.main_window import MainWindow
    from tripscope_gui.settings import Settings
    from tripscope_gui.theme import Theme

    app = QApplication.instance()
    theme = app.findChild(Theme, "theme") if app is not None else None
    assert isinstance(theme, Theme)
    window = MainWindow(theme, Settings.in_memory())
    window.resize(1600, 1000)
    window.show()
    chain = [
        {
            "id": "f",
            "type": "regex-filter",
            "options": {"presets": ["pii", "secrets", "urls"], "strategy": "redact"},
            "rules": [{"name": "own", "pattern": "quick"}],
        }
    ]
    window.context.session.take(Session.model_validate({"name": "bench", "chain": chain}))
    window.context.actions.trigger("view.rule_lab")
    measured = [await _edits(window, size) for size in _GOALS]
    await window.context.tasks.shutdown()
    window.context.session.take(None)
    window.closed.set()
    window.close()
    window.deleteLater()
    return measured


async def _edits(window: object, size: int) -> Row:
    from tripscope_gui.main_window import MainWindow
    from tripscope_gui.panes.preview import PreviewPane

    assert isinstance(window, MainWindow)
    pane = next(p for p in window.work.rule_lab.grid.panes if isinstance(p, PreviewPane))
    runner, desk = pane.runner, pane.desk
    runner.set_scratch(_text(size))
    pane._show_text()
    desk.choose("f", "own")
    fired: list[float] = []
    runner._timer.timeout.connect(lambda: fired.append(time.perf_counter()))
    times: list[float] = []
    for turn in range(_EDITS):
        while not runner.fresh:  # noqa: ASYNC110 - a poll disturbs less than a signal
            await asyncio.sleep(0.005)
        number = runner.number
        desk.type_pattern(rf"(?:quick|brown){'x' * (turn + 1)}?\s+\w+", "g")
        while runner.number == number:  # noqa: ASYNC110
            await asyncio.sleep(0.0005)
        # the pane paints its text in the same turn in which the result comes
        times.append((time.perf_counter() - fired[-1]) * 1000)
    name = f"rule edit to highlights on {size // 1000:,} KB, median of {_EDITS}"
    return Row(name, statistics.median(times), "ms", _GOALS[size], 1)


def _text(size: int) -> str:
    chosen = random.Random(1)
    parts: list[str] = []
    length = 0
    while length < size:
        word = chosen.choice(_HITS if chosen.random() < 0.01 else _WORDS)
        word += (" 💳 " if chosen.random() < 0.02 else " ") + "\n" * (chosen.random() < 0.05)
        parts.append(word)
        length += len(word)
    return "".join(parts)
