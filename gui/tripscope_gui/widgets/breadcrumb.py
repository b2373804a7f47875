"""The shared selection as a path: run, step, attempt, hook, processor, chunk, finding."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from tripscope_gui.delegates.texts import elided, one_line
from tripscope_gui.fonts import SEMIBOLD, ui_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.labels import plain_tooltip

_CHEVRON = 14
_LONGEST = 240


class Breadcrumb(QWidget):
    """Segments that can be pressed; the last is where the selection stands.

    What doesn't fit is left out of the middle: the first and the last segments stay.
    """

    clicked = Signal(int)
    """Position of the segment that was pressed."""

    def __init__(self, theme: Theme, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._segments: tuple[str, ...] = ()
        self._buttons: list[QPushButton] = []
        self._chevrons: list[float] = []
        self._dots_at: float | None = None
        self.setAccessibleName("selection")
        self.setFixedHeight(Height.BREADCRUMB - 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def segments(self) -> tuple[str, ...]:
        """The whole path, also what is left out for want of room."""
        return self._segments

    def set_segments(self, segments: Sequence[str]) -> None:
        """Show another path; buttons are kept and renamed."""
        if tuple(segments) == self._segments:
            return
        self._segments = tuple(segments)
        while len(self._buttons) < len(segments):
            self._buttons.append(self._make_button(len(self._buttons)))
        for position, button in enumerate(self._buttons):
            if position < len(segments):
                self._name_button(button, segments[position], position == len(segments) - 1)
            else:
                button.hide()
        self.setAccessibleDescription(", ".join(one_line(text) for text in segments))
        self.updateGeometry()
        self._arrange()

    def visible_positions(self) -> list[int]:
        """Positions of the segments that are in view at the present width."""
        return [n for n in range(len(self._segments)) if not self._buttons[n].isHidden()]

    def sizeHint(self) -> QSize:
        """Room for the whole path."""
        return QSize(sum(self._widths()) + _CHEVRON * len(self._segments), self.height())

    def minimumSizeHint(self) -> QSize:
        """Room for the two ends."""
        return QSize(80, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out or bring back segments."""
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Chevrons between the segments, dots for what is left out."""
        with QPainter(self) as painter:
            color = self._theme.palette.t3
            top = round((self.height() - 10) / 2)
            for x in self._chevrons:
                draw_icon(painter, QRectF(x + 2, top, 10, 10), Icon.CHEVRON_RIGHT, color)
            if self._dots_at is not None:
                draw_icon(painter, QRectF(self._dots_at, top - 2, 14, 14), Icon.MORE, color)

    def _make_button(self, position: int) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("kind", "crumb")
        button.setCheckable(True)
        button.setAutoDefault(False)
        # checked is the look of the last segment, not a state that a click changes
        button.clicked.connect(lambda _=False, n=position: self._on_clicked(n))
        return button

    def _on_clicked(self, position: int) -> None:
        self._buttons[position].setChecked(position == len(self._segments) - 1)
        self.clicked.emit(position)

    def _name_button(self, button: QPushButton, text: str, last: bool) -> None:
        font = ui_font(12, SEMIBOLD) if last else ui_font(12)
        button.setFont(font)
        button.setChecked(last)
        cut = elided(text, font, _LONGEST)
        button.setText(cut.replace("&", "&&"))
        button.setAccessibleName(one_line(text))
        button.setToolTip(plain_tooltip(text) if cut != text else "")

    def _widths(self) -> list[int]:
        return [self._buttons[n].sizeHint().width() for n in range(len(self._segments))]

    def _arrange(self) -> None:
        widths = self._widths()
        kept = _fitting(widths, self.width())
        left = 0.0
        self._chevrons = []
        self._dots_at = None
        high = 20
        top = (self.height() - high) // 2
        for position, width in enumerate(widths):
            button = self._buttons[position]
            if position not in kept:
                button.hide()
                if self._dots_at is None:
                    self._chevrons.append(left)
                    self._dots_at = left + _CHEVRON
                    left += 2 * _CHEVRON
                continue
            if position:
                self._chevrons.append(left)
                left += _CHEVRON
            button.setGeometry(int(left), top, width, high)
            button.show()
            left += width
        self.update()


def _fitting(widths: Sequence[int], room: int) -> set[int]:
    """Positions to keep: the first, the last, and from the end as many as fit."""
    kept = set(range(len(widths)))
    if sum(widths) + _CHEVRON * max(0, len(widths) - 1) <= room:
        return kept
    for position in range(1, len(widths) - 1):
        kept.discard(position)
        used = sum(widths[n] for n in kept) + _CHEVRON * (len(kept) + 1)
        if used <= room:
            break
    return kept
