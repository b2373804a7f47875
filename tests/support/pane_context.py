"""The context that panes share, without a window around it."""

import os
from collections.abc import Sequence

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget

from tripscope.trace.events import AnyEvent
from tripscope_gui.actions import Actions
from tripscope_gui.aio import TaskSupervisor
from tripscope_gui.context import PaneContext
from tripscope_gui.run_controller import RunController
from tripscope_gui.session_access import SessionAccess
from tripscope_gui.settings import Settings
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme


def make_context(theme: Theme, owner: QWidget) -> PaneContext:
    """A context that dies with `owner`; nobody's settings are read or written."""
    context = PaneContext(
        theme=theme,
        settings=Settings(QSettings(os.devnull, QSettings.Format.IniFormat), owner),
        actions=Actions(owner),
        session=SessionAccess(owner),
        tasks=TaskSupervisor(owner),
        parent=owner,
    )
    context.runs = RunController(context)
    return context


def look_at(context: PaneContext, events: Sequence[AnyEvent]) -> Run:
    """Load a run and look at it."""
    return context.runs.load(events)


def feed(context: PaneContext, events: Sequence[AnyEvent], batch: int = 7) -> Run:
    """A run whose events arrive in batches, as live ones do."""
    run = context.workspace.add()
    context.show_current()
    for first in range(0, len(events), batch):
        run.store.extend(events[first : first + batch])
        context.events_appended.emit(first, len(run.store.events))
    context.runs_changed.emit()
    return run
