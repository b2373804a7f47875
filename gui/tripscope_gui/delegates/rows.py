"""One delegate for all plain tables: text, badge, swatch or icon, told by item data roles."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import cache
from typing import Any, TypeAlias

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView, QTreeView

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.rules import draw_swatch
from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import REGULAR, mono_font, ui_font
from tripscope_gui.icons import draw_icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import BadgeSize, Height, TypeSize

AnyIndex = QModelIndex | QPersistentModelIndex
Reader: TypeAlias = Callable[[int], Any]
SELECTION_BAR = 3
_PAD = 7


class CellRole(IntEnum):
    """Item data roles that :class:`RowDelegate` reads beside Qt's own; each may be missing."""

    OUTCOME = Qt.ItemDataRole.UserRole + 101
    """str, an outcome's word: its badge stands before the text."""
    RULE = Qt.ItemDataRole.UserRole + 102
    """int, 0-based index of a rule: its swatch stands before the text."""
    ICON = Qt.ItemDataRole.UserRole + 103
    """str, name of an icon before the text, in the colour of the text."""
    TONE = Qt.ItemDataRole.UserRole + 104
    """str, token or outcome that colours the text; t1 if missing."""
    MONO = Qt.ItemDataRole.UserRole + 105
    """bool, text of a model, rule or user."""
    WEIGHT = Qt.ItemDataRole.UserRole + 106
    """int, 400, 500 or 600."""
    GROUND = Qt.ItemDataRole.UserRole + 107
    """str, token that fills the cell."""
    ELIDE = Qt.ItemDataRole.UserRole + 108
    """Qt.TextElideMode, which end of a long text is cut; the right one if missing."""
    STRIKE = Qt.ItemDataRole.UserRole + 109
    """bool, text that was dropped."""


# A table paints hundreds of cells a frame, and arithmetic on Python enums costs microseconds.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_CHECK = int(Qt.ItemDataRole.CheckStateRole)
_ALIGN = int(Qt.ItemDataRole.TextAlignmentRole)
_OUTCOME, _RULE, _ICON = int(CellRole.OUTCOME), int(CellRole.RULE), int(CellRole.ICON)
_TONE, _MONO, _WEIGHT = int(CellRole.TONE), int(CellRole.MONO), int(CellRole.WEIGHT)
_GROUND, _ELIDE, _STRIKE = int(CellRole.GROUND), int(CellRole.ELIDE), int(CellRole.STRIKE)
_CUT_RIGHT = Qt.TextElideMode.ElideRight
_ENABLED = Qt.ItemFlag.ItemIsEnabled.value
_SIDEWAYS = Qt.AlignmentFlag.AlignHorizontal_Mask.value
_ONE_LINE = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value


@cache
def _selected() -> int:
    # late: PySide needs 12 ms to make all that `QStyle` names, and chunks are drawn without it
    from PySide6.QtWidgets import QStyle

    return QStyle.StateFlag.State_Selected.value


class RowDelegate(QStyledItemDelegate):
    """Draws a cell: ground, selection with its bar, lines, mark, one line of plain text."""

    def __init__(
        self, theme: Theme, view: QTableView | QTreeView, *, columns: bool = False
    ) -> None:
        """Args: ``columns`` draws a line between columns too."""
        super().__init__(view)
        self._theme = theme
        self._header = view.header() if isinstance(view, QTreeView) else view.horizontalHeader()
        self._columns = columns
        # a tree draws it left of the indentation
        self._bar = not isinstance(view, QTreeView)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw one cell from its data; nothing is kept between calls."""
        painter.save()
        rect = QRectF(option.rect)
        data = _reader(index)
        self._paint_ground(painter, option, index, data)
        check = data(_CHECK)
        box = rect.adjusted(_PAD, 0, -_PAD, -1)
        if check is not None:
            box = self._paint_check(painter, box, check)
        usable = index.flags().value & _ENABLED
        painter.setPen(self._theme.palette.tone((data(_TONE) or "t1") if usable else "t3"))
        box = self._paint_mark(painter, box, data)
        text = data(_DISPLAY)
        if text is not None and text != "":
            font = self._font(data)
            painter.setFont(font)
            mode = data(_ELIDE)
            line = elided(str(text), font, box.width(), _CUT_RIGHT if mode is None else mode)
            painter.drawText(box, _flags(data(_ALIGN)), line)
        painter.restore()

    def paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex
    ) -> None:
        """Ground, selection and 1 px lines; for delegates that draw their own content."""
        self._paint_ground(painter, option, index, _reader(index))

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex, data: Reader
    ) -> None:
        palette = self._theme.palette
        rect = QRectF(option.rect)
        selected = option.state.value & _selected()
        ground = None if selected else data(_GROUND)
        if selected:
            painter.fillRect(rect, palette.sel)
        else:
            painter.fillRect(rect, palette.tone(ground) if ground else palette.pane)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), palette.line)
        if self._columns:
            painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()), palette.line)
        if selected and self._bar and self._header.visualIndex(index.column()) == 0:
            bar = QRectF(rect.left(), rect.top(), SELECTION_BAR, rect.height())
            painter.fillRect(bar, palette.accent)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Never measured from content: rows have one height."""
        return QSize(80, Height.ROW)

    def _font(self, data: Reader) -> QFont:
        weight = data(_WEIGHT) or REGULAR
        if data(_MONO):
            font = mono_font(TypeSize.CELL_MONO, weight)
        else:
            font = ui_font(TypeSize.BODY, weight)
        if data(_STRIKE):
            font.setStrikeOut(True)
        return font

    def _paint_mark(self, painter: QPainter, box: QRectF, data: Reader) -> QRectF:
        palette = self._theme.palette
        outcome = data(_OUTCOME)
        rule = data(_RULE) if outcome is None else None
        icon = data(_ICON) if outcome is None and rule is None else None
        if outcome is not None:
            size = float(BadgeSize.ROW)
            draw_badge(painter, _mark_box(box, size), outcome, palette)
        elif rule is not None:
            size = 12.0
            draw_swatch(painter, _mark_box(box, size), rule, palette)
        elif icon is not None:
            size = 14.0
            draw_icon(painter, _mark_box(box, size), icon, painter.pen().color())
        else:
            return box
        return box.adjusted(size + 6, 0, 0, 0)

    def _paint_check(self, painter: QPainter, box: QRectF, state: Any) -> QRectF:
        palette = self._theme.palette
        checked = Qt.CheckState(state) == Qt.CheckState.Checked
        frame = _mark_box(box, 13.0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(palette.accent_fill if checked else palette.line2, 1))
        painter.setBrush(palette.accent_fill if checked else palette.pane)
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        painter.restore()
        if checked:
            draw_icon(painter, frame.adjusted(1, 1, -1, -1), "check", palette.accent_text)
        return box.adjusted(13 + 6, 0, 0, 0)


def _reader(index: AnyIndex) -> Reader:
    """What the model says of a cell by role: without a way through Qt, where it can be told so."""
    reader = getattr(index.model(), "reader", None)
    found: Reader = index.data if reader is None else reader(index)
    return found


def _mark_box(box: QRectF, size: float) -> QRectF:
    top = round(box.top() + (box.height() - size) / 2)
    return QRectF(round(box.left()), top, size, size)


def _flags(align: Any) -> int:
    if align is None:
        return _ONE_LINE
    wanted: int = align.value if isinstance(align, Qt.AlignmentFlag) else int(align)
    return (wanted & _SIDEWAYS) | _ONE_LINE
