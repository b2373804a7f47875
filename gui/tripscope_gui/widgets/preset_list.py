"""The rule sets that come with the program, and a link that copies one to edit it."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from tripscope.rules.presets import PRESETS
from tripscope_gui.bars.icon_label import IconLabel
from tripscope_gui.icons import Icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel


class PresetList(QFrame):
    """One line a preset: its name, the names of its rules, whether it is in use."""

    copied = Signal(str)
    """Name of the preset whose rules should become the processor's own."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("presets")
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.BASE)
        grid.setVerticalSpacing(Space.SNUG)
        grid.setColumnStretch(2, 1)
        self._names: dict[str, PlainLabel] = {}
        self.links: dict[str, Button] = {}
        for row, (name, rules) in enumerate(PRESETS.items()):
            label = self._names[name] = PlainLabel(name)
            label.setMinimumWidth(84)
            rule_names = ", ".join(rule.name for rule in rules)
            link = self.links[name] = Button(theme, "copy", kind=Kind.LINK, small=True)
            link.setAccessibleName(f"copy the rules of preset {name}")
            link.clicked.connect(lambda _=False, n=name: self.copied.emit(n))
            grid.addWidget(IconLabel(theme, Icon.LOCK), row, 0)
            grid.addWidget(label, row, 1)
            grid.addWidget(ElidedLabel(theme, rule_names, tone="t2"), row, 2)
            grid.addWidget(link, row, 3, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.WIDE, Space.WIDE, Space.WIDE, Space.WIDE)
        column.setSpacing(Space.BASE)
        words = "Presets, read only. Copy one to edit its rules."
        column.addWidget(PlainLabel(words, "t2", px=TypeSize.LABEL))
        column.addLayout(grid)

    def show_presets(self, used: Collection[str]) -> None:
        """Mark the presets that the processor has."""
        for name, label in self._names.items():
            label.setText(f"{name} \u2713" if name in used else name)
            label.set_tone("t1" if name in used else "t2")
