"""One side of the text pane: a head line, the text at a point, and where it was cut off."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from tripscope_gui.store.passages import Passage
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.cut_view import CutView
from tripscope_gui.widgets.labels import ElidedLabel

_HEAD = 21


class TextColumn(QWidget):
    """Shows a `Passage`."""

    def __init__(self, theme: Theme, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.passage: Passage | None = None
        head = QFrame()
        head.setProperty("kind", "bar")
        head.setFixedHeight(_HEAD)
        self.head = ElidedLabel(theme, tone="t2", px=TypeSize.LABEL)
        line = QHBoxLayout(head)
        line.setContentsMargins(10, 0, 8, 0)
        line.addWidget(self.head, 1)
        self.text = AnnotatedText(theme, name)
        self.cut = CutView(theme)
        self.cut.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.text, 1)
        column.addWidget(self.cut, 1)

    def show_passage(self, passage: Passage | None) -> None:
        """Show a text, or none."""
        self.passage = passage
        if passage is None:
            self.head.set_text("")
            self.text.set_text("")
            self.cut.hide()
            return
        cut = passage.cut
        came = passage.run.length
        words = passage.words
        if cut is not None and not came:
            words = "nothing came out"
        self.head.set_text(words)
        self.text.show_run(passage.run, passage.spans)
        self.text.setVisible(cut is None or came > 0)
        if cut is not None:
            self.cut.show_cut(cut, came)
        self.cut.setVisible(cut is not None)
