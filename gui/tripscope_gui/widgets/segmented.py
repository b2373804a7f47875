"""A choice of two or three words, all in view: time or sequence, UTF-16 or code points or UTF-8."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget


class SegmentedControl(QWidget):
    """Joined buttons of which one is pressed; the arrow keys move the choice.

    Args:
        options: key and words of each choice.
        name: accessible name, what is chosen here.
        current: key of the first choice; the first option if None.
    """

    selected = Signal(str)
    """The user or the program chose another key."""

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        name: str,
        current: str | None = None,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        for position, (key, words) in enumerate(options):
            button = QPushButton(words, self)
            button.setProperty("kind", "segment")
            button.setProperty("place", _place(position, len(options)))
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setAccessibleName(f"{name}: {words}")
            self._group.addButton(button, position)
            self._buttons[key] = button
            line.addWidget(button)
        self._keys = [key for key, _words in options]
        self._buttons[current or self._keys[0]].setChecked(True)
        self._group.idToggled.connect(self._on_toggled)

    @property
    def current(self) -> str:
        """Key of the pressed choice."""
        return self._keys[self._group.checkedId()]

    def set_current(self, key: str) -> None:
        """Press a choice; emits ``selected`` if it wasn't pressed.

        Raises:
            KeyError: no option has that key.
        """
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QPushButton:
        """The button of a choice, to disable it or give it a tooltip."""
        return self._buttons[key]

    def _on_toggled(self, position: int, checked: bool) -> None:
        if checked:
            self.selected.emit(self._keys[position])


def _place(position: int, count: int) -> str:
    if count == 1:
        return "only"
    if position == 0:
        return "first"
    return "last" if position == count - 1 else "middle"
