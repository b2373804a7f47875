"""Tooltips of the chunks table: the whole text of a cell, or the comment on a row."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from tripscope_gui.widgets.chunk_view import ChunkView
from tripscope_gui.widgets.labels import plain_tooltip


class ChunkTips(QObject):
    """Answers the viewport's wish for a tooltip."""

    def __init__(self, view: ChunkView) -> None:
        super().__init__(view)
        self._view = view
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            text = self._text(event)
            if text is not None:
                QToolTip.showText(event.globalPos(), plain_tooltip(text), self._view.viewport())
                return True
        return super().eventFilter(watched, event)

    def _text(self, event: QHelpEvent) -> str | None:
        table = self._view.table
        at = self._view.indexAt(event.pos())
        row = table.chunk_row(at.row()) if at.isValid() else None
        if row is None or table.index_of_run is None:
            return None
        column = table.column_of(at.column())
        if column is None:
            return table.index_of_run.notes.comment(row.number)
        look = table.look(row, column)
        return "\n".join(part for part in (look.text, look.tip) if part)
