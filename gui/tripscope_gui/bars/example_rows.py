"""The list of examples on the start page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from tripscope_gui.bars.examples import Example, summary
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.store.statuses import OUTCOME_OF_STATUS
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel

if TYPE_CHECKING:
    from tripscope_gui.run_store import RunStore


ROW: Final = 58
LOW_ROW: Final = 49
"""In windows that are low, so that all of the start page is in view."""


class ExampleRow(QWidget):
    """One example: outcome, title, what it shows, a fact of its run, Open."""

    opened = Signal(object)
    """The `Example` was chosen."""

    def __init__(
        self, theme: Theme, example: Example, *, first: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._first = first
        self.example = example
        self.setFixedHeight(ROW)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{example.title}. {example.description}")
        self.badge = Badge(theme, size=20, label="")
        self.badge.setFixedWidth(22)
        self.fact = PlainLabel("", "t3", px=TypeSize.LABEL)
        if first:
            self.button = Button(theme, "Open", Icon.PLAY, kind=Kind.PRIMARY, small=True)
        else:
            self.button = Button(theme, "Open", small=True)
        self.button.setAccessibleName(f"Open {example.title}")
        self.button.clicked.connect(lambda _=False: self.opened.emit(example))
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addStretch(1)
        words.addWidget(PlainLabel(example.title, px=TypeSize.SECTION, weight=SEMIBOLD))
        words.addWidget(ElidedLabel(theme, example.description, tone="t2"))
        words.addStretch(1)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 0, 16, 0)
        line.setSpacing(14)
        line.addWidget(self.badge)
        line.addLayout(words, 1)
        line.addWidget(self.fact)
        line.addWidget(self.button)
        theme.changed.connect(self.update)

    def show_run(self, store: RunStore) -> None:
        """Say how a run of it ended."""
        self.badge.set_outcome(OUTCOME_OF_STATUS.get(store.status), "")
        self.fact.setText(summary(store))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.opened.emit(self.example)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.example)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._first:
            palette = self._theme.palette
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), palette.sel)
                painter.setPen(palette.accent)
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class ExampleList(QFrame):
    """All examples in one framed list."""

    opened = Signal(object)

    def __init__(
        self, theme: Theme, examples: list[Example], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.rows: list[ExampleRow] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for position, example in enumerate(examples):
            if position > 1:
                line = QFrame()
                line.setProperty("kind", "rule")
                line.setFixedHeight(1)
                column.addWidget(line)
            row = ExampleRow(theme, example, first=position == 0, parent=self)
            row.opened.connect(self.opened)
            self.rows.append(row)
            column.addWidget(row)

    def set_low(self, low: bool) -> None:
        """Make the rows lower, or as high as they are where there is room."""
        for row in self.rows:
            row.setFixedHeight(LOW_ROW if low else ROW)
