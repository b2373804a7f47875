"""A window that is closed while a run is being stored: it stays, says so, or is closed again."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.gui.test_run_history import with_history
from tests.support.window import finished, until, write_session
from tripscope.trace.store import RunHistory
from tripscope_gui import run_history
from tripscope_gui.main_window import MainWindow
from tripscope_gui.run_history import HistoryKeeper
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return write_session(tmp_path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "runs.db"


def slowly(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """A disk that stores nothing until the event is set."""
    may = asyncio.Event()
    at_once = HistoryKeeper._save

    async def save(self: HistoryKeeper, run: Run, session: str) -> None:
        await may.wait()
        await at_once(self, run, session)

    monkeypatch.setattr(HistoryKeeper, "_save", save)
    return may


def stored(path: Path) -> int:
    history = RunHistory(path)
    number = len(history.runs())
    history.close()
    return number


def test_a_window_stays_until_its_run_is_kept_and_says_so(
    qapp: QApplication, theme: Theme, path: Path, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drive(window: MainWindow) -> None:
        said: list[str] = []
        window.context.said.connect(said.append)
        may = slowly(monkeypatch)
        window.documents.open_session(session)
        await finished(window, window.context.runs.start)
        window.close()
        await until(lambda: said)
        assert said == ["Keeping Run 1; close again to leave without it"]
        assert window.isVisible()
        assert not window.isEnabled()
        may.set()
        await until(window.closed.is_set)

    with_history(qapp, theme, path, drive)
    assert stored(path) == 1


def test_a_window_that_is_closed_twice_does_not_wait_for_its_run(
    qapp: QApplication, theme: Theme, path: Path, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_history, "SETTLE_SECONDS", 0.01)

    async def drive(window: MainWindow) -> None:
        said: list[str] = []
        window.context.said.connect(said.append)
        slowly(monkeypatch)
        window.documents.open_session(session)
        await finished(window, window.context.runs.start)
        window.close()
        await until(lambda: said)
        window.close()
        await until(window.closed.is_set)

    with_history(qapp, theme, path, drive)
    assert stored(path) == 0
