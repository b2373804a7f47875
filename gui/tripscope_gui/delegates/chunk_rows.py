"""Rows of the chunks table: numbers, times and types, cells of the chain, group rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.chunk_cells import GUTTER, paint_look
from tripscope_gui.delegates.rows import SELECTION_BAR
from tripscope_gui.delegates.texts import elided, one_line
from tripscope_gui.fonts import SEMIBOLD, mono_font, ui_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.models.chunk_table import ChunkTable
from tripscope_gui.store.chunk_rows import CLIENT, ChunkRow
from tripscope_gui.store.group_words import GroupWords
from tripscope_gui.tokens import BadgeSize, Height, Palette, TypeSize

_SENTENCE_TONES: Final = {"blocked": "blocked", "errored": "errored", "timed-out": "timed-out"}
_ROW: Final = Height.CHUNK_ROW
_PAD: Final = 7
_NARROW: Final = 60


def content_rect(rect: QRectF, column: str) -> QRectF:
    """The room of a cell of the chain: without the row's line and the gutter at its right."""
    gutter = 0 if column == CLIENT else GUTTER
    return rect.adjusted(0, 0, -gutter, -1)


class Section(Struct, frozen=True):
    """A column in view: its place, and ``column``, None for number, time and type."""

    number: int
    column: str | None
    left: int
    width: int


class Line(Struct, frozen=True):
    """A chunk row in view."""

    top: int
    row: ChunkRow
    selected: bool


class RowPainter:
    """Paints the chunk rows in view, a column at a time: a frame has no time for a call a cell."""

    def __init__(self, painter: QPainter, model: ChunkTable, palette: Palette) -> None:
        self._painter = painter
        self._model = model
        self._palette = palette
        self._mono = mono_font(TypeSize.CELL_MONO)
        self._words = ui_font(TypeSize.LABEL)

    def paint(self, lines: Sequence[Line], sections: Sequence[Section], width: int) -> None:
        """Draw rows over ``width`` logical pixels; the ground was filled before."""
        painter, palette = self._painter, self._palette
        for line in lines:
            if line.selected:
                painter.fillRect(0, line.top, width, _ROW, palette.sel)
            painter.fillRect(0, line.top + _ROW - 1, width, 1, palette.line)
        for section in sections:
            if section.column is not None:
                self._paint_column(lines, section, section.column)
            elif section.number == 2:
                self._paint_types(lines, section)
            else:
                self._paint_numbers(lines, section)
        for line in lines:
            if line.selected:
                painter.fillRect(0, line.top, SELECTION_BAR, _ROW, palette.accent)

    def _rule(self, lines: Sequence[Line], x: int) -> None:
        for line in lines:
            self._painter.fillRect(x, line.top, 1, _ROW, self._palette.line)

    def _paint_numbers(self, lines: Sequence[Line], section: Section) -> None:
        painter, palette = self._painter, self._palette
        painter.setFont(self._mono)
        metrics = QFontMetricsF(self._mono)
        letter = metrics.horizontalAdvance("0")
        base = round((_ROW - 1 + metrics.ascent() - metrics.descent()) / 2)
        right = section.left + section.width - _PAD
        painter.setPen(palette.t3 if section.number else palette.t2)
        for line in lines:
            text = f"{line.row.time / 1e9:.2f}" if section.number else line.row.label
            painter.drawText(QPointF(right - len(text) * letter, line.top + base), text)
        if not section.number:
            self._paint_notes(lines, section)
        self._rule(lines, section.left + section.width - 1)

    def _paint_types(self, lines: Sequence[Line], section: Section) -> None:
        painter = self._painter
        painter.setFont(self._words)
        painter.setPen(self._palette.t2)
        metrics = QFontMetricsF(self._words)
        base = round((_ROW - 1 + metrics.ascent() - metrics.descent()) / 2)
        cut: dict[str, str] = {}
        for line in lines:
            kind = line.row.type
            text = cut.get(kind)
            if text is None:
                text = cut[kind] = elided(kind, self._words, section.width - 2 * _PAD)
            painter.drawText(QPointF(section.left + _PAD, line.top + base), text)
        self._rule(lines, section.left + section.width - 1)

    def _paint_column(self, lines: Sequence[Line], section: Section, column: str) -> None:
        painter, model, palette = self._painter, self._model, self._palette
        room = section.width - (0 if column == CLIENT else GUTTER)
        for line in lines:
            rect = QRectF(section.left, line.top, room, _ROW - 1)
            look = model.look(line.row, column)
            if room >= _NARROW:
                paint_look(painter, rect, look, palette)
                continue
            # what a cell draws must not run into its neighbour
            painter.save()
            painter.setClipRect(rect)
            paint_look(painter, rect, look, palette)
            painter.restore()
        self._rule(lines, section.left + room)
        if column != CLIENT:
            self._rule(lines, section.left + section.width - 1)

    def _paint_notes(self, lines: Sequence[Line], section: Section) -> None:
        index = self._model.index_of_run
        if index is None or not index.notes:
            return
        for line in lines:
            marked = index.notes.marked(line.row.number)
            if marked or index.notes.comment(line.row.number):
                box = QRectF(section.left + 4, line.top + 4, 10, 10)
                icon = Icon.PIN if marked else Icon.INFO
                draw_icon(self._painter, box, icon, self._palette.accent)


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
