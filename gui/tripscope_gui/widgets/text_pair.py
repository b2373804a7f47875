"""Two points of one text side by side: scrolled together, outlined together."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from tripscope_gui.store.flow_map import depth_of
from tripscope_gui.store.followed import Followed
from tripscope_gui.store.passages import passage_at
from tripscope_gui.store.points import carry, depth_of_column, map_offset
from tripscope_gui.store.run_index import RunIndex
from tripscope_gui.store.text_ranges import DeepRange
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.text_column import TextColumn

BEFORE: Final = 0
AFTER: Final = 1


class TextPair(QWidget):
    """Shows a `Followed` at two points of the chain."""

    caret_moved = Signal(object, int)
    """(`TextColumn`, offset in UTF-16 units of its text)"""
    pointed = Signal(object, int)
    """Clicked with Alt held."""
    entered = Signal(object, int)
    """Enter was pressed with the caret there."""

    def __init__(self, theme: Theme, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.before = TextColumn(theme, "Text before")
        self.after = TextColumn(theme, "Text after")
        self.followed: Followed | None = None
        self._columns = ("", "")
        self._synchronised = True
        self._scrolling = False
        rule = QFrame()
        rule.setProperty("kind", "vrule")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self.before, 1)
        line.addWidget(rule)
        line.addWidget(self.after, 1)
        for side in (self.before, self.after):
            text = side.text
            text.caret_moved.connect(lambda at, s=side: self._tell_caret(s, at))
            text.picked.connect(lambda at, s=side: self._tell_caret(s, at))
            text.pointed.connect(lambda at, s=side: self.pointed.emit(s, at))
            text.entered.connect(lambda at, s=side: self.entered.emit(s, at))
            text.verticalScrollBar().valueChanged.connect(lambda _v, s=side: self._scrolled(s))

    def show_texts(
        self, index: RunIndex | None, followed: Followed | None, columns: tuple[str, str]
    ) -> None:
        """Show a text at two points, or none."""
        self.followed, self._columns = followed, columns
        for side, column in zip((self.before, self.after), columns, strict=True):
            if index is None or followed is None:
                side.show_passage(None)
            else:
                side.show_passage(passage_at(index, followed, column))

    def column_of(self, side: TextColumn) -> str:
        """The point that a side shows."""
        return self._columns[BEFORE if side is self.before else AFTER]

    def show_odd(self, on: bool) -> None:
        """Show invisible and look-alike characters on both sides."""
        for side in (self.before, self.after):
            side.text.show_odd(on)
            side.cut.given.show_odd(on)

    # scrolling together

    def set_synchronised(self, on: bool) -> None:
        """Let one side follow where the other is scrolled to."""
        self._synchronised = on
        if on:
            self._scrolled(self.before)

    def _scrolled(self, side: TextColumn) -> None:
        if self._scrolling or self.followed is None or not self._synchronised:
            return
        other = self.after if side is self.before else self.before
        if not other.text.isVisible():
            return
        block = self.followed.block
        here = depth_of_column(block, self.column_of(side))
        there = depth_of_column(block, self.column_of(other))
        self._scrolling = True
        try:
            other.text.scroll_to_top(map_offset(block, side.text.top_offset(), here, there))
        finally:
            self._scrolling = False

    # what is outlined

    def outline_nothing(self) -> None:
        """Take the outlines away."""
        for text in (self.before.text, self.after.text, self.after.cut.given):
            text.clear_outline()

    def outline(self, found: DeepRange) -> None:
        """Outline a stretch on both sides, bring it into view, and let it flash."""
        self.outline_nothing()
        if self.followed is None:
            return
        block = self.followed.block
        for side in (self.before, self.after):
            self._outline_cut(side, found)
            to = depth_of_column(block, self.column_of(side))
            ranges = carry(block, found.start, found.end, found.depth, to)
            if ranges and side.text.isVisible():
                # the second side has a place of its own to go to
                self._scrolling = side is self.after
                side.text.outline(ranges[0][0], ranges[-1][1], flash=True)
                self._scrolling = False

    def _outline_cut(self, side: TextColumn, found: DeepRange) -> None:
        cut = side.passage.cut if side.passage is not None else None
        if cut is None or self.followed is None:
            return
        block = self.followed.block
        at = depth_of(block, cut.processor)
        given = carry(block, found.start, found.end, found.depth, at - 1) if at is not None else []
        if given:
            side.cut.given.outline(given[0][0], given[-1][1], flash=True)

    def _tell_caret(self, side: TextColumn, offset: int) -> None:
        self.caret_moved.emit(side, offset)
