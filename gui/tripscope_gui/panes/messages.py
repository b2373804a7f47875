"""Messages: the message list by source at the selected moment, and what changed in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.event_selection import selection_for
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel
from tripscope_gui.panes import Pane
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.message_rows import MessageRow, message_rows, moments, wire_text
from tripscope_gui.store.prompts import difference
from tripscope_gui.store.unread_parts import unread_parts
from tripscope_gui.store.values import json_text
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.buttons import IconButton
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import ElidedLabel, plain_tooltip
from tripscope_gui.widgets.plain_view import PlainView
from tripscope_gui.widgets.segmented import SegmentedControl
from tripscope_gui.widgets.tables import TableView

_UNREAD_HINT: Final = "No processor of this chain reads: {}; it stays as it is"
_MARKS: Final = {"+": "+", "~": "~", "-": "\N{MINUS SIGN}", "": ""}
_TINTS: Final = {"+": "tint_green", "~": "tint_violet", "-": "tint_red"}
_TONES: Final = {"+": "added", "~": "changed", "-": "removed"}


def message_columns(unread: Callable[[MessageRow], str]) -> list[Column[MessageRow]]:
    """Change, source, role, id, version, what no processor reads, text."""
    mark: dict[int, Callable[[MessageRow], Any]] = {
        CellRole.GROUND: lambda row: _TINTS.get(row.change),
        CellRole.TONE: lambda row: _TONES.get(row.change, "t1"),
        CellRole.WEIGHT: lambda _: 600,
    }
    not_read: dict[int, Callable[[MessageRow], Any]] = {
        CellRole.ICON: lambda row: Icon.EYE_CROSSED if unread(row) else None,
        CellRole.TONE: lambda _: "flagged",
    }
    gone: dict[int, Callable[[MessageRow], Any]] = {
        CellRole.STRIKE: lambda row: row.change == "-",
        CellRole.TONE: lambda row: "t3" if row.change == "-" else "t1",
    }
    return [
        Column("", lambda row: _MARKS[row.change], 24, roles=mark),
        Column("source", lambda row: row.source, 74),
        Column("role", lambda row: row.role, 74),
        Column("id", lambda row: row.id, 78, mono=True, roles=gone),
        Column("version", lambda row: row.version, 60, number=True),
        Column(
            "not scanned", unread, 154, roles=not_read,
            tooltip=lambda row: _UNREAD_HINT.format(unread(row)) if unread(row) else "",
        ),
        Column(
            "text", lambda row: row.text, 300, mono=True, roles=gone,
            tooltip=lambda row: plain_tooltip(row.text),
        ),
    ]  # fmt: skip


class MessagesPane(Pane):
    """The list as it stood at what is selected; with nothing selected, the newest."""

    TITLE = "Messages"
    PLACE = "middle-left"
    ORDER = 30

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._shown: tuple[object, ...] = ()
        self._key = ""
        self.model: ListModel[MessageRow] = ListModel(message_columns(self._unread), (), self)
        self.table = TableView(theme, "messages")
        self.table.setModel(self.model)
        self.table.set_column_widths([column.width for column in self.model.columns], 6)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.earlier = IconButton(theme, Icon.CHEVRON_LEFT, "Earlier list")
        self.later = IconButton(theme, Icon.CHEVRON_RIGHT, "Later list")
        self.earlier.clicked.connect(lambda: self._step(-1))
        self.later.clicked.connect(lambda: self._step(1))
        self._where = ElidedLabel(theme, tone="t2", px=11)
        self.form = SegmentedControl(
            [("text", "text"), ("json", "JSON"), ("diff", "diff to before")], "form"
        )
        self.form.selected.connect(lambda _key: self._show_detail())
        bar = QFrame()
        bar.setProperty("kind", "filter")
        bar.setFixedHeight(Height.FILTER_ROW)
        line = QHBoxLayout(bar)
        line.setContentsMargins(6, 0, 8, 0)
        line.setSpacing(6)
        for widget in (self.earlier, self.later):
            line.addWidget(widget)
        line.addWidget(self._where, 1)
        line.addWidget(self.form)
        self.detail = PlainView(theme, "message")
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.table)
        split.addWidget(self.detail)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(split, 1)
        self.empty = EmptyState(theme, "No run yet")
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(body)

    def reset(self) -> None:
        self._shown = ()
        self._show()

    def grow(self, first: int, end: int) -> None:
        self._show()

    def follow(self) -> None:
        self._show()

    def _unread(self, row: MessageRow) -> str:
        """What no processor reads of a message, in words."""
        store = self.store
        found = unread_parts(store.chain, row.wire) if store is not None else None
        return ", ".join(found or ())

    def place(self) -> int | None:
        """Place in ``store.messages`` of the list that is shown."""
        store, chosen = self.store, self.context.selection.current
        if store is None or not store.messages:
            return None
        for seq in (chosen.seq, chosen.finding):
            if store.event(seq) is not None and seq is not None:
                return moments(store, seq)
        if chosen.row is not None and chosen.row < len(store.rows):
            row = store.rows[chosen.row]
            seqs = [*(call.seq for call in row.calls), *(d.seq for d in row.delivered)]
            seqs += [row.model.seq] if row.model is not None else []
            return moments(store, max(seqs, default=0))
        attempt = store.attempts.get(chosen.step, chosen.attempt)
        seq = attempt.last_seq if attempt is not None else store.events[-1].seq
        return moments(store, seq)

    def _show(self) -> None:
        store, place = self.store, self.place()
        if store is None or place is None:
            hint = "" if store is not None else "The message list shows up here."
            self.empty.set_text("No message yet" if store is not None else "No run yet", hint)
            self._stack.setCurrentIndex(0)
            self._shown = ()
            return
        self._stack.setCurrentIndex(1)
        if (id(store), place) != self._shown:
            self._shown = (id(store), place)
            self._fill(store, place)
        self.earlier.setEnabled(place > 0)
        self.later.setEnabled(place < len(store.messages) - 1)
        self._where.set_text(self._words(store, place))

    def _fill(self, store: RunStore, place: int) -> None:
        rows = message_rows(store, place)
        key = self._key
        self.model.reset(rows)
        wanted = self.context.selection.current.span
        number = next(
            (
                n
                for n, row in enumerate(rows)
                if (wanted is not None and row.id == wanted.message) or row.id == key
            ),
            next((n for n, row in enumerate(rows) if row.change), len(rows) - 1),
        )
        if rows:
            self.table.selectRow(number)
        self._show_detail()

    def _words(self, store: RunStore, place: int) -> str:
        event = store.messages[place]
        where = f"step {event.step}" if event.step is not None else "outside the steps"
        if event.attempt is not None:
            where += f", attempt {event.attempt + 1}"
        who = f", after {event.processor} in {event.hook}" if event.processor else ""
        return f"list {place + 1} of {len(store.messages)}: {where}{who}"

    def _on_row(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, MessageRow):
            self._key = row.id
        self._show_detail()

    def _show_detail(self) -> None:
        row = self.table.currentIndex().data(ROW_ROLE)
        if not isinstance(row, MessageRow):
            self.detail.show_text("")
            return
        self.form.button("diff").setEnabled(row.earlier is not None)
        form = self.form.current
        if form == "diff" and row.earlier is not None:
            self.detail.show_lines(difference(wire_text(row.earlier), row.text))
        elif form == "json":
            self.detail.show_text(json_text(row.wire, indent=2))
        else:
            self.detail.show_text(row.text)

    def _step(self, by: int) -> None:
        store, place, run = self.store, self.place(), self.context.run
        if store is None or place is None or run is None:
            return
        target = place + by
        if 0 <= target < len(store.messages):
            event = store.messages[target]
            self.context.selection.set(selection_for(store, run.number, event))
