"""The tree preset: rows as in the tables, chevrons, the selection bar at the very left."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from tripscope_gui.delegates.rows import SELECTION_BAR, CellRole, RowDelegate
from tripscope_gui.fonts import ui_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height, TypeSize
from tripscope_gui.widgets.copies_rows import CopiesRows

_CHEVRON = 12


class TreeView(CopiesRows, QTreeView):
    """Rows of one height, whole rows selected, cells drawn by a :class:`RowDelegate`.

    For hundreds of nodes: a tree of a million rows takes seconds, a table does not.

    Args:
        theme: colours, followed when they change.
        name: accessible name, what the tree lists.
    """

    def __init__(self, theme: Theme, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(name)
        self.setItemDelegate(RowDelegate(theme, self))
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setAlternatingRowColors(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.header()
        header.setFixedHeight(Height.TABLE_HEAD)
        header.setFont(ui_font(TypeSize.LABEL))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self.viewport().update)
        self.offer_copies()

    def drawBranches(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Ground, line and bar left of the first cell, and a chevron where there are children."""
        palette = self.theme.palette
        selected = self.selectionModel().isSelected(index)
        ground = index.data(CellRole.GROUND)
        area = QRectF(rect)
        if selected:
            painter.fillRect(area, palette.sel)
        else:
            painter.fillRect(area, palette.tone(ground) if ground else palette.pane)
        painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width(), 1), palette.line)
        if selected:
            bar = QRectF(area.left(), area.top(), SELECTION_BAR, area.height())
            painter.fillRect(bar, palette.accent)
        if self.model().hasChildren(index):
            icon = Icon.CHEVRON_DOWN if self.isExpanded(index) else Icon.CHEVRON_RIGHT
            left = area.right() - _CHEVRON
            top = round(area.center().y() - _CHEVRON / 2)
            draw_icon(painter, QRectF(left, top, _CHEVRON, _CHEVRON), icon, palette.t2)
