"""Event: the selected event of the trace as JSON."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from tripscope.trace.codec import event_to_wire
from tripscope.trace.events import AnyEvent
from tripscope_gui.context import PaneContext
from tripscope_gui.icons import Icon
from tripscope_gui.panes import Pane
from tripscope_gui.store.event_choice import event_of
from tripscope_gui.store.values import json_text
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.buttons import IconButton
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel

_LONGEST: Final = 2_000_000


class EventPane(Pane):
    """Indented JSON of one event; text from models stays what it is, escaped as in files."""

    TITLE = "Event"
    PLACE = "middle-right"
    ORDER = 20

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._shown: int | None = None
        self.text = AnnotatedText(context.theme, "Event as JSON", line_height=18)
        self._label = PlainLabel("", "t2", px=TypeSize.LABEL)
        self._copy = IconButton(context.theme, Icon.COPY, "Copy this event")
        self._copy.clicked.connect(self.copy)
        self._empty = EmptyState(
            context.theme, "Select a chunk, a call or a finding", "Its event is shown as JSON."
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def head_widgets(self) -> list[QWidget]:
        return [self._label, self._copy]

    def reset(self) -> None:
        self._show(None)

    def follow(self) -> None:
        store = self.store
        self._show(event_of(store, self.context.selection.current) if store is not None else None)

    def _show(self, event: AnyEvent | None) -> None:
        self._copy.setEnabled(event is not None)
        self._stack.setCurrentWidget(self._empty if event is None else self.text)
        if event is None:
            self._shown = None
            self._label.setText("")
            return
        self._label.setText(f"event {event.seq} \u00b7 {event.kind}")
        if event.seq != self._shown or event != self._event():
            self._shown = event.seq
            self.text.set_text(event_json(event)[:_LONGEST])

    def _event(self) -> AnyEvent | None:
        return self.store.event(self._shown) if self.store is not None else None

    def copy(self) -> None:
        """Put the JSON on the clipboard: it is what the trace file holds, unredacted."""
        QGuiApplication.clipboard().setText(self.text.text())
        self.context.say("Event copied, raw")


def event_json(event: AnyEvent) -> str:
    """Indented JSON; what is no ASCII stays readable."""
    return json_text(event_to_wire(event), indent=2)
