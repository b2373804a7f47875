import asyncio
import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.support.window import until
from tripscope_gui.aio import TaskSupervisor, run_app


def test_an_error_comes_to_one_place_and_the_loop_lives_on(
    qapp: QApplication, qtbot: QtBot
) -> None:
    failures: list[tuple[str, str]] = []

    async def bad() -> None:
        raise ValueError("no")

    async def good() -> int:
        await asyncio.sleep(0)
        return 7

    async def main() -> int:
        tasks = TaskSupervisor()
        tasks.failed.connect(lambda name, error: failures.append((name, str(error))))
        tasks.start(bad(), "something bad")
        task = tasks.start(good(), "something good")
        assert task is not None
        result = await task
        await tasks.shutdown()
        return result

    assert run_app(qapp, main) == 7
    assert failures == [("something bad", "no")]


def test_shutdown_cancels_and_waits(qapp: QApplication, qtbot: QtBot) -> None:
    cleaned: list[str] = []

    async def slow() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            cleaned.append("slow")

    async def never() -> None:
        cleaned.append("never")

    async def main() -> int:
        tasks = TaskSupervisor()
        tasks.start(slow(), "slow")
        await asyncio.sleep(0)
        assert await tasks.shutdown() == []
        assert tasks.start(never(), "too late") is None
        assert tasks.running == 0
        return 0

    assert run_app(qapp, main) == 0
    assert cleaned == ["slow"]


def test_qt_and_asyncio_share_the_loop(qapp: QApplication, qtbot: QtBot) -> None:
    ticks: list[int] = []

    async def main() -> int:
        timer = QTimer()
        timer.setInterval(1)
        timer.timeout.connect(lambda: ticks.append(1))
        timer.start()
        await until(lambda: len(ticks) >= 3)
        timer.stop()
        return 0

    assert run_app(qapp, main) == 0


def test_the_error_of_main_comes_out(qapp: QApplication, qtbot: QtBot) -> None:
    async def main() -> int:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        run_app(qapp, main)


class _Littering(QWidget):
    """Makes garbage while it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.painting = False
        self.painted = 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.painting = True
        _litter()
        self.painting = False
        self.painted += 1


def _litter() -> "list[weakref.ref[threading.Event]]":
    """Dead cycles, enough for some collections."""
    seen = []
    for _ in range(2000):
        event = threading.Event()
        event.me = event  # type: ignore[attr-defined]
        seen.append(weakref.ref(event))
    return seen


def test_the_collector_runs_between_events_of_the_window_only(
    qapp: QApplication, qtbot: QtBot
) -> None:
    widget = _Littering()
    qtbot.addWidget(widget)
    places: list[tuple[str, bool]] = []

    def note(_phase: str, _info: dict[str, int]) -> None:
        places.append((threading.current_thread().name, widget.painting))

    async def main() -> int:
        # as the engine does it, which knows of no window
        seen = await asyncio.to_thread(_litter)
        widget.show()
        # those that lived when a collection began are an older generation's
        await until(lambda: widget.painted and sum(one() is not None for one in seen) < 100)
        return 0

    gc.enable()
    gc.callbacks.append(note)
    try:
        assert run_app(qapp, main) == 0
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(note)
        gc.disable()
    assert places
    assert set(places) == {(threading.main_thread().name, False)}
