"""The button at the left of the run bar: the session's name, and a menu of others."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from tripscope_gui.bars.icon_label import IconLabel
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import ElidedLabel

_ARROW = 26
_LEAST = 166
_WIDEST = 230
_WIDEST_NARROW = 190
_TIGHT = 124


class SessionButton(QPushButton):
    """Icon, name, arrow."""

    menu_wanted = Signal(object)
    """The `QMenu` is about to open: fill it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ElidedLabel(theme, "", weight=SEMIBOLD)
        self._widest, self._tight = _WIDEST, False
        line = QHBoxLayout(self)
        line.setContentsMargins(11, 0, _ARROW, 0)
        line.setSpacing(7)
        line.addWidget(IconLabel(theme, Icon.FILE))
        line.addWidget(self._name, 1)
        for label in self.findChildren(QWidget):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self.menu_wanted.emit(menu))
        self.setMenu(menu)

    def show_name(self, name: str | None, *, changed: bool) -> None:
        """Show a session's name, with a dot while it has changes that are not saved."""
        mark = " \u2022" if changed else ""
        self._name.set_text((name or "no session") + mark)
        self._fit()
        self._name.set_tone("t1" if name is not None else "t3")
        self.setAccessibleName(f"session: {name or 'none'}{', changed' if changed else ''}")

    def set_narrow(self, narrow: bool) -> None:
        """Cut long names sooner, so that the outcome of the run stays in view."""
        self._widest = _WIDEST_NARROW if narrow else _WIDEST
        self._fit()

    def set_tight(self, tight: bool) -> None:
        """Leave the room to the prompt, which tells more."""
        self._tight = tight
        self._fit()

    def _fit(self) -> None:
        whole = min(self._widest, max(_LEAST, self._name.sizeHint().width() + 64))
        self.setFixedWidth(_TIGHT if self._tight else whole)
