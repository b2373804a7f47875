"""A few facts, each with its label; a warning sign before those that can go wrong."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon, icon_pixmap
from tripscope_gui.store.rule_facts import Fact
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel, plain_tooltip


class FactList(QFrame):
    """Title and lines; the lines are made anew when other facts are shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "footer")
        self._theme = theme
        self._facts: list[Fact] = []
        self._title = ElidedLabel(theme, weight=SEMIBOLD)
        self._hint = PlainLabel("", "t2")
        head = QHBoxLayout()
        head.setSpacing(Space.SNUG)
        head.addWidget(self._title)
        head.addWidget(self._hint, 1)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.SNUG)
        self._grid.setVerticalSpacing(Space.SNUG)
        self._grid.setColumnMinimumWidth(0, 150)
        self._grid.setColumnStretch(2, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.WIDE, Space.BASE, Space.WIDE, Space.WIDE)
        column.setSpacing(Space.BASE)
        column.addLayout(head)
        column.addLayout(self._grid)
        theme.changed.connect(self._repaint)

    @property
    def facts(self) -> list[Fact]:
        """What is shown."""
        return self._facts

    def show_facts(self, name: str, hint: str, facts: Sequence[Fact]) -> None:
        """Show other facts of a thing of that name."""
        self._title.set_text(name)
        self._hint.setText(hint)
        if list(facts) != self._facts:
            self._facts = list(facts)
            self._repaint()
        spoken = "; ".join(f"{fact.label}: {fact.value}" for fact in facts)
        self.setAccessibleName(f"{name}, {hint}: {spoken}")

    def _repaint(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        for row, fact in enumerate(self._facts):
            self._grid.addWidget(PlainLabel(fact.label, "t2"), row, 0)
            if fact.warns:
                sign = QLabel()
                color = self._theme.palette.tone("flagged")
                sign.setPixmap(icon_pixmap(Icon.WARNING, color, 14, self.devicePixelRatioF()))
                sign.setAccessibleName("warning")
                sign.setToolTip(plain_tooltip(f"{fact.label}: {fact.value}"))
                self._grid.addWidget(sign, row, 1)
            size = TypeSize.EDITOR_MONO if fact.mono else TypeSize.BODY
            tone = "flagged" if fact.warns else "t1"
            value = ElidedLabel(self._theme, fact.value, tone=tone, px=size, mono=fact.mono)
            self._grid.addWidget(value, row, 2)
