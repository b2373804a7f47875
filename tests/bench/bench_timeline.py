"""What a frame of the timeline costs while a hundred thousand spans are panned and zoomed.

Frames are measured in time of the GUI thread, so that other work on the machine is left out.
"""

import os
import time

from tests.bench.rows import Row

SPANS = 100_000
FRAME_MS = 16.7
_PROCESSORS = ("unicode", "pii", "secrets")


def rows() -> list[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tripscope_gui.run_store import RunStore
    from tripscope_gui.theme import Theme, apply
    from tripscope_gui.widgets.timeline.canvas import TimelineCanvas

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("light")
    apply(app, theme)
    store = RunStore()
    _fill(store)
    canvas = TimelineCanvas(theme)
    canvas.resize(1592, 168)
    canvas.show()
    start = time.perf_counter()
    canvas.show_run(store, 1)
    canvas.viewport().grab()
    first = (time.perf_counter() - start) * 1000

    def frame(change: object) -> float:
        begun = time.thread_time()
        assert callable(change)
        change()
        canvas.viewport().grab()
        return (time.thread_time() - begun) * 1000

    pans: list[float] = []
    for zoom in (1, 4, 16, 64, 1024):
        canvas.fit()
        canvas.zoom(zoom)
        for turn in range(60):
            pans.append(frame(lambda by=17 if turn % 2 else -11: canvas.pan(by)))
    canvas.fit()
    zooms = [frame(lambda: canvas.zoom(1.25)) for _ in range(30)]
    zooms += [frame(lambda: canvas.zoom(0.8)) for _ in range(30)]
    canvas.deleteLater()
    return [
        Row(f"timeline, pan {SPANS:,} spans, p99 CPU per frame", _p99(pans), "ms", FRAME_MS, 1),
        Row(f"timeline, zoom {SPANS:,} spans, p99 CPU per frame", _p99(zooms), "ms", FRAME_MS, 1),
        Row(f"timeline, first frame of {SPANS:,} spans", first, "ms"),
    ]


def _p99(values: list[float]) -> float:
    return sorted(values)[int(0.99 * (len(values) - 1))]


def _fill(store: object) -> None:
    """Chunks through three processors: holds now and then, a change in ten, some findings."""
    from tests.support.made_events import HOOK, Events
    from tripscope.chunks import text_delta
    from tripscope.trace.events import FindingMade
    from tripscope_gui.run_store import RunStore

    assert isinstance(store, RunStore)
    names = [
        {"id": name, "type": "regex-filter", "hooks": [HOOK], "scans": ["text-delta"]}
        for name in _PROCESSORS
    ]
    made = Events(chain={"input": [], "output": names, "error": []})
    made.begin_attempt()
    for number in range(SPANS // 5):
        part = made.chunk(number, text_delta("word "))
        for name in _PROCESSORS:
            held = number % 7 if name == "pii" else 0
            outcome = "changed" if number % 10 == 0 and name == "secrets" else "pass"
            made.hook(number, part, (part,), name, held=held, outcome=outcome)
        if number % 50 == 0:
            made.put(
                FindingMade, hook=HOOK, processor="secrets", rule=f"rule {number % 300}",
                start=0, end=1, outcome="changed", index=number,
            )  # fmt: skip
        made.deliver(number, part)
    made.end_attempt()
    made.end()
    store.extend(made.all)
