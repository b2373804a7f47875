"""Chunks: a row per part of the stream, a column per place of the chain, lineage across them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QStackedWidget, QToolTip, QVBoxLayout, QWidget

from tripscope_gui.actions import Command
from tripscope_gui.context import PaneContext
from tripscope_gui.fonts import ui_font
from tripscope_gui.icons import Icon
from tripscope_gui.models.chunk_table import FIXED, SLICE_NS, ChunkTable
from tripscope_gui.panes import Pane
from tripscope_gui.selection import Selection, Span
from tripscope_gui.store.chunk_query import Node
from tripscope_gui.store.chunk_rows import CLIENT, MODEL, ChunkRow
from tripscope_gui.store.flow_map import range_of
from tripscope_gui.store.lineage_links import NONE, Lineage, lineage_of
from tripscope_gui.store.row_copy import rows_json, rows_text
from tripscope_gui.store.run_index import RunIndex, index_of
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.chunk_view import ChunkView
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.filter_bar import FilterBar
from tripscope_gui.widgets.labels import PlainLabel, plain_tooltip

GROW_NS: Final = 2_000_000
CALM_MS: Final = 120
TAIL_MS: Final = 30
_CHIPS: Final = "chunks.chips"


class ChunksPane(Pane):
    """The table with its filter row."""

    TITLE = "Chunks"
    PLACE = "middle-left"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.table = ChunkTable(self)
        self.view = ChunkView(context.theme, self.table)
        self.filter = FilterBar(context.theme)
        self._index: RunIndex | None = None
        self._follows = False
        self._new = 0
        self._moving = False
        self._was_ready = False
        self._lineage_label = PlainLabel("", "t2", px=TypeSize.LABEL)
        self.follow_button = Button(context.theme, "follow", Icon.FOLLOW, small=True)
        self.follow_button.setCheckable(True)
        self.follow_button.setToolTip("Keep the newest chunk in view (F)")
        self.filter.add_tool(self._lineage_label)
        self.filter.add_tool(self.follow_button)
        self._empty = EmptyState(
            context.theme,
            "No chunks yet",
            "Run the session, or open an example, to see each chunk on its way to the client.",
            ("Run", "Open\u2026"),
        )
        self._empty.button_clicked.connect(self._start)
        if "run.start" in context.actions:
            run = context.actions.action("run.start")
            run.enabledChanged.connect(self._empty.buttons[0].setEnabled)
            self._empty.buttons[0].setEnabled(run.isEnabled())
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self._stack, 1)
        self._comment_field: QLineEdit | None = None
        self._work = QTimer(self)
        self._work.setInterval(0)
        self._work.timeout.connect(self._advance)
        self._tail = QTimer(self)
        self._tail.setSingleShot(True)
        self._tail.setInterval(TAIL_MS)
        self._tail.timeout.connect(self._go_to_tail)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(CALM_MS)
        self._calm.timeout.connect(self._advance)
        self._columns_button = Button(context.theme, "all columns", small=True)
        self._columns_button.setMenu(self._column_menu())
        self._connect()
        self._add_commands()
        saved = context.settings.bytes(_CHIPS)
        self.filter.load_chips(bytes(saved.data()) if saved is not None else None)

    def _connect(self) -> None:
        self.filter.filter_changed.connect(self._refilter)
        self.filter.chips_changed.connect(self._save_chips)
        self.table.progressed.connect(self._tell_count)
        self.view.picked.connect(self._pick)
        self.view.entered.connect(self._enter)
        self.view.group_toggled.connect(self._toggle_group)
        self.view.scrolled_by_hand.connect(self._scrolled)
        self.follow_button.clicked.connect(self.set_follow)
        self.view.viewport().installEventFilter(self)

    def head_widgets(self) -> list[QWidget]:
        return [self._columns_button]

    @property
    def busy(self) -> bool:
        """Whether rows of the run are still being listed or coloured."""
        return self._work.isActive() or self._calm.isActive()

    # the run

    def count(self) -> None:
        total = len(self.store.rows) if self.store is not None else 0
        self.set_badge(f"{total:,}" if self.store is not None and not total else "")

    def reset(self) -> None:
        store = self.store
        self._work.stop()
        self._index = index_of(store) if store is not None else None
        self.table.show_run(self._index, self._test(self.filter.node))
        self.view.set_lineage(NONE)
        self._was_ready = False
        self._new = 0
        self.set_follow(store is not None and not store.over)
        self._column_menu_refresh()
        self._advance()
        self._show_state()
        if self._follows:
            self.view.scrollToBottom()

    def grow(self, first: int, end: int) -> None:
        if self._index is None:
            return
        before = len(self.table.entries)
        known = self.table.total - self.table.behind
        touched = self._take_in(GROW_NS)
        if not self._work.isActive() and self.table.advance():
            self._work.start()
        if not self._index.ready:
            # a fast stream is coloured once it calms down: nobody reads ten thousand rows a second
            self._calm.start()
        self.table.refresh(max(0, known - 1))
        self._show_state()
        self._grown(len(self.table.entries) - before)
        if touched:
            self._follow_lineage()
        if touched or (self.store is not None and self.store.over):
            # the newest group says how it ended, also while its row sticks to the top
            self.view.viewport().update()

    def _grown(self, added: int) -> None:
        if self._follows:
            if not self._tail.isActive():
                self._tail.start()
        elif added > 0:
            self._new += added
        self._tell_follow()
        if self.view.lineage.nodes and added:
            self._follow_lineage()

    def _take_in(self, nanoseconds: int = SLICE_NS) -> bool:
        """Bring marks and leaks up to date for a while; whether rows look different now."""
        if self._index is None:
            return False
        was_ready = self._was_ready
        self._index.advance(nanoseconds)
        self._was_ready = self._index.ready
        touched = self._index.take_touched()
        if self._was_ready and not was_ready:
            self.table.forget_looks()
            self.view.viewport().update()
            self._mark_selected()
        if touched:
            self.table.recheck(touched)
        return bool(touched)

    def _advance(self) -> None:
        """A slice of work: rows first, then what colours them."""
        before = len(self.table.entries)
        left = self.table.advance()
        if not left and self._take_in():
            self.view.viewport().update()
        if self._follows and not left and len(self.table.entries) != before:
            self.view.scrollToBottom()
        if left or (self._index is not None and not self._index.ready):
            self._work.start()
        elif self._work.isActive():
            self._work.stop()
            self._tell_count()
            self._mark_selected()
            self._follow_lineage()

    def _show_state(self) -> None:
        self._stack.setCurrentWidget(self.view if self.table.total else self._empty)
        if self.store is None:
            self._empty.set_text(
                "No chunks yet",
                "Run the session, or open an example, to see each chunk on its way to the client.",
            )
        elif self.store.over:
            self._empty.set_text("No chunk came", "The run ended before the model was called.")
        else:
            self._empty.set_text("No chunk yet", "The model was not heard so far.")
        for button in self._empty.buttons:
            button.setVisible(self.store is None)

    def _tell_count(self) -> None:
        table = self.table
        shown = table.entries.matching if table.filtered else table.total
        self.filter.set_count(
            shown, table.total, searching=table.filtered and self._work.isActive()
        )

    # following the newest chunk

    def set_follow(self, on: bool) -> None:
        """Keep the newest chunk in view, or stay."""
        self._follows = on
        self._new = 0
        self.follow_button.setChecked(on)
        if on:
            self.view.scrollToBottom()
        self._tell_follow()

    def _go_to_tail(self) -> None:
        if self._follows:
            self.view.scrollToBottom()

    def _scrolled(self) -> None:
        # the scroll bar moves after it has told of the action
        QTimer.singleShot(0, self, self._settle_follow)

    def _settle_follow(self) -> None:
        at_end = self.view.at_end
        running = self.store is not None and not self.store.over
        if at_end != self._follows and (self._follows or running):
            self.set_follow(at_end)

    def _tell_follow(self) -> None:
        words = f"{self._new:,} new" if self._new and not self._follows else "follow"
        if words != self.follow_button.text():
            self.follow_button.setText(words)
            self.follow_button.setAccessibleName(words)

    # the filter

    def _test(self, node: Node | None) -> Callable[[ChunkRow], bool] | None:
        return self._index.facts.test(node) if self._index is not None else None

    def _refilter(self, node: Node | None) -> None:
        self.table.set_test(self._test(node))
        if self.table.advance():
            self._work.start()
        self._tell_count()
        self._mark_selected()

    def _save_chips(self) -> None:
        self.context.settings.set_bytes(_CHIPS, QByteArray(self.filter.saved_chips()))

    # the selection

    def follow(self) -> None:
        self._mark_selected()
        self._follow_lineage()

    def _mark_selected(self) -> None:
        selection = self.context.selection.current
        if self._moving or selection.row is None:
            if selection.row is None:
                self.view.clearSelection()
            return
        group = self.table.entries.group_of(selection.row)
        if group is not None and group.collapsed:
            self._toggle_group(group.number)
        place = self.table.entries.place_of(selection.row)
        if place is None:
            self.view.clearSelection()
            return
        current = self.view.currentIndex()
        section = self.table.section_of(selection.processor or MODEL)
        if current.row() == place and (current.column() < len(FIXED) or not selection.processor):
            section = current.column()
        moved = self.view.reveal(place, section)
        # at the end of a run nothing newer comes: what is selected then stays in view
        if self._follows and (moved or (self.store is not None and self.store.over)):
            self.set_follow(False)

    def _follow_lineage(self) -> None:
        selection = self.context.selection.current
        lineage, label = NONE, ""
        store = self.store
        ready = self._index is not None and self._index.ready
        place = selection.row
        if ready and store is not None and place is not None and place in range(len(store.rows)):
            row = store.rows[place]
            lineage = self._lineage(row, selection)
            if lineage.nodes:
                label = f"lineage of chunk {row.label}"
        self._lineage_label.setText(label)
        self.view.set_lineage(lineage)

    def _lineage(self, row: ChunkRow, selection: Selection) -> Lineage:
        store = self.store
        if store is None or row.index is None:
            return NONE
        block = store.block_of(row)
        if block is None:
            return NONE
        for column in (MODEL, selection.processor or CLIENT, *store.rows.columns):
            lineage = lineage_of(block, column, row.index)
            if lineage.nodes:
                return lineage
        return NONE

    def _pick(self, place: int, section: int) -> None:
        row = self.table.chunk_row(place)
        if row is None:
            return
        column = self.table.column_of(section) or MODEL
        processor = column if column not in (MODEL, CLIENT) else None
        self._moving = True
        try:
            self.context.selection.select(
                step=row.step,
                attempt=row.attempt,
                hook="processOutputStream" if processor else None,
                processor=processor,
                row=row.number,
                seq=self._seq(row, column),
                span=self._span(row, column),
            )
        finally:
            self._moving = False

    def _seq(self, row: ChunkRow, column: str) -> int | None:
        if column == MODEL and row.model is not None:
            return row.model.seq
        if column == CLIENT and row.delivered:
            return row.delivered[-1].seq
        calls = [call.seq for call in row.calls if column in (MODEL, CLIENT, call.processor)]
        return calls[-1] if calls else None

    def _span(self, row: ChunkRow, column: str) -> Span | None:
        store = self.store
        block = store.block_of(row) if store is not None else None
        if block is None or column not in (MODEL, CLIENT):
            return None
        stretch = range_of(block.model if column == MODEL else block.delivered, row.index)
        return Span(*stretch, column=column, block=block.key[3]) if stretch is not None else None

    def _enter(self) -> None:
        """From a chunk to its first finding."""
        row = self.table.chunk_row(self.view.currentIndex().row())
        store = self.store
        if row is None or store is None or self._index is None or row.index is None:
            return
        marks = self._index.marks.by_index.get(row.index, [])
        found = next((mark for mark in marks if mark.seq is not None), None)
        if found is None:
            return
        from tripscope.trace.events import FindingMade
        from tripscope_gui.finding_selection import selection_of

        finding = store.event(found.seq)
        if isinstance(finding, FindingMade):
            self.context.selection.set(
                selection_of(self.context.selection.current.run, store, finding).with_(
                    row=row.number
                )
            )

    def _toggle_group(self, number: int) -> None:
        self.table.toggle(self.table.entries.groups[number])
        self.view.viewport().update()

    # marks and comments

    def toggle_mark(self) -> None:
        """Mark the current row, or take its mark away."""
        row = self.table.chunk_row(self.view.currentIndex().row())
        if row is not None and self._index is not None:
            self._index.notes.toggle_mark(row.number)
            self.view.viewport().update()

    def edit_comment(self) -> None:
        """Write a comment on the current row."""
        row = self.table.chunk_row(self.view.currentIndex().row())
        if row is None or self._index is None:
            return
        field = QLineEdit(self.view.viewport())
        field.setProperty("small", True)
        field.setFont(ui_font(TypeSize.LABEL))
        field.setPlaceholderText(f"Comment on chunk {row.label}; empty removes it")
        field.setAccessibleName("Comment")
        field.setText(self._index.notes.comment(row.number))
        left = self.view.columnViewportPosition(len(FIXED))
        top = self.view.rowViewportPosition(self.view.currentIndex().row())
        field.setGeometry(left, top - 2, min(420, self.view.viewport().width() - left - 8), 23)
        field.editingFinished.connect(lambda: self._comment(row.number, field))
        field.installEventFilter(self)
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._comment_field = field

    def _comment(self, row: int, field: QLineEdit) -> None:
        if self._comment_field is not field:
            return
        self._comment_field = None
        if self._index is not None:
            self._index.notes.set_comment(row, field.text())
        self._close_field(field)

    def _close_field(self, field: QLineEdit) -> None:
        field.hide()
        field.deleteLater()
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.view.viewport().update()

    def go_to_note(self, *, back: bool = False) -> None:
        """Select the next marked or commented row."""
        if self._index is None:
            return
        row = self.context.selection.current.row
        found = self._index.notes.next_from(-1 if row is None else row, back=back)
        place = self.table.entries.place_of(found) if found is not None else None
        if place is not None:
            self.view.reveal(place)
            self._pick(place, len(FIXED))

    # copying

    def _chosen(self) -> list[ChunkRow]:
        places = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [row for place in places if (row := self.table.chunk_row(place)) is not None]

    def copy(self, *, raw: bool = False, as_json: bool = False) -> None:
        """Put the selected rows on the clipboard; matched values are masked unless ``raw``."""
        rows = self._chosen()
        if not rows or self._index is None:
            return
        write = rows_json if as_json else rows_text
        QGuiApplication.clipboard().setText(write(self._index, rows, raw=raw))
        what = f"{len(rows)} rows" if len(rows) > 1 else f"Chunk {rows[0].label}"
        self.context.say(f"{what} copied, " + ("raw" if raw else "matched values masked"))

    # hands

    def _start(self, position: int) -> None:
        command = "run.start" if position == 0 else "file.open"
        if command in self.context.actions:
            self.context.actions.trigger(command)

    def _add_commands(self) -> None:
        def add(name: str, title: str, run: Callable[[], object], *keys: str) -> None:
            command = Command(f"chunks.{name}", title, "View", run, keys, hidden=True)
            self.context.actions.add(command, within=self.view)

        add("mark", "Mark this chunk", self.toggle_mark, "M")
        add("comment", "Comment on this chunk", self.edit_comment, "C")
        add("next_note", "Next marked chunk", self.go_to_note, "N")
        add("last_note", "Marked chunk before", lambda: self.go_to_note(back=True), "Shift+N")
        add("follow", "Follow the newest chunk", lambda: self.set_follow(not self._follows), "F")
        add("filter", "Filter chunks", lambda: self.filter.field.setFocus(), "/")
        add("freeze", "Freeze the view", lambda: self._trigger("run.freeze"), "Space")
        add("copy", "Copy chunks", self.copy, "Ctrl+C")
        add("copy_raw", "Copy chunks raw", lambda: self.copy(raw=True), "Ctrl+Shift+C")
        add("copy_json", "Copy chunks as JSON", lambda: self.copy(as_json=True))

    def _trigger(self, command: str) -> None:
        if command in self.context.actions:
            self.context.actions.trigger(command)

    def fill_menu(self, menu: QMenu) -> None:
        names = ("copy", "copy_raw", "copy_json", "mark", "comment", "next_note", "follow")
        for name in names:
            menu.addAction(self.context.actions.action(f"chunks.{name}"))

    def _column_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.aboutToShow.connect(self._column_menu_refresh)
        return menu

    def _column_menu_refresh(self) -> None:
        menu = self._columns_button.menu()
        menu.clear()
        for place in self.table.places:
            action = menu.addAction(self.table.title(place).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(place not in self.table.hidden)
            action.toggled.connect(lambda on, p=place: self.show_column(p, on))
        hidden = self.table.hidden & set(self.table.places)
        shown = len(self.table.places) - len(hidden)
        words = "all columns" if not hidden else f"{shown} of {len(self.table.places)} columns"
        # the style puts the menu's arrow over the end of the words
        self._columns_button.setText(words + "\u2003")
        self._columns_button.setAccessibleName(words)

    def show_column(self, place: str, on: bool) -> None:
        """Show or hide a place of the chain."""
        hidden = self.table.hidden - {place} if on else self.table.hidden | {place}
        if len(hidden & set(self.table.places)) >= len(self.table.places):
            return
        self.table.hidden = frozenset(hidden)
        self.view.arrange()
        self._column_menu_refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._comment_field and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
                field, self._comment_field = self._comment_field, None
                self._close_field(field)
                return True
        elif watched is self.view.viewport() and isinstance(event, QHelpEvent):
            return self._show_tip(event)
        return super().eventFilter(watched, event)

    def _show_tip(self, event: QHelpEvent) -> bool:
        index = self.view.indexAt(event.pos())
        row = self.table.chunk_row(index.row()) if index.isValid() else None
        column = self.table.column_of(index.column())
        if row is None or self._index is None:
            return False
        text = self._index.notes.comment(row.number) if column is None else ""
        if column is not None:
            look = self.table.look(row, column)
            text = "\n".join(part for part in (look.text, look.tip) if part)
        QToolTip.showText(event.globalPos(), plain_tooltip(text), self.view.viewport())
        return True
