"""Chunks: a row per part of the stream, a column per place of the chain, lineage across them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from tripscope_gui.actions import Command
from tripscope_gui.chunks.columns import ColumnChoice
from tripscope_gui.chunks.notes import ChunkNotes
from tripscope_gui.chunks.selecting import ChunkSelection
from tripscope_gui.chunks.tail import Tail
from tripscope_gui.chunks.tips import ChunkTips
from tripscope_gui.context import PaneContext
from tripscope_gui.leak_watch import LeakWatch
from tripscope_gui.models.chunk_table import SLICE_NS, ChunkTable
from tripscope_gui.panes import Pane
from tripscope_gui.store.chunk_facts import Test, within
from tripscope_gui.store.chunk_rows import ChunkRow
from tripscope_gui.store.lineage_links import NONE
from tripscope_gui.store.row_copy import rows_json, rows_text
from tripscope_gui.store.run_index import RunIndex, index_of
from tripscope_gui.widgets.chunk_view import ChunkView
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.filter_bar import FilterBar

GROW_NS: Final = 4_000_000
_LULL_MS: Final = 1000
"""How long no rows came until those that are there are coloured without news of the run."""
_CHIPS: Final = "chunks.chips"
_HINT: Final = "Run the session, or open an example, to see each chunk on its way to the client."


class ChunksPane(Pane):
    """The table with its filter row."""

    TITLE = "Chunks"
    PLACE = "middle-left"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.table = ChunkTable(self)
        self.view = ChunkView(theme, self.table)
        self.filter = FilterBar(theme)
        self.tail = Tail(theme, self.view)
        self.notes = ChunkNotes(context, self.view)
        self.columns = ColumnChoice(theme, self.view)
        self.chosen = ChunkSelection(context, self.view)
        self._tips = ChunkTips(self.view)
        self._index: RunIndex | None = None
        self._was_ready = False
        self._listing = QTimer(self)
        self._listing.setInterval(0)
        self._listing.timeout.connect(self._advance)
        self._lull = QTimer(self)
        self._lull.setSingleShot(True)
        self._lull.setInterval(_LULL_MS)
        self._lull.timeout.connect(self._advance)
        self._leaks = LeakWatch(self)
        self.filter.add_tool(self.chosen.label)
        self.filter.add_tool(self.tail.button)
        self._empty = EmptyState(theme, "No chunks yet", _HINT, ("Run", "Open\u2026"))
        self._lay_out()
        self._connect()
        self._add_commands()
        saved = context.settings.bytes(_CHIPS)
        self.filter.load_chips(bytes(saved.data()) if saved is not None else None)

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        context = self.context
        self.filter.filter_changed.connect(lambda _node: self._refilter())
        self.filter.chips_changed.connect(self._save_chips)
        self.filter.left.connect(self.view.setFocus)
        context.stretch_changed.connect(self._on_stretch)
        self.table.progressed.connect(self._tell_count)
        self.notes.went_to.connect(lambda place: self.chosen.pick(place, 0))
        self.chosen.moved.connect(self._let_go)
        self._leaks.known.connect(lambda _leaks: self._take_touched())
        self._empty.button_clicked.connect(self._start)
        if "run.start" in context.actions:
            run = context.actions.action("run.start")
            run.enabledChanged.connect(self._empty.buttons[0].setEnabled)
            self._empty.buttons[0].setEnabled(run.isEnabled())

    def head_widgets(self) -> list[QWidget]:
        return [self.columns.button]

    @property
    def busy(self) -> bool:
        """Whether rows of the run are still being listed or coloured."""
        return self._listing.isActive()

    # the run

    def count(self) -> None:
        total = len(self.store.rows) if self.store is not None else 0
        self.set_badge(f"{total:,}" if self.store is not None and not total else "")

    def reset(self) -> None:
        store = self.store
        self._listing.stop()
        self._lull.stop()
        self._index = index_of(store) if store is not None else None
        self.table.show_run(self._index, self._test())
        self.view.set_lineage(NONE)
        self._was_ready = False
        self._follow_run()
        self.tail.follow(self.tail.running)
        self.columns.refresh()
        self._advance()
        self._leaks.watch(store)
        self._show_state()
        self.tail.go()

    def grow(self, first: int, end: int) -> None:
        if self._index is None:
            return
        self._follow_run()
        before = len(self.table.entries)
        known = self.table.total - self.table.behind
        if not self.busy and self._list_some():
            self._listing.start()
        self.table.refresh(max(0, known - 1))
        added = len(self.table.entries) - before
        touched = self._take_touched()
        self._leaks.check()
        self._show_state()
        self.tail.grown(added)
        if self.view.lineage.nodes and added and not touched:
            self.chosen.draw_lineage()
        if self.store is not None and self.store.over:
            # the newest group says how it ended, also while its row sticks to the top
            self.view.viewport().update()

    def _list_some(self) -> bool:
        """List a slice of rows; whether more are left, or some to be coloured by this pane."""
        left = self.table.advance(GROW_NS)
        if self._index is None or self._index.ready:
            return left
        if self.context.turns.on and self.tail.running:
            # a run at work brings its index up to date; the next rows come with what is known then
            self._lull.start()
            return left
        return True

    def _follow_run(self) -> None:
        self.tail.running = self.store is not None and not self.store.over

    def _advance(self) -> None:
        """A slice of work: rows first, then what colours them."""
        before = len(self.table.entries)
        left = self.table.advance()
        if self._index is not None and not left:
            left = self._index.advance(SLICE_NS)
            self._take_touched()
            if len(self.table.entries) != before:
                self.tail.go()
        if left:
            self._listing.start()
        elif self.busy:
            self._listing.stop()
            self._tell_count()
            self.chosen.mark()
            self.chosen.draw_lineage()

    def _take_touched(self) -> bool:
        """Show what the index knows now of rows that are listed; whether it is more."""
        if self._index is None:
            return False
        ready, self._was_ready = self._was_ready, self._index.ready
        touched = self._index.take_touched()
        if self._was_ready and not ready:
            self.table.forget_looks()
            self.chosen.mark()
        if touched:
            self.table.recheck(touched)
            self.chosen.draw_lineage()
        if touched or (self._was_ready and not ready):
            self.view.viewport().update()
        return bool(touched)

    def _show_state(self) -> None:
        self._stack.setCurrentWidget(self.view if self.table.total else self._empty)
        if self.store is None:
            self._empty.set_text("No chunks yet", _HINT)
        elif self.store.over:
            self._empty.set_text("No chunk came", "The run ended before the model was called.")
        else:
            self._empty.set_text("No chunk yet", "The model was not heard so far.")
        for button in self._empty.buttons:
            button.setVisible(self.store is None)

    def _tell_count(self) -> None:
        table = self.table
        shown = table.entries.matching if table.filtered else table.total
        self.filter.set_count(shown, table.total, searching=table.filtered and self.busy)

    def _let_go(self) -> None:
        if self.tail.on:
            self.tail.follow(False)

    # the filter

    def _test(self) -> Test | None:
        if self._index is None:
            return None
        test, stretch = self._index.facts.test(self.filter.node), self.context.stretch
        return test if stretch is None else within(stretch, test)

    def _refilter(self) -> None:
        self.table.set_test(self._test())
        if self.table.advance():
            self._listing.start()
        self._tell_count()
        self.chosen.mark()

    def _on_stretch(self) -> None:
        if not self.isVisible():
            self.lag_behind()
        elif self._index is not None and self._index.store is self.store:
            self._refilter()

    def _save_chips(self) -> None:
        self.context.settings.set_bytes(_CHIPS, QByteArray(self.filter.saved_chips()))

    # the selection

    def follow(self) -> None:
        self.chosen.mark()
        self.chosen.draw_lineage()

    # copying

    def _chosen_rows(self) -> list[ChunkRow]:
        places = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [row for place in places if (row := self.table.chunk_row(place)) is not None]

    def copy(self, *, raw: bool = False, as_json: bool = False) -> None:
        """Put the selected rows on the clipboard; matched values are masked unless ``raw``."""
        rows = self._chosen_rows()
        if not rows or self._index is None:
            return
        write = rows_json if as_json else rows_text
        QGuiApplication.clipboard().setText(write(self._index, rows, raw=raw))
        what = f"{len(rows)} rows" if len(rows) > 1 else f"Chunk {rows[0].label}"
        self.context.say(f"{what} copied, " + ("raw" if raw else "matched values masked"))

    # hands

    def _start(self, position: int) -> None:
        self._trigger("run.start" if position == 0 else "file.open")

    def _trigger(self, command: str) -> None:
        if command in self.context.actions:
            self.context.actions.trigger(command)

    def to_filter(self) -> None:
        """Let a query be typed, from wherever the keyboard is."""
        self.context.show_pane(self.TITLE)
        self.filter.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _add_commands(self) -> None:
        find = Command(
            "chunks.find",
            "Find chunks",
            "View",
            self.to_filter,
            ("Ctrl+F",),
            enabled=lambda: self.context.store is not None,
            hint="Filter the chunks by words, /patterns/ and text in quotation marks",
        )
        self.context.actions.add(find)

        def add(name: str, title: str, run: Callable[[], object], *keys: str) -> None:
            command = Command(
                f"chunks.{name}",
                title,
                "View",
                run,
                keys,
                enabled=lambda: self.context.store is not None,
                hidden=True,
            )
            self.context.actions.add(command, within=self.view)

        notes, tail = self.notes, self.tail
        add("mark", "Mark this chunk", notes.toggle_mark, "M")
        add("comment", "Comment on this chunk", notes.edit_comment, "C")
        add("next_note", "Next marked chunk", notes.go_to_next, "N")
        add("last_note", "Marked chunk before", lambda: notes.go_to_next(back=True), "Shift+N")
        add("follow", "Follow the newest chunk", lambda: tail.follow(not tail.on), "F")
        add("filter", "Filter chunks", self.to_filter, "/")
        add("freeze", "Freeze the view", lambda: self._trigger("run.freeze"), "Space")
        add("copy", "Copy chunks", self.copy, "Ctrl+C")
        add("copy_raw", "Copy chunks raw", lambda: self.copy(raw=True), "Ctrl+Shift+C")
        add("copy_json", "Copy chunks as JSON", lambda: self.copy(as_json=True))

    def fill_menu(self, menu: QMenu) -> None:
        names = ("copy", "copy_raw", "copy_json", "mark", "comment", "next_note", "follow")
        for name in names:
            menu.addAction(self.context.actions.action(f"chunks.{name}"))
