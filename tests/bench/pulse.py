"""How smoothly the window's loop goes: gaps between ticks of a timer, pauses of the collector."""

import os
import statistics
import threading
import time
from collections import Counter, deque
from typing import Any

from PySide6.QtCore import Qt, QTimer

TICK_MS = 16
_SAMPLE_SECONDS = 0.002
_STALLS = "TRIPSCOPE_STALLS"
"""Milliseconds of CPU between two ticks from which the functions at work are printed."""


class Pulse:
    """A timer of 16 ms and the gaps between its ticks, as painting sees the loop.

    ``gaps`` are by the clock; ``busy`` is what the window's thread computed in each, which other
    work on the machine hardly touches.
    """

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self.busy: list[float] = []
        self._stalls = Stalls(float(os.environ[_STALLS])) if _STALLS in os.environ else None
        self._last, self._last_busy = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now, busy = time.perf_counter(), time.thread_time()
        self.gaps.append((now - self._last) * 1000)
        self.busy.append((busy - self._last_busy) * 1000)
        if self._stalls is not None:
            self._stalls.tell(self.busy[-1])
        self._last, self._last_busy = now, time.thread_time()

    def stop(self) -> "Pulse":
        self._timer.stop()
        if self._stalls is not None:
            self._stalls.stop()
        return self

    @property
    def longest(self) -> float:
        """Longest time by the clock in which nothing was painted, in ms."""
        return max(self.gaps, default=TICK_MS) - TICK_MS

    @property
    def p99(self) -> float:
        return _p99(self.gaps)

    @property
    def busy_p99(self) -> float:
        return _p99(self.busy)


class Stalls:
    """Looks at the window's thread every 2 ms; says what it was at in a long gap."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._seen: deque[frozenset[str]] = deque(maxlen=5000)
        self._watched = threading.get_ident()
        self._over = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def tell(self, busy: float) -> None:
        if busy >= self._least:
            counts = Counter(name for names in list(self._seen) for name in names)
            most = ", ".join(f"{name} {count}" for name, count in counts.most_common(12))
            print(f"{busy:.0f} ms of CPU without a frame: {most}")
        self._seen.clear()

    def stop(self) -> None:
        self._over.set()

    def _look(self) -> None:
        import sys

        while not self._over.wait(_SAMPLE_SECONDS):
            frame = sys._current_frames().get(self._watched)
            names = set()
            while frame is not None:
                if "tripscope" in frame.f_code.co_filename:
                    names.add(frame.f_code.co_qualname)
                frame = frame.f_back
            self._seen.append(frozenset(names))


class CollectorPauses:
    """The longest pause of the garbage collector, in ms; for `gc.callbacks`."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._begun = 0.0

    def __call__(self, phase: str, _info: dict[str, Any]) -> None:
        if phase == "start":
            self._begun = time.perf_counter()
        else:
            self.longest = max(self.longest, (time.perf_counter() - self._begun) * 1000)


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]
