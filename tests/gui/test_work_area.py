"""The panes behind others are made when the window has nothing better to do."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.window import live, session_wire, slow_script, until
from tripscope.session.model import Session
from tripscope_gui.load import Load
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


def test_a_run_that_takes_all_the_time_is_given_no_panes_behind(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Load] = []

    def share(load: Load) -> float:
        asked.append(load)
        return 1.0

    monkeypatch.setattr(Load, "share", share)

    async def drive(window: MainWindow) -> None:
        wire = session_wire(model=slow_script(200, 5))
        window.context.session.take(Session.model_validate(wire))
        grid = window.work.grid
        completed: list[bool] = []
        window.work.completed.connect(lambda: completed.append(True))

        def made() -> int:
            return sum(len(dock.panes) for dock in grid.docks.values())

        front = made()
        assert window.context.runs.start() is not None
        await until(lambda: len(asked) > 3)
        assert window.context.runs.running
        assert made() == front
        window.context.runs.stop()
        await until(lambda: completed, 15)
        assert made() > front

    live(qapp, theme, drive)
