"""The one table preset: fixed rows, 1 px lines, marked selection, nothing measured by content."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QHideEvent, QMouseEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from tripscope_gui.delegates.rows import RowDelegate
from tripscope_gui.fonts import ui_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height, TypeSize
from tripscope_gui.widgets.copies_rows import CopiesRows


def _ground() -> QWidget:
    """A viewport as Qt makes it for a view.

    To tell what kind of widget Qt's own one is, PySide would make all kinds there are: 20 ms.
    """
    made = QWidget()
    made.setObjectName("qt_scrollarea_viewport")
    made.setBackgroundRole(QPalette.ColorRole.Base)
    made.setAutoFillBackground(True)
    return made


class TableView(CopiesRows, QTableView):
    """Rows of one height, whole rows selected, cells drawn by a :class:`RowDelegate`.

    Args:
        theme: colours, followed when they change.
        name: accessible name, what the table lists.
        row_height: logical pixels, the same for all rows.
        columns: draw a line between columns too.
    """

    sticky = 0
    """Height of what lies over the first rows in view, in logical pixels."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        row_height: int = Height.ROW,
        columns: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self._pressed = False
        self._wanted: QPersistentModelIndex | None = None
        self.setAccessibleName(name)
        self.setViewport(_ground())
        self.setItemDelegate(RowDelegate(theme, self, columns=columns))
        self.setShowGrid(False)
        self.setAlternatingRowColors(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._set_up_headers(row_height)
        theme.changed.connect(self.viewport().update)
        self.offer_copies()

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
                signal.connect(self._lay_out)

    def _lay_out(self) -> None:
        """Lay out rows that came or went at once.

        Left to itself Qt does it by a timer: what is to be painted until then is painted twice.
        """
        self.executeDelayedItemsLayout()

    def set_column_widths(self, widths: Sequence[int], stretch: int | None = None) -> None:
        """Give each column its width in logical pixels; ``stretch`` names one that takes the rest.

        Call it once the model is set.
        """
        header = self.horizontalHeader()
        for column, width in enumerate(widths):
            # another one may have taken the rest before
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        if stretch is not None:
            header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a row into view; if that moves the rows, no row is cut at the top.

        Not while the mouse is pressed: Qt selects what is under the pointer after all have heard
        which row is the current one.
        """
        if self._pressed:
            self._wanted = QPersistentModelIndex(index)
            return
        bar = self.verticalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        if bar.value() != before:
            self._align(index.row())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # the release after any other button goes to the menu that it opens
        self._pressed = event.button() == Qt.MouseButton.LeftButton
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._let_go()

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag the row; there is no release after it."""
        super().startDrag(actions)
        self._let_go()

    def hideEvent(self, event: QHideEvent) -> None:
        """What was pressed brought something else to the front: no release comes."""
        super().hideEvent(event)
        self._let_go()

    def _let_go(self) -> None:
        wanted, self._pressed, self._wanted = self._wanted, False, None
        if wanted is not None and wanted.isValid():
            self.scrollTo(wanted)

    def _align(self, row: int) -> None:
        bar, height = self.verticalScrollBar(), self.verticalHeader().defaultSectionSize()
        cut = bar.value() % height
        top = self.rowViewportPosition(row)
        # back by what is cut, as long as the row at hand stays in view, else on to the next row
        for move in (-cut, height - cut):
            place = top - move
            fits = self.sticky <= place and place + height <= self.viewport().height()
            if cut and fits and bar.value() + move <= bar.maximum():
                bar.setValue(bar.value() + move)
                return

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A table that gets lower keeps the current row in view."""
        super().resizeEvent(event)
        before, now = event.oldSize().height(), event.size().height()
        index = self.currentIndex()
        if now < before and index.isValid():
            bottom = self.rowViewportPosition(index.row()) + self.rowHeight(index.row())
            if now < bottom <= before:
                self.scrollTo(index)

    def _set_up_headers(self, row_height: int) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(row_height)
        rows.setDefaultSectionSize(row_height)
        header = self.horizontalHeader()
        header.setFixedHeight(Height.TABLE_HEAD)
        header.setFont(ui_font(TypeSize.LABEL))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(24)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
