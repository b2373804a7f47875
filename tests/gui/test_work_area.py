"""The panes behind others are made when the window has nothing better to do."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.window import live, session_wire, slow_script, until
from tripscope.session.model import Session
from tripscope_gui import work_area
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


def test_a_run_that_takes_all_the_time_is_given_no_panes_behind(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_area, "_FREE_SECONDS", 0.0)

    async def drive(window: MainWindow) -> None:
        wire = session_wire(model=slow_script(200, 5))
        window.context.session.take(Session.model_validate(wire))
        grid = window.work.grid
        completed: list[bool] = []
        window.work.completed.connect(lambda: completed.append(True))

        def made() -> int:
            return sum(len(dock.panes) for dock in grid.docks.values())

        front = made()
        run = window.context.runs.start()
        assert run is not None
        await until(lambda: len(run.store.rows) > 150)
        assert window.context.runs.running
        assert made() == front
        window.context.runs.stop()
        await until(lambda: completed, 15)
        assert made() > front

    live(qapp, theme, drive)


def test_a_run_that_leaves_time_does_not_keep_the_panes_behind_back(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_area, "_BEHIND_MS", 5)
    monkeypatch.setattr(work_area, "_FREE_SECONDS", 5.0)

    async def drive(window: MainWindow) -> None:
        wire = session_wire(model=slow_script(2000, 5))
        window.context.session.take(Session.model_validate(wire))
        completed: list[bool] = []
        window.work.completed.connect(lambda: completed.append(window.context.runs.running))
        assert window.context.runs.start() is not None
        await until(lambda: completed, 15)
        assert completed == [True]

    live(qapp, theme, drive)
