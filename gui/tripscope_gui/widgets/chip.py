"""Filter chips: a word that is on or off, perhaps negated."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from tripscope_gui.delegates.texts import one_line
from tripscope_gui.fonts import ui_font
from tripscope_gui.tokens import TypeSize


class Chip(QPushButton):
    """A round toggle; ``toggled`` tells. A negated chip is struck through and read as "not"."""

    def __init__(
        self,
        text: str,
        *,
        checked: bool = False,
        negated: bool = False,
        checkable: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._words = text
        self._negated = False
        self.setProperty("kind", "chip")
        self.setCheckable(checkable)
        self.setChecked(checked and checkable)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setText(one_line(text).replace("&", "&&"))
        self.set_negated(negated)

    @property
    def negated(self) -> bool:
        """True where rows that match are left out."""
        return self._negated

    @property
    def words(self) -> str:
        """The text as given."""
        return self._words

    def set_negated(self, negated: bool) -> None:
        """Leave out what matches, or only keep it."""
        self._negated = negated
        font = ui_font(TypeSize.LABEL)
        font.setStrikeOut(negated)
        self.setFont(font)
        name = one_line(self._words)
        self.setAccessibleName(f"not {name}" if negated else name)
