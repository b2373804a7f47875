"""The table of chunks: cells by a delegate; group rows and lineage drawn over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QModelIndex, QPointF, QRect, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QWidget

from tripscope_gui.delegates.chunk_cells import GUTTER
from tripscope_gui.delegates.chunk_rows import (
    Line,
    RowPainter,
    Section,
    content_rect,
    paint_group,
)
from tripscope_gui.delegates.marks import lineage_link, selected_frame
from tripscope_gui.models.chunk_table import FIXED, ChunkTable
from tripscope_gui.store.chunk_groups import Group
from tripscope_gui.store.lineage_links import NONE, Lineage, Node
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.tables import TableView

_WIDTHS: Final = (42, 50, 94)
_NARROWEST: Final = 112


class ChunkView(TableView):
    """Shows a `ChunkTable`. Rows and columns are picked with mouse and arrow keys."""

    sticky = Height.CHUNK_ROW
    picked = Signal(int, int)
    """(place, section) was chosen by hand: a cell of a chunk row."""
    scrolled_by_hand = Signal()
    """Wheel, scroll bar or keys moved the rows."""
    group_toggled = Signal(int)
    """A group of that number was folded or unfolded."""
    entered = Signal()
    """Enter was pressed on the current cell."""

    def __init__(self, theme: Theme, table: ChunkTable, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Chunks", row_height=Height.CHUNK_ROW, parent=parent)
        self.table = table
        self.lineage: Lineage = NONE
        self._laid_out_for = 0
        self._resized_by_hand = False
        self.setModel(table)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.horizontalHeader().sectionResized.connect(self._on_resized)
        self.verticalScrollBar().actionTriggered.connect(lambda _a: self.scrolled_by_hand.emit())
        table.modelReset.connect(self.arrange)

    # columns

    def arrange(self) -> None:
        """Share the width out among the places of the chain, unless a person set widths."""
        count = self.table.columnCount()
        if count != self._laid_out_for:
            self._resized_by_hand = False
            self._laid_out_for = count
        places = [p for p in self.table.places if p not in self.table.hidden]
        if not places or self._resized_by_hand:
            return
        header = self.horizontalHeader()
        # what it tells of each column Qt takes by a timer, and paints all once more
        with QSignalBlocker(header):
            for section, width in enumerate(_WIDTHS):
                header.resizeSection(section, width)
            gutters = GUTTER * (len(places) - 1)
            room = self.viewport().width() - sum(_WIDTHS) - gutters
            each, rest = divmod(max(room, _NARROWEST * len(places)), len(places))
            for number, place in enumerate(places):
                width = each + (GUTTER if number < len(places) - 1 else rest)
                header.resizeSection(self.table.section_of(place), width)
            for place in self.table.places:
                self.setColumnHidden(self.table.section_of(place), place in self.table.hidden)
        self.updateGeometries()
        self.viewport().update()

    def _on_resized(self, _section: int, _old: int, _new: int) -> None:
        if self.isVisible():
            self._resized_by_hand = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    # lineage

    def set_lineage(self, lineage: Lineage) -> None:
        """Draw another lineage."""
        if lineage != self.lineage:
            self.lineage = lineage
            self.viewport().update()

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows, lineage, group rows: all painted here, for a call a cell takes too long."""
        palette = self.theme.palette
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), palette.pane)
            if self.table.index_of_run is not None and len(self.table.entries):
                width = min(self.viewport().width(), self.horizontalHeader().length())
                sections = list(self._sections())
                RowPainter(painter, self.table, palette).paint(list(self._lines()), sections, width)
                self._paint_lineage(painter)
                self._paint_groups(painter, event.rect())

    def _lines(self) -> Iterator[Line]:
        chosen = self.selectionModel()
        root = QModelIndex()
        places = self.visible_places()
        top = self.rowViewportPosition(places.start)
        for number, place in enumerate(places):
            row = self.table.chunk_row(place)
            if row is not None:
                selected = chosen.rowIntersectsSelection(place, root)
                yield Line(top + number * Height.CHUNK_ROW, row, selected)

    def _sections(self) -> Iterator[Section]:
        right = self.viewport().width()
        for number in range(self.table.columnCount()):
            left = self.columnViewportPosition(number)
            width = self.columnWidth(number)
            if width and left < right and left + width > 0:
                yield Section(number, self.table.column_of(number), left, width)

    def visible_places(self) -> range:
        """Places of the entries in view."""
        first = max(0, self.rowAt(0))
        last = self.rowAt(self.viewport().height() - 1)
        return range(first, (last if last >= 0 else len(self.table.entries) - 1) + 1)

    def row_rect(self, place: int) -> QRectF:
        """A row over the whole width of the viewport."""
        return QRectF(0, self.rowViewportPosition(place), self.viewport().width(), Height.CHUNK_ROW)

    def sticky_group(self) -> Group | None:
        """The group whose own row is scrolled away while its rows are at the top."""
        top = self.rowAt(0)
        if top < 0 or self.table.group_at(top) is not None:
            return None
        return self.table.entries.group_of(self.table.entries.codes[top])

    def _paint_groups(self, painter: QPainter, dirty: QRect) -> None:
        palette = self.theme.palette
        for place in self.visible_places():
            group = self.table.group_at(place)
            if group is not None:
                rect = self.row_rect(place)
                words = self.table.words(group)
                paint_group(painter, rect, words, palette, collapsed=group.collapsed)
        sticky = self.sticky_group()
        if sticky is not None and dirty.top() < Height.CHUNK_ROW:
            rect = QRectF(0, 0, self.viewport().width(), Height.CHUNK_ROW)
            paint_group(painter, rect, self.table.words(sticky), palette, collapsed=False)

    def _paint_lineage(self, painter: QPainter) -> None:
        palette = self.theme.palette
        current = self.currentIndex()
        column = self.table.column_of(current.column()) if current.isValid() else None
        if column is not None and self.hasFocus():
            cell = QRectF(self.visualRect(current))
            if self.table.chunk_row(current.row()) is not None and cell.isValid():
                selected_frame(painter, content_rect(cell, column), palette)
        view = QRectF(self.viewport().rect())
        rects: dict[Node, QRectF | None] = {}
        for node in self.lineage.nodes:
            rect = rects[node] = self._cell_rect(node)
            if rect is not None and rect.intersects(view):
                selected_frame(painter, rect, palette)
        for start, end in self.lineage.links:
            a, b = rects.get(start), rects.get(end)
            if a is None or b is None:
                continue
            one = QPointF(a.right(), a.center().y())
            other = QPointF(b.left(), b.center().y())
            if min(one.y(), other.y()) < view.bottom() and max(one.y(), other.y()) > 0:
                lineage_link(painter, one, other, palette)

    def _cell_rect(self, node: Node) -> QRectF | None:
        column, index = node
        run = self.table.index_of_run
        row = run.store.rows.of_index(index) if run is not None else None
        place = self.table.entries.place_of(row.number) if row is not None else None
        section = self.table.section_of(column)
        if place is None or self.isColumnHidden(section):
            return None
        rect = QRectF(
            self.columnViewportPosition(section),
            self.rowViewportPosition(place),
            self.columnWidth(section),
            Height.CHUNK_ROW,
        )
        return content_rect(rect, column)

    # hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.rowAt(int(event.position().y()))
        group = self.table.group_at(place)
        sticky = self.sticky_group()
        if sticky is not None and event.position().y() < Height.CHUNK_ROW:
            group = sticky
        if group is not None and event.button() == Qt.MouseButton.LeftButton:
            self.group_toggled.emit(group.number)
            return
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._pick_current()

    def offer_copies(self) -> None:
        """The pane's own commands are the menu; they copy any number of chunks."""
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            group = self.table.group_at(self.currentIndex().row())
            if group is not None:
                self.group_toggled.emit(group.number)
            else:
                self.entered.emit()
            return
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self._pick_current()
            self.scrolled_by_hand.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event)
        self.scrolled_by_hand.emit()

    def _pick_current(self) -> None:
        index = self.currentIndex()
        if index.isValid() and self.table.chunk_row(index.row()) is not None:
            self.picked.emit(index.row(), index.column())

    # moving

    def reveal(self, place: int, section: int | None = None) -> bool:
        """Make a place the current one and bring it into view; whether the rows were moved."""
        index = self.table.index(place, section if section is not None else len(FIXED))
        bar = self.verticalScrollBar()
        before = bar.value()
        if index != self.currentIndex() or not self.selectionModel().isRowSelected(place):
            self.setCurrentIndex(index)
        # rows that came just now are not in the range of the scroll bar yet
        self.updateGeometries()
        self.scrollTo(index)
        # a row under the sticky group row is out of view
        top = self.rowViewportPosition(place)
        if top < Height.CHUNK_ROW and place > 0:
            bar.setValue(bar.value() - (Height.CHUNK_ROW - top))
        return bar.value() != before

    @property
    def at_end(self) -> bool:
        """Whether the last row is in view."""
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()
