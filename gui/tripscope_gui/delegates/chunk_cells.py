"""Cells of the chunks table: text with its runs, edges, hatches; painted from a `Look`."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.marks import (
    blocked_edge,
    changed_edge,
    held_hatch,
    held_width,
    leak_edge,
    released_edge,
    unscanned_frame,
)
from tripscope_gui.delegates.rules import rule_band
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.fonts import mono_font, ui_font
from tripscope_gui.store.chunk_looks import Look, LookRun
from tripscope_gui.tokens import BadgeSize, Palette, TypeSize

GUTTER: Final = 17
_PAD: Final = 7.0
_ELLIPSIS: Final = "\u2026"


class Piece(Struct, frozen=True):
    """Text at ``x`` logical pixels from the left of its room."""

    x: float
    width: float
    text: str
    run: LookRun | None


Pieces: TypeAlias = tuple[Piece, ...]


class _Fonts:
    """Metrics of the two fonts of cells, looked up once per process."""

    def __init__(self) -> None:
        self.mono = mono_font(TypeSize.CELL_MONO)
        self.words = ui_font(TypeSize.LABEL)
        self.struck = ui_font(TypeSize.LABEL)
        self.struck.setStrikeOut(True)
        self.mono_metrics = QFontMetricsF(self.mono)
        self.words_metrics = QFontMetricsF(self.words)
        self.letter = self.mono_metrics.horizontalAdvance("0")
        self._dots = tuple(m.horizontalAdvance(_ELLIPSIS) for m in self._both)
        self._lift = tuple((m.ascent() - m.descent()) / 2 for m in self._both)

    @property
    def _both(self) -> tuple[QFontMetricsF, QFontMetricsF]:
        return self.words_metrics, self.mono_metrics

    def width(self, text: str, mono: bool) -> float:
        if mono and text.isascii():
            return len(text) * self.letter
        metrics = self.mono_metrics if mono else self.words_metrics
        return float(metrics.horizontalAdvance(text))

    def dots(self, mono: bool) -> float:
        """Width of an ellipsis."""
        return self._dots[mono]

    def baseline(self, rect: QRectF, mono: bool) -> float:
        return float(round(rect.top() + rect.height() / 2 + self._lift[mono]))


@lru_cache(maxsize=1)
def _fonts() -> _Fonts:
    return _Fonts()


def paint_look(painter: QPainter, rect: QRectF, look: Look, palette: Palette) -> None:
    """Draw a cell's content into ``rect``, its room without gutter and row line.

    The painter is left as found but for pen, brush and font.
    """
    if look.full:
        _paint_hold(painter, rect.left(), rect.top(), rect.width(), rect.height(), look, palette)
        return
    room = rect
    if look.hold:
        width = min(_hold_width(look.hold), rect.width())
        room = QRectF(rect.left(), rect.top(), rect.width() - width, rect.height())
        _paint_hold(painter, room.right(), rect.top(), width, rect.height(), look, palette)
    inner = _paint_edge(painter, room, look, palette)
    if look.text and inner.width() > 8:
        _paint_text(painter, inner, look, palette)


@lru_cache(maxsize=512)
def _hold_width(text: str) -> float:
    return held_width(text)


_HATCHES: Final[dict[tuple[object, ...], QPixmap]] = {}
_MOST_HATCHES: Final = 256


def _paint_hold(
    painter: QPainter,
    left: float,
    top: float,
    width: float,
    height: float,
    look: Look,
    palette: Palette,
) -> None:
    """A screen may be full of hatches: each kind is drawn once and kept as a picture."""
    ratio = painter.device().devicePixelRatioF()
    key = (look.hold, int(width), int(height), palette.name, ratio)
    picture = _HATCHES.get(key)
    if picture is None:
        if len(_HATCHES) >= _MOST_HATCHES:
            _HATCHES.clear()
        picture = QPixmap(max(1, round(int(width) * ratio)), max(1, round(int(height) * ratio)))
        picture.setDevicePixelRatio(ratio)
        with QPainter(picture) as inner:
            held_hatch(inner, QRectF(0, 0, int(width), int(height)), palette, look.hold)
        _HATCHES[key] = picture
    painter.drawPixmap(QPointF(round(left), top), picture)


def _paint_edge(painter: QPainter, rect: QRectF, look: Look, palette: Palette) -> QRectF:
    match look.edge:
        case "changed":
            rect = changed_edge(painter, rect, palette)
        case "released":
            rect = released_edge(painter, rect, palette)
        case "flush":
            rect = released_edge(painter, rect, palette, flush=True)
        case "leak":
            rect = leak_edge(painter, rect, palette)
        case "blocked":
            rect = blocked_edge(painter, rect, palette)
        case "unscanned":
            rect = unscanned_frame(painter, rect, palette)
        case "flagged" | "errored" | "timed-out" | "not-run":
            rect = _badge(painter, rect, look.edge, palette)
        case _:
            return rect.adjusted(_PAD, 0, -4, 0)
    return rect.adjusted(2, 0, -4, 0)


def _badge(painter: QPainter, rect: QRectF, outcome: str, palette: Palette) -> QRectF:
    size = float(BadgeSize.CELL)
    box = QRectF(rect.left() + _PAD, rect.center().y() - size / 2, size, size)
    draw_badge(painter, box, outcome, palette)
    return rect.adjusted(_PAD + size + 3, 0, 0, 0)


def _paint_text(painter: QPainter, rect: QRectF, look: Look, palette: Palette) -> None:
    fonts = _fonts()
    painter.setFont(_font(fonts, look))
    base = fonts.baseline(rect, look.mono)
    color = palette.t3 if look.quiet else palette.t1
    left = round(rect.left())
    for piece in fit(look, rect.width()):
        run = piece.run
        x = left + piece.x
        pen = color
        if run is not None:
            box = QRectF(x, rect.top() + 2, piece.width, rect.height() - 3)
            pen = _paint_run(painter, box, run, palette)
        painter.setPen(pen)
        painter.drawText(QPointF(x, base), piece.text)


def _font(fonts: _Fonts, look: Look) -> QFont:
    if look.mono:
        return fonts.mono
    return fonts.struck if look.edge == "dropped" else fonts.words


@lru_cache(maxsize=128)
def _tint(palette: Palette, rule: int) -> QColor:
    return palette.rule_tint(rule) if rule >= 0 else palette.tint_violet


def _paint_run(painter: QPainter, box: QRectF, run: LookRun, palette: Palette) -> QColor:
    """Ground of a run; the colour of its text."""
    if run.kind == "leak":
        return palette.removed
    if run.kind == "box":
        rule = run.rules[0] if run.rules else -1
        line = palette.rule(rule) if rule >= 0 else palette.outcome("changed")
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(line, 1))
        painter.setBrush(_tint(palette, rule))
        painter.drawRoundedRect(box.adjusted(-1.5, -0.5, 1.5, -0.5), 2, 2)
        painter.restore()
        return palette.t1
    painter.fillRect(box, _tint(palette, run.rules[0]))
    y = box.bottom() - 1
    for rule in run.rules[:2]:
        rule_band(painter, box.left(), box.right(), y - 1, rule, palette)
        y -= 3
    return palette.t1


def fit(look: Look, width: float) -> Pieces:
    """The text of a look cut to ``width`` logical pixels, the stretch that matters in view."""
    key = int(width)
    kept = look.fitted
    if kept is not None and kept[0] == key:
        return kept[1]  # type: ignore[return-value]
    pieces = _fit(look, width)
    look.fitted = (key, pieces)
    return pieces


def _fit(look: Look, width: float) -> Pieces:
    fonts = _fonts()
    text = one_line(look.text)
    first, last = 0, len(text)
    if fonts.width(text, look.mono) > width:
        first, last = _window(look, text, width)
    cuts = {first, last}
    for run in look.runs:
        cuts |= {min(max(run.start, first), last), min(max(run.end, first), last)}
    edges = sorted(cuts)
    parts: list[tuple[str, LookRun | None]] = []
    if first:
        parts.append((_ELLIPSIS, None))
    parts += ((text[a:b], _run_over(look, a, b)) for a, b in pairwise(edges))
    if last < len(text):
        parts.append((_ELLIPSIS, _run_over(look, last, last + 1)))
    pieces: list[Piece] = []
    x = 0.0
    # each piece is a call to Qt: an ellipsis is drawn with the words that it stands beside
    for run, together in groupby(parts, key=itemgetter(1)):
        words = [part for part, _ in together]
        width = sum(
            fonts.dots(look.mono) if part is _ELLIPSIS else fonts.width(part, look.mono)
            for part in words
        )
        pieces.append(Piece(x, width, "".join(words), run))
        x += width
    return tuple(pieces)


def _run_over(look: Look, start: int, end: int) -> LookRun | None:
    return next((r for r in look.runs if r.start <= start and end <= r.end), None)


def _window(look: Look, text: str, width: float) -> tuple[int, int]:
    """(first, end) code points that fit, with room for the ellipses."""
    fonts = _fonts()
    dots = fonts.dots(look.mono)
    end = _reach(text, 0, width - dots, look.mono)
    focus = look.focus
    if focus is None or focus[1] <= end:
        return 0, end
    start, stop = focus
    room = width - 2 * dots
    if fonts.width(text[start:stop], look.mono) > room:
        first = start
    else:
        # as much as possible of what stands before the stretch
        first, used = start, fonts.width(text[start:stop], look.mono)
        while first and (used := used + fonts.width(text[first - 1], look.mono)) <= room:
            first -= 1
    if not first:
        return 0, end
    if first == len(text):
        first = max(0, len(text) - 1)
    return first, _reach(text, first, width - dots, look.mono, dots)


def _reach(text: str, first: int, width: float, mono: bool, dots: float = 0.0) -> int:
    """The end of what fits into ``width`` from ``first`` on; at least one character."""
    fonts = _fonts()
    tail = text[first:]
    if fonts.width(tail, mono) <= width:
        return len(text)
    room = width - dots
    if mono and tail.isascii():
        return first + max(1, int(room / fonts.letter))
    end, used = first, 0.0
    while end < len(text) and (used := used + fonts.width(text[end], mono)) <= room:
        end += 1
    return max(first + 1, end)
