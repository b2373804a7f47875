"""A strip that says what can happen and offers one thing to do."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel


class Severity(StrEnum):
    """What a notice is about; red only for failing, blocked, leaked and removed things."""

    WARNING = "warning"
    FAILURE = "failure"
    GOOD = "good"
    CHANGE = "change"


# ground token, colour of edge and icon, icon
_LOOKS = {
    Severity.WARNING: ("tint_yellow", "flagged", Icon.WARNING),
    Severity.FAILURE: ("tint_red", "blocked", Icon.CROSS),
    Severity.GOOD: ("tint_green", "pass", Icon.CHECK),
    Severity.CHANGE: ("tint_violet", "changed", Icon.INFO),
}


class Notice(QWidget):
    """Tinted strip with a coloured edge: icon, bold words, plain text, one link.

    Args:
        theme: colours, followed when they change.
        severity: ground, edge and icon.
        title: the bold words.
        text: what can happen, in the present.
        link: the one thing to do; none if empty.
    """

    link_activated = Signal()
    """The one thing to do was asked for."""

    def __init__(
        self,
        theme: Theme,
        severity: Severity = Severity.WARNING,
        title: str = "",
        text: str = "",
        link: str = "",
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._severity = severity
        self._title = PlainLabel(weight=SEMIBOLD)
        self._text = ElidedLabel(theme, tone="t2")
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._link = Button(theme, link or "link", kind=Kind.LINK)
        self._link.clicked.connect(self.link_activated)
        line = QHBoxLayout(self)
        line.setContentsMargins(34, 5, 10, 5)
        line.setSpacing(8)
        line.addWidget(self._title)
        line.addWidget(self._text, 1)
        line.addWidget(self._link)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.set_notice(severity, title, text, link)

    def set_notice(self, severity: Severity, title: str, text: str = "", link: str = "") -> None:
        """Say something else."""
        self._severity = severity
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._text.set_text(text)
        self._link.setText(link.replace("&", "&&"))
        self._link.setAccessibleName(link)
        self._link.setVisible(bool(link))
        self.setAccessibleName(f"{severity}: {title} {text}".strip())
        self.update()

    def add_button(self, button: Button) -> None:
        """Put a button at the end, for a notice that has to be answered."""
        layout = self.layout()
        assert layout is not None
        layout.addWidget(button)

    @property
    def link_button(self) -> Button:
        """The link, to give it a tooltip or the focus."""
        return self._link

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, edge and icon."""
        ground, color, icon = _LOOKS[self._severity]
        palette = self._theme.palette
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), palette.tone(ground))
            painter.fillRect(QRectF(0, 0, 3, self.height()), palette.tone(color))
            top = round((self.height() - 16) / 2)
            draw_icon(painter, QRectF(12, top, 16, 16), icon, palette.tone(color))
