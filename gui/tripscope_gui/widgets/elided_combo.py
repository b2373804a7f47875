"""A combo box that says when its words are cut."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox

from tripscope_gui.delegates.texts import elided

_EDGES = 40
"""Padding and arrow, as the style sheet has them."""
_INSET = 4
"""What the style leaves free beside the words in their field."""


class ElidedCombo(QComboBox):
    """Draws an ellipsis where the style would cut a letter in two."""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        room = min(self.width() - _EDGES, field.width() - _INSET)
        option.currentText = elided(option.currentText, self.font(), room)
