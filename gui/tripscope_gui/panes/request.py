"""Request: the exact prompt and request of each provider call, and what changed since the last."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from tripscope.trace.events import ModelRequested
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import in_place
from tripscope_gui.event_selection import selection_for
from tripscope_gui.panes import Pane
from tripscope_gui.store.prompts import as_json, as_text, difference
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import ElidedLabel
from tripscope_gui.widgets.notice import Notice, Severity
from tripscope_gui.widgets.plain_view import PlainView
from tripscope_gui.widgets.segmented import SegmentedControl

_DIFF = "diff"


class RequestPane(Pane):
    """The call of the selected step, or the newest one."""

    TITLE = "Request"
    PLACE = "middle-left"
    ORDER = 40

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._shown: tuple[object, ...] = ()
        self.call = QComboBox()
        self.call.setProperty("small", True)
        self.call.setAccessibleName("provider call")
        self.call.activated.connect(self._on_call)
        self._about = ElidedLabel(theme, tone="t2", px=11)
        self.form = SegmentedControl(
            [("text", "text"), ("json", "JSON"), (_DIFF, "diff to previous")], "form"
        )
        self.form.selected.connect(lambda _key: self._show())
        bar = QFrame()
        bar.setProperty("kind", "filter")
        bar.setFixedHeight(Height.FILTER_ROW)
        line = QHBoxLayout(bar)
        line.setContentsMargins(6, 0, 8, 0)
        line.setSpacing(8)
        line.addWidget(self.call)
        line.addWidget(self._about, 1)
        line.addWidget(self.form)
        self.notice = Notice(theme, Severity.WARNING)
        self.view = PlainView(theme, "request")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.notice)
        column.addWidget(self.view, 1)
        self.empty = EmptyState(theme, "No run yet")
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(body)

    def reset(self) -> None:
        with QSignalBlocker(self.call):
            self.call.clear()
        self._shown = ()
        self._take()

    def grow(self, first: int, end: int) -> None:
        self._take()

    def follow(self) -> None:
        number = self._of_selection()
        if number is not None and number != self.call.currentIndex():
            self.call.setCurrentIndex(number)
        self._show()

    def _take(self) -> None:
        requests = self._requests()
        with QSignalBlocker(self.call):
            for number in range(self.call.count(), len(requests)):
                self.call.addItem(in_place(_title(requests[number], number)))
            chosen = self._of_selection()
            self.call.setCurrentIndex(len(requests) - 1 if chosen is None else chosen)
        self._show()

    def _requests(self) -> list[ModelRequested]:
        return self.store.requests if self.store is not None else []

    def _of_selection(self) -> int | None:
        """The newest call of the selected attempt up to what is selected."""
        chosen, requests = self.context.selection.current, self._requests()
        found = None
        for number, request in enumerate(requests):
            if request.seq == chosen.seq:
                return number
            if (request.step, request.attempt) == (chosen.step, chosen.attempt):
                found = number
        return found if chosen.step is not None else None

    def _on_call(self, number: int) -> None:
        store, run = self.store, self.context.run
        if store is not None and run is not None and number < len(store.requests):
            self.context.selection.set(selection_for(store, run.number, store.requests[number]))
        self._show()

    def _show(self) -> None:
        requests, number = self._requests(), self.call.currentIndex()
        if not 0 <= number < len(requests):
            if self.store is None:
                self.empty.set_text("No run yet", "What is sent to the model shows up here.")
            else:
                hint = "The model was not called" if self.store.over else "So far"
                self.empty.set_text("No request was sent", hint)
            self._stack.setCurrentIndex(0)
            self._shown = ()
            return
        self._stack.setCurrentIndex(1)
        request = requests[number]
        self.form.button(_DIFF).setEnabled(number > 0)
        form = self.form.current if number > 0 or self.form.current != _DIFF else "text"
        if (request.seq, form, id(self.store)) == self._shown:
            return
        self._shown = (request.seq, form, id(self.store))
        counts = ((len(request.prompt), "message"), (len(request.tools), "tool"))
        self._about.set_text(", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts))
        self._show_notice(request)
        if form == _DIFF:
            lines = difference(as_text(requests[number - 1]), as_text(request))
            if lines:
                self.view.show_lines(lines)
            else:
                self.view.show_text("The same prompt as in the call before.")
        else:
            self.view.show_text(as_json(request) if form == "json" else as_text(request))

    def _show_notice(self, request: ModelRequested) -> None:
        if request.differs:
            text = "the recorded answer may not fit what is asked now"
            self.notice.set_notice(Severity.WARNING, "Not the recorded prompt", text)
        elif request.from_cache:
            text = "the answer comes from the cache, no request is sent"
            self.notice.set_notice(Severity.CHANGE, "Not sent", text)
        self.notice.setVisible(request.differs or request.from_cache)


def _title(request: ModelRequested, number: int) -> str:
    step = f", step {request.step}" if request.step is not None else ""
    attempt = f", attempt {request.attempt + 1}" if request.attempt is not None else ""
    return f"request {number + 1}{step}{attempt}"
