"""Where the caret of a text stands, in all three units."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from tripscope.patterns.units import from_utf16_offset, utf8_offset
from tripscope_gui.fonts import mono_font
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.labels import PlainLabel

UNITS = ("UTF-16", "code points", "UTF-8")
_NONE: Final = "\u2013"


def in_units(text: str, offset: int) -> tuple[int, int, int]:
    """An offset in UTF-16 units of ``text`` as UTF-16 units, code points and UTF-8 bytes."""
    point = from_utf16_offset(text, offset)
    return offset, point, utf8_offset(text, point)


class CaretBar(QFrame):
    """``caret in model  UTF-16 155  code points 154  UTF-8 157``."""

    def __init__(
        self, *, hint: str = "Alt+click: go to finding", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "footer")
        self.setFixedHeight(24)
        self._where = PlainLabel("", "t2", px=TypeSize.LABEL)
        self._numbers: list[PlainLabel] = []
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 0, 10, 0)
        line.setSpacing(4)
        line.addWidget(self._where)
        for unit in UNITS:
            line.addSpacing(10)
            line.addWidget(PlainLabel(unit, "t2", px=TypeSize.LABEL))
            number = PlainLabel(_NONE, px=TypeSize.LABEL)
            number.setFont(mono_font(TypeSize.CELL_MONO))
            line.addWidget(number)
            self._numbers.append(number)
        line.addStretch(1)
        self.hint = PlainLabel(hint, "t3", px=TypeSize.LABEL)
        line.addWidget(self.hint)

    def show_caret(self, column: str, text: str, offset: int) -> None:
        """Tell of a caret at a UTF-16 offset of the text at ``column``."""
        self._where.setText(f"caret in {column}")
        for label, number in zip(self._numbers, in_units(text, offset), strict=True):
            label.setText(f"{number:,}" if number >= 10_000 else str(number))

    def show_nothing(self) -> None:
        """There is no text that a caret could be in."""
        self._where.setText("")
        for label in self._numbers:
            label.setText(_NONE)

    @property
    def numbers(self) -> tuple[str, ...]:
        """What is shown, in the order of `UNITS`."""
        return tuple(label.text() for label in self._numbers)
