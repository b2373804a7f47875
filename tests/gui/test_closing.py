"""Closing the window, and stopping a run, wherever the run is waiting: nothing hangs or is left.

That no task, thread or window stays behind is looked for after each test: `tests.support.leaks`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.patience import PATIENCE, WHOLE
from tests.support.window import finished, live, until, write_session
from tripscope import model_call
from tripscope.processor import HOOKS, Processor
from tripscope.session import build
from tripscope_gui import aio, run_controller
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


class Waiting:
    """What a hook that never returns has seen."""

    def __init__(self) -> None:
        self.entered = False
        self.cancelled = False

    async def hold(self, *_: Any) -> None:
        self.entered = True
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


def waiting_type(hook: str, waiting: Waiting) -> type[Processor]:
    """A built-in whose one hook waits for ever."""

    async def wait(_self: Processor, _args: Any) -> None:
        await waiting.hold()

    def from_options(cls: type[Processor], _options: dict[str, Any], *, id: str) -> Processor:
        made = cls()
        made.id = id
        return made

    body = {HOOKS[hook]: wait, "TYPE": "waits", "from_options": classmethod(from_options)}
    return type("Waits", (Processor,), body)


def session(tmp_path: Path, **more: Any) -> Path:
    call = [
        {"type": "tool-call", "toolCallId": "c", "toolName": "t", "input": "{}"},
        {"type": "finish", "finishReason": "tool-calls"},
    ]
    model = {"use": "scripted", "script": [{"chunks": call}, {"text": ["done"]}]}
    tools = [{"name": "t", "results": ["r"]}]
    return write_session(tmp_path, **({"model": model, "tools": tools, "chain": []} | more))


async def closed(window: MainWindow) -> None:
    """Close as a person does, twice in their impatience.

    What does not end when it is told to is waited for longer than this does.
    """
    window.close()
    window.close()
    await asyncio.wait_for(window.closed.wait(), PATIENCE)
    assert not window.context.runs.running


async def stopped(window: MainWindow) -> None:
    """Stop the run; the window lives on and can run again."""
    run = await finished(window, window.context.runs.stop)
    assert run.store.status == "cancelled"
    assert run.store.ended is not None
    assert window.context.runs.can_run


@pytest.mark.parametrize("end", [closed, stopped])
@pytest.mark.parametrize("hook", sorted(HOOKS))
def test_while_a_hook_waits(
    qapp: QApplication,
    theme: Theme,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hook: str,
    end: Any,
) -> None:
    waiting = Waiting()
    monkeypatch.setattr(build, "BUILT_INS", {"waits": waiting_type(hook, waiting)})
    more: dict[str, Any] = {"chain": [{"id": "w", "type": "waits"}]}
    if hook == "processAPIError":
        error = {"message": "no", "statusCode": 400, "isRetryable": False}
        more["model"] = {"use": "scripted", "script": [{"error": error}]}
    path = session(tmp_path, **more)

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(path)
        assert window.context.runs.start() is not None
        await until(lambda: waiting.entered)
        await end(window)
        assert waiting.cancelled

    live(qapp, theme, drive)


@pytest.mark.parametrize("end", [closed, stopped])
def test_between_two_tries_of_a_model_call(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: Any
) -> None:
    monkeypatch.setattr(model_call, "_FIRST_PAUSE", WHOLE)
    monkeypatch.setattr(model_call, "_LONGEST_PAUSE", WHOLE)
    busy = {"message": "too many requests", "statusCode": 429, "isRetryable": True}
    model = {
        "use": "scripted",
        "script": [{"error": busy}] * 3,
        "settings": {"maxRetries": 2},
    }

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(session(tmp_path, model=model))
        run = window.context.runs.start()
        assert run is not None
        # the first try has failed, and the pause before the next one has begun
        await until(lambda: any(e.kind == "model-chunk" for e in run.store.events))
        assert len(run.store.requests) == 1
        await end(window)
        assert len(run.store.requests) == 1

    live(qapp, theme, drive)


@pytest.mark.parametrize("end", [closed, stopped])
def test_while_a_tool_runs(qapp: QApplication, theme: Theme, tmp_path: Path, end: Any) -> None:
    tools = [{"name": "t", "results": ["r"], "delayMs": 60_000}]

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(session(tmp_path, tools=tools))
        run = window.context.runs.start()
        assert run is not None
        await until(lambda: run.store.tools)
        await end(window)
        assert run.store.tools[0].ended is None or run.store.tools[0].ended.error is not None

    live(qapp, theme, drive)


@pytest.mark.parametrize("end", [closed, stopped])
def test_while_the_model_is_silent(
    qapp: QApplication, theme: Theme, tmp_path: Path, end: Any
) -> None:
    part = {"type": "text-delta", "id": "t", "delta": "a", "delayMs": 60_000}
    model = {"use": "scripted", "script": [{"chunks": [{"type": "text-start", "id": "t"}, part]}]}

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(session(tmp_path, model=model))
        run = window.context.runs.start()
        assert run is not None
        await until(lambda: len(run.store.rows) > 1)
        await end(window)

    live(qapp, theme, drive)


def test_while_a_hook_does_not_let_itself_be_cancelled(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window closes all the same; the hook is let go at the end of the test."""
    monkeypatch.setattr(aio, "SHUTDOWN_SECONDS", 0.1)
    monkeypatch.setattr(run_controller, "END_SECONDS", 0.1)
    waiting, go = Waiting(), asyncio.Event()

    async def deaf() -> None:
        waiting.entered = True
        while not go.is_set():
            try:
                await go.wait()
            except asyncio.CancelledError:
                waiting.cancelled = True

    monkeypatch.setattr(waiting, "hold", deaf)
    monkeypatch.setattr(build, "BUILT_INS", {"waits": waiting_type("processInput", waiting)})
    path = session(tmp_path, chain=[{"id": "w", "type": "waits"}])

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(path)
        assert window.context.runs.start() is not None
        await until(lambda: waiting.entered)
        window.close()
        try:
            await asyncio.wait_for(window.closed.wait(), PATIENCE)
            assert waiting.cancelled
        finally:
            go.set()
            await until(lambda: not window.context.runs.running)

    live(qapp, theme, drive)
