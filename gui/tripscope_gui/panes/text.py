"""Text: what it was before and after any two points of the chain, side by side."""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from tripscope.trace.events import FindingMade
from tripscope_gui.actions import Command
from tripscope_gui.context import PaneContext
from tripscope_gui.icons import Icon
from tripscope_gui.panes import Pane
from tripscope_gui.selection import Selection
from tripscope_gui.store.chunk_rows import CLIENT, MODEL
from tripscope_gui.store.flow_map import depth_of, range_of
from tripscope_gui.store.overlaps import Overlap, overlaps
from tripscope_gui.store.passages import (
    carry,
    cause_of,
    depth_of_column,
    map_offset,
    passage_at,
)
from tripscope_gui.store.run_index import RunIndex, index_of
from tripscope_gui.store.text_sources import (
    Followed,
    MessageSource,
    Source,
    StreamSource,
    first_source,
    follow_source,
    message_sources,
    source_of,
    stream_sources,
)
from tripscope_gui.store.text_walk import chunk_selection, walk_to_cause
from tripscope_gui.tokens import Height, TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.caret_bar import UNITS, CaretBar, in_units
from tripscope_gui.widgets.elided_combo import ElidedCombo
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.overlap_box import OverlapBox
from tripscope_gui.widgets.text_column import TextColumn

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
        self._overlaps: list[Overlap] = []
        self._overlap = 0
        self._scrolling = False
        self.before = TextColumn(theme, "Text before")
        self.after = TextColumn(theme, "Text after")
        self.caret_bar = CaretBar()
        self.overlap_box = OverlapBox(theme)
        self.before_combo = _combo("Point before")
        self.after_combo = _combo("Point after")
        self.sync_button = Button(theme, "synchronised", Icon.SYNC, small=True)
        self.sync_button.setCheckable(True)
        self.sync_button.setChecked(True)
        self.odd_button = Button(theme, "invisibles", Icon.INVISIBLES, kind=Kind.QUIET, small=True)
        self.odd_button.setCheckable(True)
        self.odd_button.setToolTip("Show blanks, invisible and look-alike characters")
        self.source_button = Button(theme, "text", kind=Kind.QUIET, small=True)
        self.source_button.setToolTip("Another text of this run")
        self._empty = EmptyState(theme, "Select a chunk or a message", "")
        self._reading = QTimer(self)
        self._reading.setInterval(0)
        self._reading.timeout.connect(self._read)
        self._growth = QTimer(self)
        self._growth.setSingleShot(True)
        self._growth.setInterval(GROW_MS)
        self._growth.timeout.connect(self._show_texts)
        self._lay_out()
        # its width decides which words the buttons have, so they may not decide the width
        self.setMinimumWidth(_LEAST)
        self._connect()

    def _lay_out(self) -> None:
        bar = QFrame()
        bar.setProperty("kind", "filter")
        bar.setFixedHeight(Height.FILTER_ROW)
        line = QHBoxLayout(bar)
        line.setContentsMargins(8, 0, 6, 0)
        line.setSpacing(6)
        for label, combo in (("before", self.before_combo), ("after", self.after_combo)):
            line.addWidget(PlainLabel(label, "t2", px=TypeSize.LABEL))
            line.addWidget(combo, 1)
        line.addWidget(self.sync_button)
        line.addWidget(self.odd_button)
        line.addWidget(self.source_button)
        rule = QFrame()
        rule.setProperty("kind", "vrule")
        texts = QWidget()
        sides = QHBoxLayout(texts)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.setSpacing(0)
        sides.addWidget(self.before, 1)
        sides.addWidget(rule)
        sides.addWidget(self.after, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(texts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._stack, 1)
        column.addWidget(self.caret_bar)
        column.addWidget(self.overlap_box)
        self.overlap_box.hide()

    def _connect(self) -> None:
        context = self.context
        self.before_combo.activated.connect(lambda _i: self._show_texts())
        self.after_combo.activated.connect(lambda _i: self._show_texts())
        self.odd_button.toggled.connect(self.show_odd)
        self.sync_button.toggled.connect(lambda on: self._scrolled(self.before) if on else None)
        self.source_button.setMenu(QMenu(self.source_button))
        self.source_button.menu().aboutToShow.connect(self._fill_sources)
        self.overlap_box.next_requested.connect(self.next_overlap)
        context.units_changed.connect(self._show_overlaps)
        for column in (self.before, self.after):
            text = column.text
            text.caret_moved.connect(lambda offset, c=column: self._tell_caret(c, offset))
            text.picked.connect(lambda offset, c=column: self._tell_caret(c, offset))
            text.pointed.connect(lambda offset, c=column: self.select_at(c, offset))
            text.entered.connect(lambda offset, c=column: self.walk(c, offset))
            text.verticalScrollBar().valueChanged.connect(lambda _v, c=column: self._scrolled(c))
        context.actions.add(
            Command(
                "text.next_overlap",
                "Next overlap",
                "View",
                self.next_overlap,
                ("F3",),
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
        self._first_show()

    def _first_show(self) -> None:
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
        if not self._growth.isActive():
            self._growth.start()

    def _following_newest(self) -> bool:
        current = self.context.selection.current
        return current == Selection(run=current.run)

    def follow(self) -> None:
        store = self.store
        selection = self.context.selection.current
        if self._reading.isActive():
            return
        if store is None or selection == Selection(run=selection.run):
            self._outline_nothing()
            return
        source = source_of(store, selection) or self._source or first_source(store)
        if source != self._source:
            self._show(source, selection)
        elif isinstance(source, MessageSource):
            self._choose_points(selection)
            self._show_texts()
        self._outline(selection)

    # what is shown

    def _show(self, source: Source | None, selection: Selection | None = None) -> None:
        self._source = source
        self._subject = None
        self.before_combo.clear()
        self.after_combo.clear()
        if source is not None:
            self._refresh_followed()
            self._choose_points(selection)
        for combo in (self.before_combo, self.after_combo):
            combo.setEnabled(combo.count() > 0)
        title = self._title(source)
        # the style puts the menu's arrow over the end of the words
        self.source_button.setText(title.replace("&", "&&") + "\u2003")
        self.source_button.setAccessibleName(f"Text shown: {title}")
        self._show_texts()
        self._outline_nothing()

    def _title(self, source: Source | None) -> str:
        if source is None:
            return "no text"
        if isinstance(source, StreamSource) and self.store is not None:
            beside = [k for k in self.store.blocks if k[:3] == source.key[:3]]
            if len(beside) == 1 and source.key[2] == "text":
                return source.place
        return source.title

    def _refresh_followed(self) -> None:
        store = self.store
        if store is None or self._source is None:
            return
        self._subject = follow_source(store, self._source)
        points = self._subject.points if self._subject is not None else []
        if [self.before_combo.itemData(n) for n in range(self.before_combo.count())] == [
            key for key, _ in points
        ]:
            return
        for combo, default in ((self.before_combo, 0), (self.after_combo, len(points) - 1)):
            chosen = combo.currentData()
            combo.clear()
            for key, title in points:
                combo.addItem(title, key)
            found = combo.findData(chosen) if chosen is not None else -1
            combo.setCurrentIndex(found if found >= 0 else default)

    def _choose_points(self, selection: Selection | None) -> None:
        """For a message, the selected processor is the point after."""
        if not isinstance(self._source, MessageSource) or selection is None:
            return
        found = self.after_combo.findData(selection.processor)
        if selection.processor is not None and found >= 0:
            self.after_combo.setCurrentIndex(found)

    def _show_texts(self) -> None:
        begin = time.perf_counter()
        if self._index is not None:
            self._refresh_followed()
        followed, index = self._subject, self._index
        if followed is None or index is None:
            self._stack.setCurrentIndex(0)
            self.before.show_passage(None)
            self.after.show_passage(None)
        else:
            self._stack.setCurrentIndex(1)
            self.before.show_passage(passage_at(index, followed, self._column(self.before)))
            self.after.show_passage(passage_at(index, followed, self._column(self.after)))
        self._show_overlaps()
        self._tell_caret(self.before, self.before.text.caret())
        # a long text takes long to show: it is shown less often while it grows
        spent = int((time.perf_counter() - begin) * 1e3)
        self._growth.setInterval(max(GROW_MS, spent * 8))

    def _column(self, side: TextColumn) -> str:
        combo = self.before_combo if side is self.before else self.after_combo
        return str(combo.currentData() or MODEL)

    def show_odd(self, on: bool) -> None:
        """Show invisible and look-alike characters on both sides."""
        for side in (self.before, self.after):
            side.text.show_odd(on)
            side.cut.given.show_odd(on)

    def _fill_sources(self) -> None:
        menu = self.source_button.menu()
        menu.clear()
        store = self.store
        if store is None:
            return
        sources: list[Source] = [*message_sources(store), *stream_sources(store)]
        for source in sources[-40:]:
            action = menu.addAction(source.title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(source == self._source)
            action.triggered.connect(lambda _on, s=source: self._show(s))

    # offsets

    def _tell_caret(self, side: TextColumn, offset: int) -> None:
        passage = side.passage
        if passage is not None:
            name = "before" if side is self.before else "after"
            if isinstance(self._source, StreamSource) and passage.column in (MODEL, CLIENT):
                name = passage.column
            self.caret_bar.show_caret(name, passage.text, min(offset, passage.units))

    def _show_overlaps(self) -> None:
        passage = self.before.passage
        self._overlaps = []
        if passage is not None:
            unit = UNITS.index(self.context.unit)
            text = passage.text
            self._overlaps = overlaps(passage.spans, lambda at: in_units(text, at)[unit])
        self._overlap = min(self._overlap, max(0, len(self._overlaps) - 1))
        self._show_overlap()

    def _show_overlap(self) -> None:
        room = self.height() >= _ROOM_FOR_OVERLAPS
        count = len(self._overlaps)
        self.before.head.setToolTip("")
        if count:
            overlap = self._overlaps[self._overlap]
            unit = self.context.unit
            self.overlap_box.show_overlap(self._overlap + 1, count, overlap, unit)
            if not room:
                self.before.head.setToolTip(f"{overlap.sentence}: {overlap.spoken}")
        self.overlap_box.setVisible(bool(count) and room)

    def next_overlap(self) -> None:
        """Go to the next place where rules overlap."""
        if not self._overlaps:
            return
        self._overlap = (self._overlap + 1) % len(self._overlaps)
        overlap = self._overlaps[self._overlap]
        self._show_overlap()
        self.before.text.outline(overlap.start, overlap.end, flash=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_overlap()
        narrow = self.width() < _ROOM_FOR_WORDS
        for button, words in ((self.sync_button, "synchronised"), (self.odd_button, "invisibles")):
            button.setText("" if narrow else words)
            button.setToolTip(words)

    # scrolling together

    def _scrolled(self, side: TextColumn) -> None:
        if self._scrolling or self._subject is None or not self.sync_button.isChecked():
            return
        other = self.after if side is self.before else self.before
        if not other.text.isVisible():
            return
        self._scrolling = True
        try:
            other.text.scroll_to_top(self._map(side, other, side.text.top_offset()))
        finally:
            self._scrolling = False

    def _map(self, side: TextColumn, other: TextColumn, offset: int) -> int:
        assert self._subject is not None
        block = self._subject.block
        here = depth_of_column(block, self._column(side))
        there = depth_of_column(block, self._column(other))
        return map_offset(block, offset, here, there)

    # the selection

    def _outline_nothing(self) -> None:
        for text in (self.before.text, self.after.text, self.after.cut.given):
            text.clear_outline()

    def _outline(self, selection: Selection) -> None:
        """Outline what is selected on both sides, and let it flash."""
        self._outline_nothing()
        found = self._selected(selection)
        followed = self._subject
        if found is None or followed is None:
            return
        start, end, depth = found
        block = followed.block
        for side in (self.before, self.after):
            to = depth_of_column(block, self._column(side))
            ranges = carry(block, start, end, depth, to)
            self._outline_cut(side, start, end, depth)
            if ranges and side.text.isVisible():
                self._scrolling = side is self.after
                side.text.outline(ranges[0][0], ranges[-1][1], flash=True)
                self._scrolling = False
        self._tell_caret(self.before, self.before.text.caret())

    def _outline_cut(self, side: TextColumn, start: int, end: int, depth: int) -> None:
        cut = side.passage.cut if side.passage is not None else None
        if cut is None or self._subject is None:
            return
        block = self._subject.block
        at = depth_of(block, cut.processor)
        given = carry(block, start, end, depth, at - 1) if at is not None else []
        if given:
            side.cut.given.outline(given[0][0], given[-1][1], flash=True)

    def _selected(self, selection: Selection) -> tuple[int, int, int] | None:
        """(start, end, depth) of what a selection speaks of in the text shown."""
        store, followed = self.store, self._subject
        if store is None or followed is None:
            return None
        block = followed.block
        finding = store.event(selection.finding)
        span = selection.span
        if isinstance(finding, FindingMade):
            depth = depth_of(block, finding.processor)
            return (finding.start, finding.end, depth - 1) if depth is not None else None
        if span is not None and (span.block in (None, block.key[3])):
            if span.column == CLIENT:
                return span.start, span.end, len(block.flows) - 1
            depth = depth_of(block, span.column)
            return span.start, span.end, depth - 1 if depth is not None else -1
        if selection.row is None or not isinstance(followed.source, StreamSource):
            return None
        index = store.rows[selection.row].index if selection.row < len(store.rows) else None
        stretch = range_of(block.model, index)
        if stretch is not None:
            return (*stretch, -1)
        for depth, flow in enumerate(block.flows):
            if (stretch := range_of(flow.out, index)) is not None:
                return (*stretch, depth)
        return None

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
        depth = depth_of_column(followed.block, self._column(side))
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
        return cause_of(self._index, self._subject, self._column(side), offset)


def _combo(name: str) -> QComboBox:
    combo = ElidedCombo()
    combo.setProperty("small", True)
    combo.setAccessibleName(name)
    combo.setMinimumWidth(76)
    combo.setMaximumWidth(190)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return combo
