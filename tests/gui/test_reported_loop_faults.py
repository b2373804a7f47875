"""Faults reported of windows that share a loop with asyncio: slots, and closing in mid-work."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from tests.support.llm_server import byte_server, http
from tests.support.patience import PATIENCE
from tests.support.still import still
from tests.support.window import finished, live, session_wire, slow_script, until, write_session
from tripscope.session import load_session, session_from_wire
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


def test_slots_are_called_as_they_are_meant(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        called: list[tuple[str, object]] = []

        async def no_parameters() -> None:
            await asyncio.sleep(0)
            called.append(("no parameters", None))

        async def one_default(wanted: object = "default") -> None:
            await asyncio.sleep(0)
            called.append(("one default", wanted))

        async def raising() -> None:
            called.append(("raising", None))
            raise ValueError("what it could not do")

        def plain(wanted: object = "default") -> None:
            called.append(("plain", wanted))

        def plain_raising() -> None:
            called.append(("plain raising", None))
            raise LookupError("what is not there")

        tasks = window.context.tasks
        told: list[tuple[str, str]] = []
        said: list[str] = []
        tasks.failed.connect(lambda name, error: told.append((name, str(error))))
        window.context.said.connect(said.append)
        for slot in (no_parameters, one_default, raising, plain, plain_raising):
            button = QPushButton(slot.__name__, window)
            button.clicked.connect(tasks.slot(slot, slot.__name__))
            button.show()
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            await until(lambda: tasks.running == 0)
        assert called == [
            ("no parameters", None),
            ("one default", "default"),
            ("raising", None),
            ("plain", "default"),
            ("plain raising", None),
        ]
        assert told == [
            ("raising", "what it could not do"),
            ("plain_raising", "what is not there"),
        ]
        assert said[-1] == "plain_raising failed: LookupError: what is not there"
        assert window.status.currentMessage() == said[-1]
        # and the window works on
        window.context.session.take(session_from_wire(session_wire()))
        run = await finished(window, window.context.runs.start)
        assert run.store.over

    live(qapp, theme, drive)


async def in_mid_stream(window: MainWindow, _folder: Path) -> None:
    window.context.session.take(session_from_wire(session_wire(model=slow_script())))
    run = window.context.runs.start()
    assert run is not None
    await until(lambda: len(run.store.rows) > 3)


async def in_mid_save(window: MainWindow, folder: Path) -> None:
    path = write_session(folder)
    window.documents.open_session(path)
    session = window.context.session.session
    assert session is not None
    window.context.session.edit("rename", session.model_copy(update={"name": "renamed"}))
    assert window.context.actions.trigger("file.save")


@pytest.mark.parametrize("begin", [in_mid_stream, in_mid_save])
def test_closing_twice_in_mid_work(
    qapp: QApplication,
    theme: Theme,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    begin: Callable[[MainWindow, Path], Awaitable[None]],
) -> None:
    async def drive(window: MainWindow) -> None:
        await begin(window, tmp_path)
        await close(window)

    live(qapp, theme, drive)
    assert noise(capfd) == ""
    if begin is in_mid_save:
        assert load_session(tmp_path / "small.tripscope.json").name == "renamed"
        assert [path.name for path in tmp_path.iterdir()] == ["small.tripscope.json"]


@pytest.mark.parametrize("answer", ["stream", "retry"])
def test_closing_hangs_up_on_the_server(
    qapp: QApplication,
    theme: Theme,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    streams = http(b'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n')
    later = http(b'{"error":{"message":"later"}}', status="429 Busy", extra="retry-after: 60\r\n")

    async def drive(window: MainWindow) -> None:
        held = answer == "stream"
        async with byte_server(streams if held else later, hold=held) as server:
            model = {
                "use": "openai/some-model",
                "baseUrl": server.base_url,
                "settings": {"maxRetries": 3},
            }
            window.context.session.take(session_from_wire(session_wire(model=model)))
            run = window.context.runs.start()
            assert run is not None
            await until(lambda: server.requests)
            if held:
                await until(lambda: len(run.store.rows) > 1)
            else:
                # the refused call is over; the next one is a minute away
                await until(server.closed.is_set)
                await still(window)
                assert window.context.runs.running
            await close(window)
            await asyncio.wait_for(server.closed.wait(), PATIENCE)
            assert len(server.requests) == 1

    live(qapp, theme, drive)
    assert noise(capfd) == ""


async def close(window: MainWindow) -> None:
    """Close it twice in a row; all that it did has ended by itself."""
    window.close()
    window.close()
    await asyncio.wait_for(window.closed.wait(), PATIENCE)
    await until(lambda: window.context.tasks.running == 0)
    assert not window.context.runs.running
    assert not window.isVisible()


def noise(capfd: pytest.CaptureFixture[str]) -> str:
    """What was written to stderr, but for what the offscreen platform always says."""
    lines = capfd.readouterr().err.splitlines()
    return "\n".join(line for line in lines if "propagateSizeHints" not in line)
