"""Two rules on one stretch: which one replaced it, and which are covered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tripscope_gui.delegates.rules import draw_swatch
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.fonts import SEMIBOLD, mono_font, ui_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.store.overlaps import Line, Overlap, spoken
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import PlainLabel

_LINE = 20


class OverlapBox(QFrame):
    """One overlap with its rules; ``next_requested`` asks for the following one."""

    next_requested = Signal()

    def __init__(self, theme: Theme, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "footer")
        self.title = PlainLabel("", px=TypeSize.LABEL, weight=SEMIBOLD)
        self.sentence = PlainLabel("", "t2", px=TypeSize.LABEL)
        self.next_button = Button(theme, "next", kind=Kind.LINK, small=True)
        self.next_button.clicked.connect(self.next_requested)
        key = PlainLabel("F3", "t3", px=TypeSize.LABEL)
        self.rules = _Rules(theme)
        head = QHBoxLayout()
        head.setSpacing(8)
        for widget in (self.title, self.sentence):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.next_button)
        head.addWidget(key)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 5, 10, 6)
        column.setSpacing(3)
        column.addLayout(head)
        column.addWidget(self.rules)

    def show_overlap(
        self, number: int, count: int, overlap: Overlap, lines: Sequence[Line], unit: str
    ) -> None:
        """Tell of overlap ``number`` (from 1) of ``count``; spans are in ``unit``."""
        self.title.setText(f"Overlap {number} of {count}")
        self.sentence.setText(f"{unit}  {overlap.sentence}")
        self.next_button.setEnabled(count > 1)
        self.rules.show_lines(lines)
        self.setAccessibleName(f"{self.title.text()}: {spoken(lines)}")


class _Rules(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lines: Sequence[Line] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_lines(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, _LINE * max(1, len(self._lines)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            palette = self._theme.palette
            words, mono = ui_font(TypeSize.LABEL), mono_font(TypeSize.CELL_MONO)
            metrics = QFontMetricsF(words)
            base = (_LINE + metrics.ascent() - metrics.descent()) / 2
            names = max((metrics.horizontalAdvance(line[1]) for line in self._lines), default=0.0)
            spans = max(
                (QFontMetricsF(mono).horizontalAdvance(line[2]) for line in self._lines),
                default=0.0,
            )
            for number, (rule, name, span, length, verdict, wins) in enumerate(self._lines):
                top = number * _LINE
                draw_swatch(painter, QRectF(0, top + 4, 12, 12), rule, palette)
                x = 20.0
                painter.setFont(words)
                painter.setPen(palette.t1)
                painter.drawText(int(x), int(top + base), one_line(name))
                x += names + 16
                painter.setFont(mono)
                painter.drawText(int(x), int(top + base), span)
                x += spans + 16
                painter.setFont(words)
                painter.setPen(palette.t2)
                painter.drawText(int(x), int(top + base), length)
                x += metrics.horizontalAdvance("00,000 long") + 8
                if wins:
                    draw_icon(
                        painter, QRectF(x, top + 4, 12, 12), Icon.CHECK, palette.outcome("pass")
                    )
                    x += 16
                painter.setPen(palette.outcome("pass") if wins else palette.t2)
                painter.drawText(int(x), int(top + base), verdict)
