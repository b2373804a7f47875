"""Text: what it was before and after any two points of the chain, side by side."""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from tripscope.trace.events import FindingMade
from tripscope.trace.text_run import TextRun
from tripscope_gui.actions import Command
from tripscope_gui.context import PaneContext
from tripscope_gui.panes import Pane
from tripscope_gui.selection import Selection
from tripscope_gui.store.chunk_rows import CLIENT, MODEL
from tripscope_gui.store.followed import Followed, MessageSource, Source, StreamSource, ToolSource
from tripscope_gui.store.overlaps import spoken
from tripscope_gui.store.passages import cause_of
from tripscope_gui.store.points import depth_of_column, map_offset
from tripscope_gui.store.run_index import RunIndex, index_of
from tripscope_gui.store.text_ranges import selected_range
from tripscope_gui.store.text_sources import (
    first_source,
    follow_source,
    message_sources,
    source_of,
    stream_sources,
    tool_sources,
)
from tripscope_gui.store.text_walk import chunk_selection, walk_to_cause
from tripscope_gui.widgets.caret_bar import CaretBar
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.overlap_box import OverlapBox
from tripscope_gui.widgets.overlap_steps import OverlapSteps
from tripscope_gui.widgets.text_bar import TextBar
from tripscope_gui.widgets.text_column import TextColumn
from tripscope_gui.widgets.text_pair import TextPair

GROW_MS: Final = 80
READ_NS: Final = 4_000_000
_ROOM_FOR_OVERLAPS: Final = 330
_ROOM_FOR_WORDS: Final = 660
_LEAST: Final = 460


class TextPane(Pane):
    """Two columns of text with the chain's findings in them."""

    TITLE = "Text"
    PLACE = "middle-right"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._index: RunIndex | None = None
        self._source: Source | None = None
        self._subject: Followed | None = None
        self._caret: tuple[TextRun, int, str] | None = None
        """What the caret bar tells of: a text, an offset in it and the name of the point."""
        self.overlaps = OverlapSteps()
        self.bar = TextBar(theme)
        self.pair = TextPair(theme)
        self.before, self.after = self.pair.before, self.pair.after
        self.caret_bar = CaretBar()
        self.overlap_box = OverlapBox(theme)
        self._empty = EmptyState(theme, "Select a chunk or a message", "")
        self._reading = QTimer(self)
        self._reading.setInterval(0)
        self._reading.timeout.connect(self._read)
        self._growth = QTimer(self)
        self._growth.setSingleShot(True)
        self._growth.setInterval(GROW_MS)
        self._growth.timeout.connect(self._show_growth)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.pair)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self._stack, 1)
        column.addWidget(self.caret_bar)
        column.addWidget(self.overlap_box)
        self.overlap_box.hide()
        # its width decides which words the buttons have, so they may not decide the width
        self.setMinimumWidth(_LEAST)
        self._connect()

    def _connect(self) -> None:
        bar, pair = self.bar, self.pair
        bar.points_changed.connect(self._show_texts)
        bar.odd.toggled.connect(pair.show_odd)
        bar.sync.toggled.connect(pair.set_synchronised)
        bar.sources_wanted.connect(self._offer_sources)
        bar.source_chosen.connect(self._show)
        pair.caret_moved.connect(self._tell_caret)
        pair.pointed.connect(self.select_at)
        pair.entered.connect(self.walk)
        self.overlap_box.next_requested.connect(self.next_overlap)
        self.context.units_changed.connect(self._show_overlaps)
        self.context.actions.add(
            Command(
                "text.next_overlap",
                "Next overlap",
                "View",
                self.next_overlap,
                ("F3",),
                enabled=lambda: self.context.store is not None,
                hidden=True,
            ),
            within=self,
        )

    # the run

    def reset(self) -> None:
        store = self.store
        self._index = index_of(store) if store is not None else None
        self._source = self._subject = None
        self._show(None)
        self._read()

    def _read(self) -> None:
        """Take a long trace in, a slice at a time, then show its newest text."""
        if self._index is None:
            self._reading.stop()
            return
        if self._index.advance(READ_NS):
            self._empty.set_text("Reading the trace", "")
            self._reading.start()
            return
        self._reading.stop()
        self._empty.set_text("Select a chunk or a message", "")
        store = self.store
        self._show(first_source(store) if store is not None else None)
        if not self._following_newest():
            self.follow()

    def grow(self, first: int, end: int) -> None:
        if self._reading.isActive():
            return
        if self._index is not None and self._index.advance(READ_NS):
            # a fast stream is shown once it calms down
            self._reading.start()
            return
        if self._source is None or self._following_newest():
            store = self.store
            newest = first_source(store) if store is not None else None
            if newest != self._source:
                self._show(newest)
                return
        if self.store is not None and self.store.over:
            self._growth.stop()
            self._show_texts()
        elif not self._growth.isActive():
            self._growth.start()

    def _show_growth(self) -> None:
        turns = self.context.turns
        if turns.on:
            turns.ask(self._show_texts)
        else:
            self._show_texts()

    def _following_newest(self) -> bool:
        current = self.context.selection.current
        return current == Selection(run=current.run)

    def follow(self) -> None:
        store = self.store
        selection = self.context.selection.current
        if self._reading.isActive():
            return
        if store is None or selection == Selection(run=selection.run):
            self.pair.outline_nothing()
            return
        source = source_of(store, selection) or self._source or first_source(store)
        if source != self._source:
            self._show(source, selection)
        elif isinstance(source, MessageSource | ToolSource):
            # for what came in one piece, the selected processor is the point after
            self.bar.choose_after(selection.processor)
            self._show_texts()
        self._outline(selection)

    # what is shown

    def _show(self, source: Source | None, selection: Selection | None = None) -> None:
        self._source = source
        self._subject = None
        self.bar.clear_points()
        self._follow_source()
        if isinstance(source, MessageSource | ToolSource) and selection is not None:
            self.bar.choose_after(selection.processor)
        self.bar.show_title(self._title(source))
        self._draw()
        self.pair.outline_nothing()

    def _title(self, source: Source | None) -> str:
        if source is None:
            return "no text"
        if isinstance(source, StreamSource) and self.store is not None:
            beside = [k for k in self.store.blocks if k[:3] == source.key[:3]]
            if len(beside) == 1 and source.key[2] == "text":
                return source.place
        return source.title

    def _follow_source(self) -> None:
        """Bring the text, and the points at which it can be looked at, up to date."""
        store, source = self.store, self._source
        if store is not None and source is not None:
            self._subject = follow_source(store, source)
        self.bar.show_points(self._subject.points if self._subject is not None else ())

    def _show_texts(self) -> None:
        begin = time.perf_counter()
        if self._index is not None:
            self._follow_source()
        self._draw()
        # a long text takes long to show: it is shown less often while it grows
        spent = int((time.perf_counter() - begin) * 1e3)
        self._growth.setInterval(max(GROW_MS, spent * 8))

    def _draw(self) -> None:
        self._stack.setCurrentIndex(0 if self._subject is None or self._index is None else 1)
        self.pair.show_texts(self._index, self._subject, self.bar.columns())
        self._show_overlaps()
        if self._subject is None and self._caret is not None:
            self._caret = None
            self.caret_bar.show_nothing()
        self._tell_caret(self.before, self.before.text.caret())

    def _offer_sources(self) -> None:
        store = self.store
        if store is not None:
            sources: list[Source] = [
                *message_sources(store),
                *tool_sources(store),
                *stream_sources(store),
            ]
            self.bar.show_sources(sources, self._source)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_overlap()
        self.bar.set_narrow(self.width() < _ROOM_FOR_WORDS)

    # offsets and overlaps

    def _tell_caret(self, side: TextColumn, offset: int) -> None:
        passage = side.passage
        if passage is not None:
            name = "before" if side is self.before else "after"
            if isinstance(self._source, StreamSource) and passage.column in (MODEL, CLIENT):
                name = passage.column
            run, offset = passage.run, min(offset, passage.run.length)
            told = self._caret
            # what stands behind the caret changes nothing, and other units take all text to count
            if told is None or told[0] is not run or told[1:] != (offset, name):
                self._caret = run, offset, name
                self.caret_bar.show_caret(name, run.text, offset)

    def _show_overlaps(self) -> None:
        self.overlaps.take(self.before.passage)
        self._show_overlap()

    def _show_overlap(self) -> None:
        room = self.height() >= _ROOM_FOR_OVERLAPS
        overlap, count = self.overlaps.current, len(self.overlaps.all)
        tip = ""
        if overlap is not None:
            unit = self.context.unit
            lines = self.overlaps.lines(unit)
            self.overlap_box.show_overlap(self.overlaps.number + 1, count, overlap, lines, unit)
            if not room:
                tip = f"{overlap.sentence}: {spoken(lines)}"
        self.before.head.setToolTip(tip)
        self.overlap_box.setVisible(overlap is not None and room)

    def next_overlap(self) -> None:
        """Go to the next place where rules overlap."""
        overlap = self.overlaps.go_on()
        if overlap is not None:
            self._show_overlap()
            self.before.text.outline(overlap.start, overlap.end, flash=True)

    # the selection

    def _outline(self, selection: Selection) -> None:
        """Outline what is selected on both sides, and let it flash."""
        store, followed = self.store, self._subject
        found = None
        if store is not None and followed is not None:
            found = selected_range(store, followed, selection)
        if found is None:
            self.pair.outline_nothing()
            return
        self.pair.outline(found)
        self._tell_caret(self.before, self.before.text.caret())

    def select_at(self, side: TextColumn, offset: int) -> None:
        """Select the finding at an offset, with its chunk and rule; the chunk alone if none."""
        found = self._cause(side, offset)
        followed, index = self._subject, self._index
        if followed is None or index is None:
            return
        run = self.context.selection.current.run
        if found is not None:
            self.context.selection.set(walk_to_cause(index, followed, found, run)[0])
            return
        depth = depth_of_column(followed.block, self.pair.column_of(side))
        selection = chunk_selection(index, followed, map_offset(followed.block, offset, depth, -1))
        if selection is not None:
            self.context.selection.set(selection.with_(run=run))

    def walk(self, side: TextColumn, offset: int) -> None:
        """A step from the text at an offset towards its cause: finding, chunks, raw frame."""
        found = self._cause(side, offset)
        followed, index = self._subject, self._index
        if followed is None or index is None:
            return
        if found is None:
            self.select_at(side, offset)
            return
        current = self.context.selection.current
        steps = walk_to_cause(index, followed, found, current.run)
        at = steps.index(current) + 1 if current in steps else 0
        if at >= len(steps):
            at = 0
        caret = side.text.caret()
        self.context.selection.set(steps[at])
        side.text.set_caret(caret)
        words = f"{found.rule} of {found.processor}"
        self.context.say(f"Cause of {words}, {at + 1} of {len(steps)}; Enter goes on")

    def _cause(self, side: TextColumn, offset: int) -> FindingMade | None:
        if self._subject is None or self._index is None:
            return None
        return cause_of(self._index, self._subject, self.pair.column_of(side), offset)
