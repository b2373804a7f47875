"""A table whose rows can be dragged to another place."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.tables import TableView


class ReorderTable(TableView):
    """The model's flags say which rows can be dragged; the move itself is left to the listener."""

    row_dropped = Signal(int, int)
    """(row, row in front of which it was dropped)."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        row_height: int = Height.ROW,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, name, row_height=row_height, parent=parent)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)

    def dropEvent(self, event: QDropEvent) -> None:
        source = self.currentIndex().row()
        target = self.row_in_front(event.position().toPoint())
        # else Qt would remove the row that it thinks was moved
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if source >= 0 and target not in (source, source + 1):
            self.row_dropped.emit(source, target)
        self.viewport().update()

    def row_in_front(self, point: QPoint) -> int:
        """The row in front of which something dropped there goes; the row count for the end."""
        index = self.indexAt(point)
        if not index.isValid():
            return self.model().rowCount()
        rect = self.visualRect(index)
        return index.row() + (1 if point.y() > rect.center().y() else 0)
