import asyncio

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

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
        async with asyncio.timeout(5):
            while len(ticks) < 3:  # noqa: ASYNC110 - a Qt timer has no event to await
                await asyncio.sleep(0.001)
        timer.stop()
        return 0

    assert run_app(qapp, main) == 0


def test_the_error_of_main_comes_out(qapp: QApplication, qtbot: QtBot) -> None:
    async def main() -> int:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        run_app(qapp, main)
