"""The whole window in its own loop, for tests that drive it as a person would."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.support.patience import PATIENCE, WHOLE
from tripscope.session import save_session
from tripscope.session.model import Session
from tripscope_gui.actions import Actions
from tripscope_gui.aio import TaskSupervisor, run_app
from tripscope_gui.context import PaneContext
from tripscope_gui.main_window import MainWindow
from tripscope_gui.run_controller import RunController
from tripscope_gui.session_access import SessionAccess
from tripscope_gui.settings import Settings
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme


def no_settings() -> Settings:
    """Settings that nobody made and nobody keeps."""
    return Settings.in_memory()


def make_context(theme: Theme) -> PaneContext:
    """A context without a window, for tests of one pane or bar."""
    context = PaneContext(
        theme=theme,
        settings=no_settings(),
        actions=Actions(),
        session=SessionAccess(),
        tasks=TaskSupervisor(),
    )
    context.runs = RunController(context)
    return context


def live(
    app: QApplication,
    theme: Theme,
    test: Callable[[MainWindow], Awaitable[None]],
    *,
    size: tuple[int, int] = (1600, 1000),
    settings: Settings | None = None,
) -> None:
    """Show the window, await ``test``, close the window; the test's own error comes out."""

    async def main() -> int:
        window = MainWindow(theme, settings or no_settings())
        window.resize(*size)
        window.show()
        try:
            await asyncio.wait_for(test(window), WHOLE)
        finally:
            left = await window.context.tasks.shutdown(PATIENCE)
            window.closed.set()
            window.close()
            window.deleteLater()
        assert left == []
        return 0

    assert run_app(app, main) == 0


async def until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something holds, a turn of the loop at a time."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what it waits for has no event of its own
            await asyncio.sleep(0.002)


async def finished(window: MainWindow, start: Callable[[], object]) -> Run:
    """Start a run and await its end."""
    done: asyncio.Future[Run] = asyncio.get_running_loop().create_future()

    def on_finished(run: Run) -> None:
        if not done.done():
            done.set_result(run)

    window.context.runs.finished.connect(on_finished)
    start()
    try:
        return await asyncio.wait_for(done, PATIENCE)
    finally:
        window.context.runs.finished.disconnect(on_finished)


def session_wire(**more: object) -> dict[str, object]:
    """A scripted answer with an address that comes in two chunks, and a filter that redacts it."""
    return {
        "format": "tripscope-session",
        "version": 1,
        "name": "small",
        "model": {"use": "scripted", "script": [{"text": ["Mail ann@exa", "mple.test now."]}]},
        "chain": [
            {
                "id": "pii",
                "type": "regex-filter",
                "options": {"presets": ["pii"], "strategy": "redact", "streamCarryoverSize": 24},
            }
        ],
        "prompts": ["How do I reach Ann?"],
    } | more


def slow_script(
    chunks: int = 1000, delay_ms: float = 5, *, ends: bool = False
) -> dict[str, object]:
    """A model that takes its time, and does not end while a test looks; or does it at last."""
    parts: list[dict[str, object]] = [{"type": "text-start", "id": "t"}]
    parts += [
        {"type": "text-delta", "id": "t", "delta": f"word {n} ", "delayMs": delay_ms}
        for n in range(chunks)
    ]
    last: dict[str, object] = {} if ends else {"delayMs": 3_600_000}
    parts += [{"type": "text-end", "id": "t"} | last, {"type": "finish", "finishReason": "stop"}]
    return {"use": "scripted", "script": [{"chunks": parts}]}


def write_session(folder: Path, name: str = "small", **more: object) -> Path:
    """Save the session of `session_wire` to a file."""
    path = folder / f"{name}.tripscope.json"
    save_session(Session.model_validate(session_wire(**more)), path)
    return path
