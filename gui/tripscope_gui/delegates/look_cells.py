"""Cells of the chain in a plain table: drawn as in the chunks table where a column has a look."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from tripscope_gui.delegates.chunk_cells import paint_look
from tripscope_gui.delegates.rows import AnyIndex, RowDelegate
from tripscope_gui.store.chunk_looks import Look

LOOK_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 120
"""`Look` of the cell, or None for a plain one."""


class LookDelegate(RowDelegate):
    """Text with its runs, edges and hatches."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        look = index.data(LOOK_ROLE)
        if not isinstance(look, Look):
            super().paint(painter, option, index)
            return
        painter.save()
        self.paint_ground(painter, option, index)
        rect = QRectF(option.rect).adjusted(1, 0, -4, -1)
        painter.setClipRect(rect)
        paint_look(painter, rect, look, self._theme.palette)
        painter.restore()
