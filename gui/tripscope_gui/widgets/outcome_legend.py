"""All eight outcomes with their badges, in one line."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from tripscope_gui.theme import Theme
from tripscope_gui.tokens import OUTCOMES
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.labels import PlainLabel


class OutcomeLegend(QFrame):
    """A footer of badges and their words; ``note`` stands at the right."""

    def __init__(self, theme: Theme, note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "footer")
        self.setFixedHeight(26)
        self.setAccessibleName("outcomes")
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 0, 10, 0)
        line.setSpacing(14)
        for name in OUTCOMES:
            line.addWidget(Badge(theme, name, size=13, tone="t2"))
        line.addStretch(1)
        line.addWidget(PlainLabel(note, "t3", px=11))
