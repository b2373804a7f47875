"""Draws the cells of the hooks matrix: a badge and a time in the middle, facts from the left."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.rows import SELECTION_BAR
from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import MEDIUM, mono_font, ui_font
from tripscope_gui.models.hook_matrix import FACT_ROLE, NOTE_ROLE
from tripscope_gui.store.hook_facts import Fact, HookFact
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import BadgeSize, TypeSize

AnyIndex = QModelIndex | QPersistentModelIndex
ROW_HEIGHT: Final = 30
_COUNTED: Final = 96
"""Least width in logical pixels of a cell that names the number of calls."""
_GROUNDS: Final = {"blocked": "tint_red", "errored": "tint_violet", "timed-out": "tint_yellow"}


class HookCellDelegate(QStyledItemDelegate):
    """``processor`` is the row that is marked as selected, set by the pane."""

    def __init__(self, theme: Theme, view: QTableView) -> None:
        super().__init__(view)
        self._theme = theme
        self.processor: str | None = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        rect = QRectF(option.rect)
        palette = self._theme.palette
        painter.fillRect(rect, palette.pane)
        found = index.data(FACT_ROLE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if index.column() == 0:
            self._name(painter, rect, index, selected)
        elif isinstance(found, HookFact):
            self._hook(painter, rect, index, found, selected)
        elif isinstance(found, Fact):
            self._fact(painter, rect.adjusted(8, 0, -8, -1), found)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), palette.line)
        if not isinstance(found, Fact):
            right = QRectF(rect.right() - 1, rect.top(), 1, rect.height())
            painter.fillRect(right, palette.line)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(70, ROW_HEIGHT)

    def _name(self, painter: QPainter, rect: QRectF, index: AnyIndex, selected: bool) -> None:
        palette = self._theme.palette
        name = str(index.data())
        if selected or name == self.processor:
            painter.fillRect(rect, palette.sel)
            bar = QRectF(rect.left(), rect.top(), SELECTION_BAR, rect.height())
            painter.fillRect(bar, palette.accent)
        font = ui_font(TypeSize.BODY, MEDIUM)
        painter.setFont(font)
        painter.setPen(palette.t1)
        box = rect.adjusted(8, 0, -6, -1)
        flags = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(box, flags, elided(name, font, box.width()))
        note = index.data(NOTE_ROLE)
        left = QFontMetricsF(font).horizontalAdvance(name) + 8
        small = ui_font(TypeSize.COUNT)
        if note and QFontMetricsF(small).horizontalAdvance(note) <= box.width() - left:
            painter.setFont(small)
            painter.setPen(palette.t3)
            room = box.adjusted(left, 0, 0, 0)
            right = flags | Qt.AlignmentFlag.AlignRight.value
            painter.drawText(room, right, note)

    def _hook(
        self, painter: QPainter, rect: QRectF, index: AnyIndex, found: HookFact, selected: bool
    ) -> None:
        palette = self._theme.palette
        ground = _GROUNDS.get(found.outcome or "")
        if ground is not None:
            painter.fillRect(rect, palette.tone(ground))
        text = str(index.data() or "")
        if found.calls > 1 and rect.width() >= _COUNTED:
            text += f"  \N{MULTIPLICATION SIGN}{found.calls:,}"
        font = ui_font(TypeSize.LABEL)
        words = QFontMetricsF(font).horizontalAdvance(text) if text else 0.0
        badge = float(BadgeSize.ROW) if found.outcome is not None else 0.0
        gap = 5.0 if badge and words else 0.0
        left = max(rect.left() + 3, rect.center().x() - (badge + gap + words) / 2)
        if badge and found.outcome is not None:
            box = QRectF(round(left), round(rect.center().y() - badge / 2), badge, badge)
            draw_badge(painter, box, found.outcome, palette)
        painter.setFont(font)
        painter.setPen(palette.t2 if found.calls else palette.t3)
        room = QRectF(left + badge + gap, rect.top(), rect.right() - left - badge - gap - 2, 0)
        room.setHeight(rect.height() - 1)
        painter.drawText(
            room, int(Qt.AlignmentFlag.AlignVCenter), elided(text, font, room.width() + 1)
        )
        if selected:
            painter.setPen(QPen(palette.accent, 1.5))
            painter.drawRect(rect.adjusted(0.5, 0.5, -1.5, -1.5))

    def _fact(self, painter: QPainter, box: QRectF, found: Fact) -> None:
        palette = self._theme.palette
        left = box.left()
        if found.outcome is not None:
            size = float(BadgeSize.ROW)
            badge = QRectF(left, round(box.center().y() - size / 2), size, size)
            draw_badge(painter, badge, found.outcome, palette)
            left += size + 6
        parts = ((found.words, found.mono, "t1"), (found.quoted, True, "t1"))
        for text, mono, tone in (*parts, (found.detail, False, "t2")):
            if not text or left >= box.right():
                continue
            font = mono_font(TypeSize.CELL_MONO) if mono else ui_font(TypeSize.BODY)
            painter.setFont(font)
            painter.setPen(palette.tone(tone))
            room = QRectF(left, box.top(), box.right() - left, box.height())
            line = elided(text, font, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), line)
            left += QFontMetricsF(font).horizontalAdvance(line) + 9
