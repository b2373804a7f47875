"""The eight looks of a rule, one of them chosen."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope_gui.delegates.rules import draw_swatch
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import RULE_NAMES

_EDGE: Final = 16
_STEP: Final = 22


class SwatchRow(QWidget):
    """Click one, or move the choice with the arrow keys."""

    picked = Signal(int)
    """A person chose a look, 0 to 7."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._current = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.update)
        self.set_current(0)

    @property
    def current(self) -> int:
        """The look that is chosen."""
        return self._current

    def set_current(self, look: int) -> None:
        """Show a choice; nothing is emitted."""
        self._current = look % len(RULE_NAMES)
        name = RULE_NAMES[self._current]
        self.setAccessibleName(f"colour of the rule: {name}")
        self.setToolTip(f"Colour of the rule in every pane: {name}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_STEP * len(RULE_NAMES), _STEP)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        look = int(event.position().x()) // _STEP
        if self.isEnabled() and 0 <= look < len(RULE_NAMES):
            self._pick(look)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if by is None:
            super().keyPressEvent(event)
            return
        self._pick((self._current + by) % len(RULE_NAMES))

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = self._theme.palette
        with QPainter(self) as painter:
            for look in range(len(RULE_NAMES)):
                box = QRectF(look * _STEP + 3, (self.height() - _EDGE) / 2, _EDGE, _EDGE)
                draw_swatch(painter, box, look, palette)
                if look == self._current:
                    width = 2 if self.hasFocus() else 1
                    painter.setPen(
                        QPen(palette.accent if self.isEnabled() else palette.line2, width)
                    )
                    painter.drawRect(box.adjusted(-2.5, -2.5, 1.5, 1.5))

    def _pick(self, look: int) -> None:
        if look != self._current:
            self.set_current(look)
            self.picked.emit(look)
