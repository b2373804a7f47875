"""The band under the breadcrumb that tells how a run ended by a tripwire."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import BadgeSize, TypeSize
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.labels import ElidedLabel

# ground token by outcome; a block is handled, an error is not
_GROUNDS = {
    "blocked": "tint_red",
    "errored": "tint_violet",
    "timed-out": "tint_yellow",
    "flagged": "tint_yellow",
    "changed": "tint_violet",
    "pass": "tint_green",
}


class BlockBand(QWidget):
    """Large badge, title, text and buttons on the outcome's tint.

    Args:
        theme: colours, followed when they change.
        buttons: icon (or None) and words of each button.
    """

    button_clicked = Signal(int)
    """Position of the button that was pressed."""

    def __init__(
        self,
        theme: Theme,
        buttons: Sequence[tuple[Icon | None, str]] = (),
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._outcome = "blocked"
        self._title = ElidedLabel(theme, px=TypeSize.BLOCK, weight=SEMIBOLD)
        self._text = ElidedLabel(theme, tone="t2")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._text)
        words.addStretch(1)
        line = self._line = QHBoxLayout(self)
        line.setSpacing(8)
        line.addLayout(words, 1)
        self.buttons: list[Button] = []
        for position, (icon, label) in enumerate(buttons):
            button = Button(theme, label, icon)
            button.clicked.connect(lambda _=False, n=position: self.button_clicked.emit(n))
            self.buttons.append(button)
            line.addWidget(button)
        self.set_low(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_low(self, low: bool) -> None:
        """Take less height, where the window has little."""
        self.setFixedHeight(46 if low else 66)
        self._line.setContentsMargins(64, 3 if low else 8, 16, 3 if low else 8)

    @property
    def outcome(self) -> str:
        """The outcome told."""
        return self._outcome

    def set_block(self, outcome: str, title: str, text: str = "") -> None:
        """Tell an outcome.

        Raises:
            KeyError: an outcome that ends nothing (``skipped``, ``not-run``) or no outcome.
        """
        _ = _GROUNDS[outcome]
        self._outcome = outcome
        self._title.set_text(title)
        self._text.set_text(text)
        self.setAccessibleName(f"{outcome}: {title}. {text}".strip())
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, outline and badge."""
        palette = self._theme.palette
        with QPainter(self) as painter:
            painter.setPen(QPen(palette.outcome(self._outcome), 1))
            painter.setBrush(palette.tone(_GROUNDS[self._outcome]))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
            size = BadgeSize.BAND
            box = QRectF(16, round((self.height() - size) / 2), size, size)
            draw_badge(painter, box, self._outcome, palette)
