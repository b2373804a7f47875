"""What a frame of the timeline costs while a hundred thousand spans are panned and zoomed.

Frames are measured in time of the GUI thread, so that other work on the machine is left out.
"""

import os
import time

from tests.bench.rows import Row

SPANS = 100_000
LIVE = 100_000
NEW = 1_000
FRAME_MS = 16.7
_PROCESSORS = ("unicode", "pii", "secrets")


def rows() -> list[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tripscope_gui.theme import Theme, apply
    from tripscope_gui.widgets.timeline.canvas import TimelineCanvas

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("light")
    apply(app, theme)
    filled = _Filled()
    filled.add(SPANS // 5)
    filled.end()
    canvas = TimelineCanvas(theme)
    canvas.resize(1592, 168)
    canvas.show()
    start = time.perf_counter()
    canvas.show_run(filled.store, 1)
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
    growing = _Filled()
    growing.add(LIVE)
    canvas.show_run(growing.store, 2)
    live: list[float] = []
    for _ in range(20):
        growing.add(NEW)
        live.append(frame(canvas.grow))
    canvas.deleteLater()
    return [
        Row(f"timeline, pan {SPANS:,} spans, p99 CPU per frame", _p99(pans), "ms", FRAME_MS, 1),
        Row(f"timeline, zoom {SPANS:,} spans, p99 CPU per frame", _p99(zooms), "ms", FRAME_MS, 1),
        Row(f"timeline, first frame of {SPANS:,} spans", first, "ms"),
        Row(f"timeline, {NEW:,} new chunks at {LIVE:,}, CPU", _p99(live), "ms", FRAME_MS, 1),
    ]


def _p99(values: list[float]) -> float:
    return sorted(values)[int(0.99 * (len(values) - 1))]


class _Filled:
    """A store filled with chunks that go through three processors.

    There are holds now and then, a change in ten, some findings.
    """

    def __init__(self) -> None:
        from tests.support.made_events import HOOK, Events
        from tripscope_gui.run_store import RunStore

        names = [
            {"id": name, "type": "regex-filter", "hooks": [HOOK], "scans": ["text-delta"]}
            for name in _PROCESSORS
        ]
        self.store = RunStore()
        self._made = Events(chain={"input": [], "output": names, "error": []})
        self._made.begin_attempt()
        self._chunks = self._events = 0

    def add(self, count: int) -> None:
        from tests.support.made_events import HOOK
        from tripscope.chunks import text_delta
        from tripscope.trace.events import FindingMade

        made = self._made
        for number in range(self._chunks, self._chunks + count):
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
        self._chunks += count
        self._hand_on()

    def end(self) -> None:
        self._made.end_attempt()
        self._made.end()
        self._hand_on()

    def _hand_on(self) -> None:
        self.store.extend(self._made.all[self._events :])
        self._events = len(self._made.all)
