"""One check on a stream, as it stands in the strip under the run bar."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel


class CheckState(StrEnum):
    """Result of a check; the word is what the strip shows. Green stands for ``pass`` alone."""

    PASS = "pass"
    FAIL = "FAIL"
    NOT_MADE = "not made"
    SO_FAR = "so far"
    UNSCANNED = "unscanned"


# icon, its colour, tone of the word
_LOOKS = {
    CheckState.PASS: (Icon.CHECK, "pass", "pass"),
    CheckState.FAIL: (Icon.CROSS, "blocked", "fail"),
    CheckState.NOT_MADE: (Icon.MORE, "t3", "t3"),
    CheckState.SO_FAR: (Icon.MORE, "t3", "t2"),
    CheckState.UNSCANNED: (Icon.EYE_CROSSED, "flagged", "warn"),
}


class CheckItem(QWidget):
    """Icon, name of the check, result word, detail, one link; a failing one is boxed in red.

    Args:
        theme: colours, followed when they change.
        title: name of the check.
    """

    link_activated = Signal()
    """The place that the result speaks of was asked for."""

    def __init__(self, theme: Theme, title: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = CheckState.NOT_MADE
        self._title = ElidedLabel(theme, title)
        self._word = PlainLabel(weight=SEMIBOLD)
        self._detail = PlainLabel(tone="t2", px=TypeSize.LABEL)
        self._link = Button(theme, "", kind=Kind.LINK, small=True)
        self._link.clicked.connect(self.link_activated)
        line = QHBoxLayout(self)
        line.setContentsMargins(30, 0, 10, 0)
        line.setSpacing(6)
        for widget in (self._title, self._word, self._detail, self._link):
            line.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(23)
        theme.changed.connect(self.update)
        self.set_state(CheckState.NOT_MADE, "no stream yet")

    @property
    def state(self) -> CheckState:
        """The result shown."""
        return self._state

    @property
    def detail(self) -> str:
        """The words beside the result."""
        return self._detail.text()

    @property
    def link_button(self) -> Button:
        """The link; hidden while there is none."""
        return self._link

    def set_state(self, state: CheckState, detail: str = "", link: str = "") -> None:
        """Show a result. ``detail`` gives numbers with their unit, ``link`` leads to the place."""
        self._state = state
        self._word.setText(str(state))
        self._word.set_tone(_LOOKS[state][2])
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))
        self._link.setText(link.replace("&", "&&"))
        self._link.setAccessibleName(f"{self._title.text()}: {link}")
        self._link.setVisible(bool(link))
        self.setAccessibleName(f"{self._title.text()}: {state} {detail}".strip())
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon and, for a failing check, its box."""
        icon, color, _tone = _LOOKS[self._state]
        palette = self._theme.palette
        with QPainter(self) as painter:
            if self._state is CheckState.FAIL:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(palette.outcome("blocked"), 1))
                painter.setBrush(palette.tint_red)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            top = round((self.height() - 14) / 2)
            draw_icon(painter, QRectF(10, top, 14, 14), icon, palette.tone(color))
