"""A combo box that says when its words are cut."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox, QStylePainter

from tripscope_gui.delegates.texts import elided

_EDGES = 40
"""Padding and arrow, as the style sheet has them."""
_INSET = 4
"""What the style leaves free beside the words in their field."""


class ElidedCombo(QComboBox):
    """Draws an ellipsis where the style would cut a letter in two."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        # late: PySide needs 12 ms to make all that `QStyle` names, which no first frame needs
        from PySide6.QtWidgets import QStyle

        kind = QStyle.ComplexControl.CC_ComboBox
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(kind, option, part, self)
        room = min(self.width() - _EDGES, field.width() - _INSET)
        option.currentText = elided(option.currentText, self.font(), room)
        with (painter := QStylePainter(self)):
            painter.drawComplexControl(kind, option)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
