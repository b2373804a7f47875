"""A combo box that says when its words are cut."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from tripscope_gui.delegates.texts import elided

_EDGES = 40
"""Padding and arrow, as the style sheet has them."""


class ElidedCombo(QComboBox):
    """Draws an ellipsis where the style would cut a letter in two."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = elided(option.currentText, self.font(), self.width() - _EDGES)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
