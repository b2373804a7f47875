"""Marks and comments on chunk rows, by hand."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from tripscope_gui.context import PaneContext
from tripscope_gui.fonts import ui_font
from tripscope_gui.models.chunk_table import FIXED
from tripscope_gui.store.chunk_rows import ChunkRow
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.chunk_view import ChunkView

_WIDEST: Final = 420


class ChunkNotes(QObject):
    """Marks the current row of a `ChunkView`, comments on it, goes to the next such row."""

    went_to = Signal(int)
    """The place of a noted row, which is to be selected."""

    def __init__(self, context: PaneContext, view: ChunkView) -> None:
        super().__init__(view)
        self._context = context
        self._view = view
        self._table = view.table
        self.field: QLineEdit | None = None
        """Where a comment is written, while one is."""

    def toggle_mark(self) -> None:
        """Mark the current row, or take its mark away."""
        row = self._current()
        index = self._table.index_of_run
        if row is not None and index is not None:
            index.notes.toggle_mark(row.number)
            self._view.viewport().update()

    def edit_comment(self) -> None:
        """Write a comment on the current row."""
        row, index = self._current(), self._table.index_of_run
        if row is None or index is None:
            return
        field = QLineEdit(self._view.viewport())
        field.setProperty("small", True)
        field.setFont(ui_font(TypeSize.LABEL))
        field.setPlaceholderText(f"Comment on chunk {row.label}; empty removes it")
        field.setAccessibleName("Comment")
        field.setText(index.notes.comment(row.number))
        left = self._view.columnViewportPosition(len(FIXED))
        top = self._view.rowViewportPosition(self._view.currentIndex().row())
        width = min(_WIDEST, self._view.viewport().width() - left - 8)
        field.setGeometry(left, top - 2, width, 23)
        field.editingFinished.connect(lambda: self._write(row.number, field))
        field.installEventFilter(self)
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field = field

    def go_to_next(self, *, back: bool = False) -> None:
        """Select the next marked or commented row."""
        index = self._table.index_of_run
        if index is None:
            return
        row = self._context.selection.current.row
        found = index.notes.next_from(-1 if row is None else row, back=back)
        place = self._table.entries.place_of(found) if found is not None else None
        if place is not None:
            self._view.reveal(place)
            self.went_to.emit(place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.field
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
        ):
            field, self.field = self.field, None
            self._close(field)
            return True
        return super().eventFilter(watched, event)

    def _current(self) -> ChunkRow | None:
        return self._table.chunk_row(self._view.currentIndex().row())

    def _write(self, row: int, field: QLineEdit) -> None:
        if self.field is not field:
            return
        self.field = None
        if self._table.index_of_run is not None:
            self._table.index_of_run.notes.set_comment(row, field.text())
        self._close(field)

    def _close(self, field: QLineEdit | None) -> None:
        if field is not None:
            field.hide()
            field.deleteLater()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._view.viewport().update()
