"""What can be tried: a line per remedy, each with the one link that makes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel

_LINE = 20
_TITLE = "What you can try"

Line = tuple[str, str, str]
"""(words before, the link, words behind)."""


class AdviceList(QScrollArea):
    """Title with the reason, then the lines; at most as high as it is allowed to be."""

    chosen = Signal(int)
    """Number of the line whose link was activated."""
    undo_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_TITLE)
        self.lines: list[AdviceLine] = []
        self._why = ElidedLabel(theme, tone="t2", px=TypeSize.LABEL)
        self.undo = Button(theme, "undo", kind=Kind.LINK, small=True)
        self.undo.clicked.connect(self.undo_wanted)
        body = QFrame()
        # the line over it tells it from the rows of the table
        body.setProperty("kind", "footer")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(8, 2, 8, 2)
        self._column.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(PlainLabel(_TITLE, weight=SEMIBOLD))
        head.addWidget(self._why, 1)
        head.addWidget(self.undo)
        self._head = QWidget()
        self._head.setFixedHeight(_LINE + 2)
        head.setContentsMargins(0, 0, 0, 0)
        self._head.setLayout(head)
        self._column.addWidget(self._head)
        self._column.addStretch(1)
        self.setWidget(body)
        self.hide()

    def set_lines(self, why: str, lines: Sequence[Line], undo: str = "") -> None:
        """Show other lines; nothing where there are none and nothing to undo."""
        for line in self.lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines = [AdviceLine(self._theme, line) for line in lines]
        for number, line in enumerate(self.lines):
            line.link.clicked.connect(lambda _=False, n=number: self.chosen.emit(n))
            self._column.insertWidget(number + 1, line)
        self._why.set_text(why)
        self.undo.setVisible(bool(undo))
        self.undo.setText(f"undo {undo}".replace("&", "&&"))
        self.undo.setAccessibleName(f"undo {undo}")
        self.setVisible(bool(lines or undo))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, min(self.maximumHeight(), self._wanted()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self.maximumHeight(), self._wanted()))

    def _wanted(self) -> int:
        return 4 + _LINE + 2 + _LINE * len(self.lines)


class AdviceLine(QWidget):
    """An icon, words, the link, words."""

    def __init__(self, theme: Theme, line: Line) -> None:
        super().__init__()
        before, link, after = line
        self._theme = theme
        self._icon = Icon.REPLAY if link == "replay" else Icon.ARROW_RIGHT
        self.link = Button(theme, link, kind=Kind.LINK, small=True)
        self.link.setAccessibleName(" ".join(part for part in line if part))
        self.setFixedHeight(_LINE)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 0, 0, 0)
        row.setSpacing(4)
        if before:
            row.addWidget(_shrinking(theme, before))
        row.addWidget(self.link)
        row.addWidget(_shrinking(theme, after), 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            tone = self._theme.palette.tone("t2")
            draw_icon(painter, QRectF(0, (self.height() - 13) / 2, 13, 13), self._icon, tone)


def _shrinking(theme: Theme, text: str) -> ElidedLabel:
    return ElidedLabel(theme, text, tone="t2", px=TypeSize.LABEL)
