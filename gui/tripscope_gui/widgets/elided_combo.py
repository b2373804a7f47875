"""A combo box that says when its words are cut."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox, QStylePainter

from tripscope_gui.delegates.texts import elided

_INSET = 2 - 1
"""What the style leaves free beside the words in their field; it asks for room in whole pixels."""


class ElidedCombo(QComboBox):
    """Draws an ellipsis where the style would cut a letter in two."""

    def cut_text(self) -> str:
        """The words as they are drawn at the present width."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._cut(option)

    def paintEvent(self, _event: QPaintEvent) -> None:
        # late: PySide needs 12 ms to make all that `QStyle` names, which no first frame needs
        from PySide6.QtWidgets import QStyle

        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._cut(option)
        with (painter := QStylePainter(self)):
            painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def _cut(self, option: QStyleOptionComboBox) -> str:
        from PySide6.QtWidgets import QStyle

        kind, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(kind, option, part, self)
        return elided(option.currentText, self.font(), field.width() - _INSET)
