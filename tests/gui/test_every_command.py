"""Every command that can be used, once in each state of the window: nothing may fail or linger."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from tests.support.shown import shown_windows
from tests.support.window import finished, live, slow_script, until, write_session
from tripscope.trace.file import save
from tripscope_gui.main_window import MainWindow
from tripscope_gui.overlays import KeysOverlay, Palette
from tripscope_gui.theme import Theme

LEFT_OUT = {"file.quit"}
"""There would be no window for what comes next."""


class States:
    """Brings the window into a state, whatever the command before did to it."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self._window = window
        self._runs = window.context.runs
        self._small = write_session(folder)
        self._slow = write_session(folder, "slow", model=slow_script())
        self._trace = folder / "run.trace.jsonl"

    async def start_page(self) -> None:
        context = self._window.context
        if context.session.session is not None or context.run is not None:
            await self.leaving(self._window.documents.close())

    async def session(self) -> None:
        await self._open(self._small)

    async def finished(self) -> None:
        await self._open(self._small)
        await finished(self._window, self._runs.start)

    async def running(self) -> None:
        await self._open(self._slow)
        run = self._runs.start()
        assert run is not None
        await until(lambda: len(run.store.rows) > 3)

    async def frozen(self) -> None:
        await self.running()
        self._runs.set_frozen(True)

    async def trace(self) -> None:
        if not self._trace.exists():
            await self.finished()
            assert self._window.context.run is not None
            save(self._trace, self._window.context.run.store.events)
        await self.start_page()
        await self._open(self._trace)

    async def _open(self, path: Path) -> None:
        assert await self.leaving(self._window.documents.open(path)) is not False

    async def leaving(self, leave: Coroutine[Any, Any, object]) -> object:
        """Await what may ask whether changes are to be saved; they are not."""
        task = self._window.context.tasks.start(leave, "leave")
        assert task is not None
        while not task.done():
            for box in self._window.findChildren(QMessageBox):
                for button in box.buttons():
                    if box.isVisible() and button.text() == "Don't save":
                        button.click()
            await asyncio.sleep(0.002)
        return task.result()


def close_all(window: MainWindow) -> None:
    """Give up whatever a command opened over the window."""
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.reject()
    for kind in (Palette, KeysOverlay):
        for overlay in window.findChildren(kind):
            overlay.close()


@pytest.mark.parametrize(
    "state", ["start_page", "session", "finished", "running", "frozen", "trace"]
)
def test_every_command(
    qapp: QApplication,
    theme: Theme,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    failures: list[tuple[str, str]] = []
    used: list[str] = []

    async def drive(window: MainWindow) -> None:
        window.context.tasks.failed.connect(lambda doing, e: failures.append((doing, repr(e))))
        window.context.runs.refused.connect(lambda why: failures.append((used[-1], why)))
        states = States(window, tmp_path)
        await states.session()
        await until(lambda: "window.pane.chain" in window.context.actions)
        await until(lambda: not window.context.tasks.running)
        arrange: Callable[[], Awaitable[None]] = getattr(states, state)
        await arrange()
        actions = window.context.actions
        for command in sorted(actions, key=lambda c: c.id):
            if command.id in LEFT_OUT or not actions.enabled(command.id):
                continue
            before = _condition(window)
            used.append(command.id)
            actions.action(command.id).trigger()
            await asyncio.sleep(0.005)
            close_all(window)
            await asyncio.sleep(0)
            if _condition(window) != before:
                await arrange()
        await states.start_page()
        await until(lambda: not window.context.tasks.running)

    with shown_windows(alone=True) as windows:
        live(qapp, theme, drive)
    assert failures == []
    # nothing else is a window of its own, be it for a moment
    assert {type(shown).__name__ for shown in windows} == {"MainWindow"}
    assert {"file.new", "file.open", "view.palette", "help.keys"} <= set(used)
    if state != "start_page":
        assert len(used) > 40


def _condition(window: MainWindow) -> tuple[object, ...]:
    """What arranging a state sets up."""
    context = window.context
    return (
        context.session.session is None,
        context.session.path,
        context.run,
        len(context.workspace.runs),
        context.runs.running,
        context.runs.frozen,
    )
