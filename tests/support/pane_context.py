"""Panes in a window of their own, with a context and a run, for tests of one pane."""

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.support.window import make_context
from tripscope.trace.events import AnyEvent
from tripscope_gui.context import PaneContext
from tripscope_gui.panes import Pane
from tripscope_gui.selection import Selection
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme

P = TypeVar("P", bound=Pane)


def open_pane(
    qtbot: QtBot,
    theme: Theme,
    kind: type[P],
    events: Sequence[AnyEvent] = (),
    size: tuple[int, int] = (700, 240),
) -> P:
    """Show a pane of `kind`, its head's widgets above it, looking at the run of `events`."""
    host = QWidget()
    qtbot.addWidget(host)
    context = make_context(theme)
    context.setParent(host)
    pane = kind(context)
    column = QVBoxLayout(host)
    column.setContentsMargins(0, 0, 0, 0)
    for widget in pane.head_widgets():
        column.addWidget(widget)
    column.addWidget(pane, 1)
    if events:
        context.runs.load(events)
    host.resize(size[0], size[1] + host.sizeHint().height() - pane.sizeHint().height())
    host.show()
    pane.__dict__["host"] = host  # Qt alone does not keep it
    return pane


def feed(context: PaneContext, events: Sequence[AnyEvent], batch: int = 7) -> Run:
    """A run whose events arrive in batches, as live ones do."""
    run = context.workspace.add()
    context.show_current()
    for first in range(0, len(events), batch):
        run.store.extend(events[first : first + batch])
        context.events_appended.emit(first, len(run.store.events))
    context.runs_changed.emit()
    return run


def changes(context: PaneContext) -> list[Selection]:
    """A list that gets every selection from now on."""
    seen: list[Selection] = []
    context.selection.changed.connect(seen.append)
    return seen
