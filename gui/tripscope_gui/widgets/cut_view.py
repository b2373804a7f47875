"""What stands where a processor let nothing through: who cut it off, and what it was given."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.store.passages import Cut
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.labels import PlainLabel

_TITLES: Final = {
    "blocked": "Cut off here by the tripwire",
    "errored": "Cut off here: the processor raised",
    "timed-out": "Cut off here: the processor's time was used up",
}


class CutView(QWidget):
    """Badge, title, a sentence, and the text that was given, in a dashed frame."""

    def __init__(self, theme: Theme, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.badge = Badge(theme, "blocked", "")
        self.title = PlainLabel("", weight=SEMIBOLD)
        self.sentence = PlainLabel("", "t2")
        self.sentence.setWordWrap(True)
        self.given = AnnotatedText(theme, "What the processor was given")
        self.given.setMinimumHeight(64)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.badge)
        head.addWidget(self.title, 1)
        self._frame = QWidget()
        frame = QVBoxLayout(self._frame)
        frame.setContentsMargins(2, 2, 2, 2)
        frame.addWidget(self.given)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.sentence)
        column.addWidget(self._frame, 1)
        self._frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def show_cut(self, cut: Cut, came_out: int) -> None:
        """Tell of a cut after which ``came_out`` UTF-16 units had left."""
        outcome = cut.call.outcome
        self.badge.set_outcome(outcome, "")
        self.title.setText(_TITLES.get(outcome, "Cut off here"))
        given = f"{cut.given.run.length:,} UTF-16 units"
        if came_out:
            words = f"{cut.processor} was given {given}, shown below. It let {came_out:,} through."
        else:
            words = f"{cut.processor} was given the text below, {given}. It let none of it through."
        self.sentence.setText(words)
        self.sentence.setToolTip("")
        self.given.show_run(cut.given.run, cut.given.spans)
        self.setAccessibleName(f"{self.title.text()}. {words}")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The dashed frame."""
        with QPainter(self) as painter:
            pen = QPen(self._theme.palette.line2, 1, Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([4, 3])
            painter.setPen(pen)
            painter.drawRect(self._frame.geometry().adjusted(0, 0, -1, -1))
