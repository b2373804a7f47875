"""A combo box that says when its words are cut."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox

from tripscope_gui.delegates.texts import elided

_EDGES = 40
"""Padding and arrow, as the style sheet has them."""


class ElidedCombo(QComboBox):
    """Draws an ellipsis where the style would cut a letter in two."""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        option.currentText = elided(option.currentText, self.font(), self.width() - _EDGES)
