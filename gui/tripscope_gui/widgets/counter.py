"""A number with its label above it, as in the run bar."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.labels import PlainLabel


class Counter(QWidget):
    """Label above a tabular value; the value carries its unit."""

    def __init__(self, label: str, value: str = "\u2013", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(label, "t2", px=TypeSize.COUNT)
        self._value = PlainLabel(weight=SEMIBOLD)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._label)
        column.addWidget(self._value)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_value(value)

    @property
    def value(self) -> str:
        """The value shown."""
        return self._value.text()

    def reserve(self, value: str) -> None:
        """Be wide enough for ``value`` from the start."""
        shown = self.value
        self.set_value(value)
        self.set_value(shown)

    def set_value(self, value: str) -> None:
        """Show another value; the widget never gets narrower, so that neighbours stay put."""
        if value == self._value.text():
            return
        self._value.setText(value)
        # of a label whose size is fixed the layout of the window hears only when it changes
        room = self._value.sizeHint().expandedTo(self._value.minimumSize())
        if room != self._value.size():
            self._value.setFixedSize(room)
        self.setAccessibleName(f"{self._label.text()} {value}")
