"""Rows and cells of the chunks table as the window's selection, and back; lineage of the chosen."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from tripscope.trace.events import FindingMade
from tripscope_gui.context import PaneContext
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.models.chunk_table import FIXED
from tripscope_gui.selection import Selection, Span
from tripscope_gui.store.chunk_rows import CLIENT, MODEL, ChunkRow
from tripscope_gui.store.flow_map import range_of
from tripscope_gui.store.lineage_links import NONE, Lineage, lineage_of
from tripscope_gui.store.run_index import RunIndex
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.chunk_view import ChunkView
from tripscope_gui.widgets.labels import PlainLabel


class ChunkSelection(QObject):
    """Sets the selection from a `ChunkView`, and marks there what is selected."""

    moved = Signal()
    """The rows were moved to bring the selected one into view."""

    def __init__(self, context: PaneContext, view: ChunkView) -> None:
        super().__init__(view)
        self._context = context
        self._view = view
        self._table = view.table
        self._picking = False
        self.label = PlainLabel("", "t2", px=TypeSize.LABEL)
        self.label.setMinimumWidth(1)
        """Says whose lineage is drawn."""
        view.picked.connect(self.pick)
        view.entered.connect(self._enter)
        view.group_toggled.connect(self._toggle_group)

    # from the table

    def pick(self, place: int, section: int) -> None:
        """Select the cell of a chunk row."""
        row = self._table.chunk_row(place)
        if row is None:
            return
        column = self._table.column_of(section) or MODEL
        processor = column if column not in (MODEL, CLIENT) else None
        self._picking = True
        try:
            self._context.selection.select(
                step=row.step,
                attempt=row.attempt,
                hook="processOutputStream" if processor else None,
                processor=processor,
                row=row.number,
                seq=_seq(row, column),
                span=self._span(row, column),
            )
        finally:
            self._picking = False

    def _span(self, row: ChunkRow, column: str) -> Span | None:
        store = self._context.store
        block = store.block_of(row) if store is not None else None
        if block is None or column not in (MODEL, CLIENT):
            return None
        stretch = range_of(block.model if column == MODEL else block.delivered, row.index)
        return Span(*stretch, column=column, block=block.key[3]) if stretch is not None else None

    def _enter(self) -> None:
        """From a chunk to its first finding."""
        row = self._table.chunk_row(self._view.currentIndex().row())
        index = self._table.index_of_run
        if row is None or index is None or row.index is None:
            return
        marks = index.marks.by_index.get(row.index, [])
        found = next((mark for mark in marks if mark.seq is not None), None)
        finding = index.store.event(found.seq) if found is not None else None
        if isinstance(finding, FindingMade):
            selection = self._context.selection
            chosen = selection_of(selection.current.run, index.store, finding)
            selection.set(chosen.with_(row=row.number))

    def _toggle_group(self, number: int) -> None:
        self._table.toggle(self._table.entries.groups[number])
        self._view.viewport().update()

    # to the table

    def mark(self) -> None:
        """Make the selected row the current one, in view."""
        selection = self._context.selection.current
        if self._picking or selection.row is None:
            if selection.row is None:
                self._view.clearSelection()
            return
        group = self._table.entries.group_of(selection.row)
        if group is not None and group.collapsed:
            self._toggle_group(group.number)
        place = self._table.entries.place_of(selection.row)
        if place is None:
            self._view.clearSelection()
            return
        current = self._view.currentIndex()
        section = self._table.section_of(selection.processor or MODEL)
        if current.row() == place and (current.column() < len(FIXED) or not selection.processor):
            section = current.column()
        moved = self._view.reveal(place, section)
        # at the end of a run nothing newer comes: what is selected then stays in view
        if moved or (self._context.store is not None and self._context.store.over):
            self.moved.emit()

    def draw_lineage(self) -> None:
        """Draw where the text of the selected chunk went, once all of it is known."""
        selection = self._context.selection.current
        index, number = self._table.index_of_run, selection.row
        lineage, label = NONE, ""
        if index is not None and number is not None and self._known(index, number):
            row = index.store.rows[number]
            lineage = self._lineage(row, selection)
            if lineage.nodes:
                label = f"lineage of chunk {row.label}"
        self.label.setText(label)
        self._view.set_lineage(lineage)

    def _known(self, index: RunIndex, row: int) -> bool:
        return index.ready and row < len(index.store.rows)

    def _lineage(self, row: ChunkRow, selection: Selection) -> Lineage:
        store = self._context.store
        block = store.block_of(row) if store is not None and row.index is not None else None
        if store is None or block is None or row.index is None:
            return NONE
        for column in (MODEL, selection.processor or CLIENT, *store.rows.columns):
            lineage = lineage_of(block, column, row.index)
            if lineage.nodes:
                return lineage
        return NONE


def _seq(row: ChunkRow, column: str) -> int | None:
    if column == MODEL and row.model is not None:
        return row.model.seq
    if column == CLIENT and row.delivered:
        return row.delivered[-1].seq
    calls = [call.seq for call in row.calls if column in (MODEL, CLIENT, call.processor)]
    return calls[-1] if calls else None
