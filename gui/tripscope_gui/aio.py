"""The bridge between Qt's event loop and asyncio, and the one way to start a task.

qasync is imported here only. `TaskSupervisor.start` keeps a strong reference to each task, names it
and brings its error to one place; `shutdown` cancels all tasks and waits for their end.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QThread, Signal
from PySide6.QtWidgets import QApplication

from tripscope_gui.collector import collect_due

T = TypeVar("T")
SHUTDOWN_SECONDS: Final = 1.5
SWITCH_SECONDS: Final = 0.001
"""For how long a busy thread may keep the interpreter's lock from the window."""


class TaskSupervisor(QObject):
    """Owns the tasks of the window."""

    failed = Signal(str, object)
    """(what the task was doing, its exception); never for a cancel."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False

    @property
    def running(self) -> int:
        """How many tasks are at work."""
        return len(self._tasks)

    @property
    def ready(self) -> bool:
        """Whether a task can be started: a loop runs, and the window is not closing."""
        return not self._closing and asyncio._get_running_loop() is not None

    def start(self, coro: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T] | None:
        """Run a coroutine; its error is emitted by ``failed``.

        Returns:
            The task; None while the window closes, when nothing is started any more.
        """
        if self._closing:
            coro.close()
            return None
        task = asyncio.get_running_loop().create_task(coro, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def slot(self, function: Callable[[], object], name: str) -> Callable[..., None]:
        """A slot for any signal out of a function or a coroutine function.

        What the signal carries is dropped (``clicked`` sends a bool), so parameters of the
        function keep their defaults. An error is emitted by ``failed``, with ``name``.
        """

        def call(*_carried: object) -> None:
            try:
                made = function()
            except Exception as error:
                self.failed.emit(name, error)
            else:
                if asyncio.iscoroutine(made):
                    self.start(made, name)

        return call

    async def shutdown(self, seconds: float | None = None) -> list[str]:
        """Cancel all tasks and wait until they ended.

        Returns:
            Names of those that did not end within ``seconds``, or else `SHUTDOWN_SECONDS`.
        """
        self._closing = True
        current = asyncio.current_task()
        tasks = {task for task in self._tasks if task is not current}
        for task in tasks:
            task.cancel()
        if tasks:
            limit = SHUTDOWN_SECONDS if seconds is None else seconds
            _, pending = await asyncio.wait(tasks, timeout=limit)
            return sorted(task.get_name() for task in pending)
        return []

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self.failed.emit(task.get_name(), error)


def on_interrupt(ask: Callable[[], object]) -> None:
    """Call ``ask`` once Ctrl+C is pressed in the terminal; the next one ends the process.

    Without it Python raises in whatever callback Qt is about to make, which kills no window but may
    leave the loop broken. To be called in the loop; nothing happens where it cannot be done.
    """

    def interrupted() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        ask()

    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError, ValueError, RuntimeError):
        loop.add_signal_handler(signal.SIGINT, interrupted)


def run_app(app: QApplication, main: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Run ``main`` in a loop that serves Qt and asyncio, and close the loop when it returns.

    The application must not quit by itself: ``main`` decides when the window's life is over.

    Returns:
        What ``main`` returned.
    """
    os.environ.setdefault("QT_API", "pyside6")
    import qasync

    app.setQuitOnLastWindowClosed(False)
    sys.setswitchinterval(SWITCH_SECONDS)
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with _collecting_between_events():
        try:
            code: int = loop.run_until_complete(main())
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            asyncio.set_event_loop(None)
            loop.close()
    return code


@contextmanager
def _collecting_between_events() -> Iterator[None]:
    """The cyclic collector runs after an event was handled, in the window's thread, or not at all.

    See `tripscope_gui.collector` for what happens elsewhere.
    """
    dispatcher = QAbstractEventDispatcher.instance()
    was_on = gc.isenabled()
    gc.disable()
    dispatcher.awake.connect(_after_event)
    try:
        yield
    finally:
        dispatcher.awake.disconnect(_after_event)
        if was_on:
            gc.enable()


def _after_event() -> None:
    # the loop of a dialog runs in the middle of the event that opened it
    if QThread.currentThread().loopLevel() <= 1:
        collect_due()
