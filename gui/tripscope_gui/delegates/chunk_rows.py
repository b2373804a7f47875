"""Rows of the chunks table: numbers, times and types, cells of the chain, group rows."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.chunk_cells import GUTTER, paint_look
from tripscope_gui.delegates.rows import SELECTION_BAR, AnyIndex
from tripscope_gui.delegates.texts import elided, one_line
from tripscope_gui.fonts import SEMIBOLD, mono_font, ui_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.models.chunk_table import ChunkTable
from tripscope_gui.store.chunk_rows import CLIENT, ChunkRow
from tripscope_gui.store.group_words import GroupWords
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import BadgeSize, Height, Palette, TypeSize

_SELECTED: Final = QStyle.StateFlag.State_Selected.value
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_SENTENCE_TONES: Final = {"blocked": "blocked", "errored": "errored", "timed-out": "timed-out"}


def content_rect(rect: QRectF, column: str) -> QRectF:
    """The room of a cell of the chain: without the row's line and the gutter at its right."""
    gutter = 0 if column == CLIENT else GUTTER
    return rect.adjusted(0, 0, -gutter, -1)


class ChunkDelegate(QStyledItemDelegate):
    """Draws one cell of a `ChunkTable`; group rows are drawn by the view, over all columns."""

    def __init__(self, theme: Theme, view: QTableView) -> None:
        super().__init__(view)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw one cell; nothing is kept between calls."""
        model = index.model()
        if not isinstance(model, ChunkTable):
            return
        row = model.chunk_row(index.row())
        if row is None:
            return
        palette = self._theme.palette
        rect = QRectF(option.rect)
        selected = bool(option.state.value & _SELECTED)
        painter.fillRect(rect, palette.sel if selected else palette.pane)
        line = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
        painter.fillRect(line, palette.line)
        section = index.column()
        column = model.column_of(section)
        if column is None:
            self._paint_fixed(painter, rect, model, row, section, selected)
            return
        room = content_rect(rect, column)
        # what a cell draws must not run into its neighbour
        painter.save()
        painter.setClipRect(room, Qt.ClipOperation.IntersectClip)
        paint_look(painter, room, model.look(row, column), palette)
        painter.restore()
        painter.fillRect(QRectF(room.right(), rect.top(), 1, rect.height()), palette.line)
        if column != CLIENT:
            edge = QRectF(rect.right() - 1, rect.top(), 1, rect.height())
            painter.fillRect(edge, palette.line)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Never measured from content: rows have one height."""
        return QSize(80, Height.CHUNK_ROW)

    def _paint_fixed(
        self,
        painter: QPainter,
        rect: QRectF,
        model: ChunkTable,
        row: ChunkRow,
        section: int,
        selected: bool,
    ) -> None:
        palette = self._theme.palette
        painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()), palette.line)
        if section == 0:
            if selected:
                bar = QRectF(rect.left(), rect.top(), SELECTION_BAR, rect.height())
                painter.fillRect(bar, palette.accent)
            self._paint_notes(painter, rect, model, row)
        box = rect.adjusted(7, 0, -7, -1)
        painter.setFont(mono_font(TypeSize.CELL_MONO))
        painter.setPen(palette.t2 if section != 1 else palette.t3)
        if section == 0:
            painter.drawText(box, _RIGHT, row.label)
        elif section == 1:
            painter.drawText(box, _RIGHT, f"{row.time / 1e9:.2f}")
        else:
            painter.setFont(ui_font(TypeSize.LABEL))
            painter.setPen(palette.t2)
            painter.drawText(box, _LEFT, elided(row.type, painter.font(), box.width()))

    def _paint_notes(
        self, painter: QPainter, rect: QRectF, model: ChunkTable, row: ChunkRow
    ) -> None:
        if model.index_of_run is None:
            return
        notes = model.index_of_run.notes
        marked, comment = notes.marked(row.number), notes.comment(row.number)
        if not marked and not comment:
            return
        box = QRectF(rect.left() + 4, rect.top() + 4, 10, 10)
        icon = Icon.PIN if marked else Icon.INFO
        draw_icon(painter, box, icon, self._theme.palette.accent)


def paint_group(
    painter: QPainter, rect: QRectF, words: GroupWords, palette: Palette, *, collapsed: bool
) -> None:
    """Draw a group row over the whole width of the table."""
    painter.save()
    painter.fillRect(rect, palette.head)
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), palette.line)
    icon = Icon.CHEVRON_RIGHT if collapsed else Icon.CHEVRON_DOWN
    top = round(rect.center().y() - 6)
    draw_icon(painter, QRectF(rect.left() + 7, top, 12, 12), icon, palette.t3)
    pen = _Pen(painter, rect, rect.left() + 25)
    pen.write(words.title, palette, "t1", SEMIBOLD)
    if words.outcome is not None:
        size = float(BadgeSize.CELL + 2)
        box = QRectF(pen.x, round(rect.center().y() - size / 2), size, size)
        draw_badge(painter, box, words.outcome, palette)
        pen.x += size + 5
    if words.sentence:
        tone = _SENTENCE_TONES.get(words.outcome or "", "t2")
        pen.write(one_line(words.sentence), palette, tone)
    if words.rest:
        pen.write(words.rest, palette, "t3")
    if words.unscanned:
        box = QRectF(pen.x, top, 12, 12)
        draw_icon(painter, box, Icon.EYE_CROSSED, palette.outcome("flagged"))
        pen.x += 16
        pen.write(f"{words.unscanned} unscanned", palette, "flagged")
    painter.restore()


class _Pen:
    """Writes one thing after another on a line."""

    def __init__(self, painter: QPainter, rect: QRectF, x: float) -> None:
        self._painter = painter
        self._rect = rect
        self.x = x

    def write(self, text: str, palette: Palette, tone: str, weight: int = 400) -> None:
        font = ui_font(TypeSize.LABEL, weight)
        metrics = QFontMetricsF(font)
        base = self._rect.center().y() + (metrics.ascent() - metrics.descent()) / 2
        text = elided(text, font, max(0.0, self._rect.right() - self.x - 8))
        self._painter.setFont(font)
        self._painter.setPen(palette.tone(tone))
        self._painter.drawText(QPointF(self.x, round(base)), text)
        self.x += metrics.horizontalAdvance(text) + 8
