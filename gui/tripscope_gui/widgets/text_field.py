"""A field for a text that may have several lines; one of them is in view."""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tripscope_gui.theme import Theme
from tripscope_gui.widgets.pattern_edit import PatternEdit


class TextField(PatternEdit):
    """Enter begins a new line, Tab leaves the field."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent, coloured=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        QPlainTextEdit.keyPressEvent(self, event)

    def insertFromMimeData(self, source: object) -> None:
        self.insertPlainText(getattr(source, "text", str)())
