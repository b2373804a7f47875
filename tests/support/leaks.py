"""What a test may leave behind, and doesn't: asyncio tasks, threads, top-level widgets."""

import asyncio
import gc
import threading
import weakref
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.patience import PATIENCE

JOIN_SECONDS = PATIENCE
# Pools that serve the whole process carry this in their threads' names and may outlive a test.
SHARED_POOL = "tripscope-pool"

BEFORE: pytest.StashKey["Snapshot"] = pytest.StashKey()

_tasks: "weakref.WeakSet[asyncio.Task[Any]]" = weakref.WeakSet()
_cancelled_by_runner: list[str] = []
_originals: dict[str, Any] = {}


@dataclass
class Snapshot:
    """Threads, tasks and top-level widgets alive before a test."""

    threads: set[int]
    tasks: set[int]
    widgets: set[int] = field(default_factory=set)


def watch_tasks() -> None:
    """Keep sight of every task made in this process, and of those asyncio itself cancels.

    A runner cancels what is left when its loop closes, so such a leak is silent; it is noted
    at that moment. Tasks on a loop that nobody closed stay pending and are seen in `find`.
    """
    create_task = asyncio.BaseEventLoop.create_task
    runners: Any = asyncio.runners
    cancel_all = runners._cancel_all_tasks
    _originals.update(create_task=create_task, cancel_all=cancel_all)

    def watched_create_task(loop: Any, coro: Any, **named: Any) -> Any:
        task = create_task(loop, coro, **named)
        _tasks.add(task)
        return task

    def watched_cancel_all(loop: asyncio.AbstractEventLoop) -> None:
        _cancelled_by_runner.extend(map(_describe_task, asyncio.all_tasks(loop)))
        cancel_all(loop)

    asyncio.BaseEventLoop.create_task = watched_create_task  # type: ignore[method-assign]
    runners._cancel_all_tasks = watched_cancel_all


def unwatch_tasks() -> None:
    """Put back what `watch_tasks` replaced."""
    runners: Any = asyncio.runners
    asyncio.BaseEventLoop.create_task = _originals["create_task"]  # type: ignore[method-assign]
    runners._cancel_all_tasks = _originals["cancel_all"]


def snapshot() -> Snapshot:
    """Note what is alive now."""
    _cancelled_by_runner.clear()
    return Snapshot(
        threads={id(thread) for thread in threading.enumerate()},
        tasks={id(task) for task in _tasks if not task.done()},
        widgets={address for address, _ in _top_level_widgets()},
    )


def find(before: Snapshot, *, qt: bool) -> list[str]:
    """Describe what is alive now and was not before; empty when nothing is."""
    return [
        *_cancelled_by_runner,
        *(_describe_task(t) for t in _tasks if not t.done() and id(t) not in before.tasks),
        *_left_threads(before),
        *(_left_widgets(before) if qt else ()),
    ]


def _describe_task(task: "asyncio.Task[Any]") -> str:
    return f"task {task.get_name()} running {getattr(task.get_coro(), '__qualname__', '?')}"


def _left_threads(before: Snapshot) -> list[str]:
    left = []
    for thread in threading.enumerate():
        if id(thread) in before.threads or thread.name.startswith(SHARED_POOL):
            continue
        if isinstance(thread, threading._DummyThread):
            continue  # Python's record of a foreign thread; it cannot be joined
        thread.join(JOIN_SECONDS)
        if thread.is_alive():
            left.append(f"thread {thread.name}")
    return left


def _left_widgets(before: Snapshot) -> list[str]:
    def fresh() -> list[str]:
        tops = [name for address, name in _top_level_widgets() if address not in before.widgets]
        return tops + _modal_widget()

    if not fresh():
        return []
    from PySide6.QtCore import QCoreApplication, QEvent

    # Widgets that wait for their deletion, or for a reference cycle's, are not leaks.
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return [f"widget {name}" for name in fresh()]


def _modal_widget() -> list[str]:
    """A question that is still open: no window takes any input beside it."""
    from PySide6.QtWidgets import QApplication

    modal = QApplication.activeModalWidget() if QApplication.instance() is not None else None
    return [] if modal is None else [f"{type(modal).__name__} {modal.objectName()!r}, modal"]


def _top_level_widgets() -> list[tuple[int, str]]:
    import sys

    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    import shiboken6

    return [
        (shiboken6.getCppPointer(widget)[0], f"{type(widget).__name__} {widget.objectName()!r}")
        for widget in widgets.QApplication.topLevelWidgets()
        # Qt keeps the last tooltip; a window with a parent goes with it.
        if widget.parent() is None
        and type(widget).__name__ != "QTipLabel"
        and widget.metaObject().className() != "QTipLabel"
    ]
