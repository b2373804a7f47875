"""Tripwire: the fields of what ended the run or the selected attempt."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedLayout, QWidget

from tripscope.wire import JSON
from tripscope_gui.context import PaneContext
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel
from tripscope_gui.panes import Pane
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.attempts import Attempt
from tripscope_gui.store.values import MOST_LINES, lines, value_words
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel, plain_tooltip
from tripscope_gui.widgets.tables import TableView


class Field(Struct, frozen=True):
    """One field by its path, as ``matches[0].rule``."""

    path: str
    value: str


def tripwire_columns(title: str) -> list[Column[Field]]:
    """Path and value; ``title`` is what the fields are of."""
    return [
        Column(title, lambda field: field.path, 132, tooltip=lambda f: plain_tooltip(f.path)),
        Column(
            "value", lambda field: field.value, 200, mono=True,
            tooltip=lambda f: plain_tooltip(f.value),
        ),
    ]  # fmt: skip


class TripwirePane(Pane):
    """The tripwire of the selected attempt, else of the run, else the newest one."""

    TITLE = "Tripwire"
    PLACE = "bottom-centre"
    ORDER = 20

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._shown: tuple[object, ...] = ()
        self.model: ListModel[Field] = ListModel(tripwire_columns("tripwire"), (), self)
        self.table = TableView(theme, "fields of the tripwire", columns=True)
        self.table.setModel(self.model)
        self.table.set_column_widths([132, 200], 1)
        self.empty = EmptyState(theme, "No run yet")
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self._of = PlainLabel("", "t2", px=11)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self._copy)

    def head_widgets(self) -> list[QWidget]:
        return [self._of]

    def reset(self) -> None:
        self._shown = ()
        self._show()

    def grow(self, first: int, end: int) -> None:
        self._show()

    def follow(self) -> None:
        self._show()

    def _show(self) -> None:
        store, selection = self.store, self.context.selection.current
        attempt = None
        if store is not None:
            chosen = store.attempts.get(selection.step, selection.attempt)
            rejected = [a for a in store.attempts if a.rejected]
            attempt = chosen if chosen is not None and chosen.rejected else None
            ended = store.ended
            if attempt is None and (ended is None or ended.tripwire is None) and rejected:
                attempt = rejected[-1] if ended is None or ended.error is None else None
        state = (id(store), store.ended if store else None, attempt.key if attempt else None)
        if state == self._shown:
            return
        self._shown = state
        title, wire, of = self._found(store, attempt)
        self._of.setText(of)
        if wire is None:
            ended_words = "Nothing was blocked in this run"
            if store is None:
                self.empty.set_text("No run yet", "What a tripwire carries shows up here.")
            else:
                self.empty.set_text("No tripwire", ended_words if store.over else "So far")
            self.model.reset((), tripwire_columns(title))
            self._stack.setCurrentIndex(0)
            return
        self.model.reset(fields_of(wire), tripwire_columns(title))
        self._stack.setCurrentIndex(1)

    def _found(self, store: RunStore | None, attempt: Attempt | None) -> tuple[str, JSON, str]:
        if store is None:
            return "tripwire", None, ""
        if attempt is not None:
            of = f"step {attempt.step}, attempt {attempt.attempt + 1}"
            return "tripwire", tripwire_of_attempt(store, attempt), of
        ended = store.ended
        if ended is None:
            return "tripwire", None, ""
        if ended.tripwire is not None:
            return "tripwire", ended.tripwire, "ended the run"
        return ("error", ended.error, "ended the run") if ended.error else ("tripwire", None, "")

    def _copy(self) -> None:
        field = self.table.currentIndex().data(ROW_ROLE)
        if isinstance(field, Field):
            QGuiApplication.clipboard().setText(f"{field.path}: {field.value}")


def tripwire_of_attempt(store: RunStore, attempt: Attempt) -> JSON:
    """What rejected an attempt, in the shape of a run's tripwire."""
    wire: dict[str, JSON] = {
        "reason": attempt.reason,
        "processorId": attempt.processor,
        "hook": attempt.hook or _hook_of(store, attempt),
        "retry": attempt.retried,
    }
    for violation in reversed(store.violations):
        if attempt.first_seq <= violation.seq <= attempt.last_seq:
            if isinstance(violation.detail, dict):
                wire["metadata"] = violation.detail
            break
    return wire


def fields_of(wire: JSON) -> list[Field]:
    """Fields in order, each path once; those of the metadata without its name."""
    fields: dict[str, Field] = {}
    if isinstance(wire, dict):
        wire = {"reason": wire.get("reason"), **wire} if "reason" in wire else wire
        if "reason" in wire and "retry" not in wire:
            head = {key: wire[key] for key in ("reason", "processorId") if key in wire}
            wire = {**head, "retry": False, **wire}
    if isinstance(wire, dict) and isinstance(wire.get("metadata"), dict):
        inner = wire["metadata"]
        first = {"strategy": inner["strategy"], **inner} if "strategy" in inner else inner
        wire = {**wire, "metadata": first}
    for path, value in lines(wire):
        name = path.removeprefix("metadata.")
        if name in fields or len(fields) >= MOST_LINES:
            continue
        words = value_words(value)
        if name.endswith("].index") and isinstance(value, int):
            words += " UTF-16"
        fields[name] = Field(name, words)
    return list(fields.values())


def _hook_of(store: RunStore, attempt: Attempt) -> str | None:
    for (processor, hook), tally in store.calls.tallies.items():
        if processor == attempt.processor and tally.outcomes["blocked"]:
            return hook
    return None
