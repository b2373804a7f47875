"""What a pane says while it has nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.labels import PlainLabel


class EmptyState(QWidget):
    """A title, a hint and up to two buttons in the middle of a pane.

    Args:
        theme: colours, followed when they change.
        title: what would be here.
        hint: how it gets here.
        buttons: words of the buttons, at most two.
    """

    button_clicked = Signal(int)
    """Position of the button that was pressed."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        hint: str = "",
        buttons: tuple[str, ...] = (),
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if len(buttons) > 2:
            raise ValueError("an empty state offers at most two things to do")
        middle = Qt.AlignmentFlag.AlignHCenter
        self._title = PlainLabel(title, px=TypeSize.SECTION, weight=SEMIBOLD)
        self._hint = PlainLabel(hint, "t2")
        self._hint.setWordWrap(True)
        for label in (self._title, self._hint):
            label.setAlignment(middle)
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.addStretch(1)
        column.addWidget(self._title)
        column.addWidget(self._hint)
        line = QHBoxLayout()
        line.setContentsMargins(0, 8, 0, 0)
        line.setSpacing(8)
        line.addStretch(1)
        self.buttons: list[Button] = []
        for position, words in enumerate(buttons):
            button = Button(theme, words)
            button.clicked.connect(lambda _=False, n=position: self.button_clicked.emit(n))
            self.buttons.append(button)
            line.addWidget(button)
        line.addStretch(1)
        column.addLayout(line)
        column.addStretch(1)
        self.set_text(title, hint)

    def set_text(self, title: str, hint: str = "") -> None:
        """Say something else."""
        self._title.setText(title)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.setAccessibleName(f"{title}. {hint}" if hint else title)
