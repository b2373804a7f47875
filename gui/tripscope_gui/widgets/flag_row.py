"""The eight flags of a pattern as buttons that are on or off."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from tripscope_gui.fonts import mono_font
from tripscope_gui.tokens import TypeSize

FLAGS: Final = {
    "d": "places of groups; changes nothing here",
    "g": "every match, not only the first",
    "i": "letters match whatever their case",
    "m": "^ and $ match at each line",
    "s": ". matches line ends too",
    "u": "characters, not UTF-16 units",
    "v": "as u, with sets of strings",
    "y": "a match must begin where the last one ended",
}
_EDGE: Final = 22


class FlagRow(QWidget):
    """Buttons d g i m s u v y; u and v exclude each other, as in JavaScript."""

    changed = Signal(str)
    """A person switched a flag: all that are on, in JavaScript's order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("flags of the pattern")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(3)
        self.buttons: dict[str, QPushButton] = {}
        for flag, meaning in FLAGS.items():
            button = QPushButton(flag, self)
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setProperty("kind", "flag")
            button.setFont(mono_font(TypeSize.CELL_MONO))
            button.setFixedSize(_EDGE, _EDGE)
            button.setToolTip(f"{flag}: {meaning}")
            button.setAccessibleName(f"flag {flag}, {meaning}")
            button.clicked.connect(lambda _on=False, f=flag: self._on_clicked(f))
            self.buttons[flag] = button
            line.addWidget(button)

    def flags(self) -> str:
        """The flags that are on."""
        return "".join(flag for flag, button in self.buttons.items() if button.isChecked())

    def set_flags(self, flags: str) -> None:
        """Switch exactly these on; nothing is emitted."""
        for flag, button in self.buttons.items():
            button.setChecked(flag in flags)

    def _on_clicked(self, flag: str) -> None:
        other = {"u": "v", "v": "u"}.get(flag)
        if other is not None and self.buttons[flag].isChecked():
            self.buttons[other].setChecked(False)
        self.changed.emit(self.flags())
