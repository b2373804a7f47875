"""The filter row of the chunks table: a query field, chips that toggle, the count of rows."""

from __future__ import annotations

import json
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QMenu, QWidget

from tripscope_gui.fonts import mono_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.store.chunk_query import KEYS, WORDS, All, Node, Not, QueryError, parse
from tripscope_gui.theme import Theme, set_style_property
from tripscope_gui.tokens import Height, Space, TypeSize
from tripscope_gui.widgets.chip import Chip
from tripscope_gui.widgets.labels import ElidedLabel, plain_tooltip

DEBOUNCE_MS: Final = 120
FIRST_CHIPS: Final = (("changed", False), ("held", False), ("edge", True))
_MOST_CHIPS: Final = 12


class QueryField(QLineEdit):
    """A line whose faulty stretch is underlined; Escape empties it."""

    emptied = Signal()
    """Escape was pressed."""
    left = Signal()
    """Escape was pressed in an empty field, or Down: the rows are wanted."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("small", True)
        self.setFont(mono_font(TypeSize.CELL_MONO))
        self.setPlaceholderText("rule:email changed !drop")
        self.setAccessibleName("Filter of the chunks")
        self.setClearButtonEnabled(False)
        self.setTextMargins(18, 0, 0, 0)
        self.setToolTip(plain_tooltip(_help()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.emptied.emit()
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Down):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            top = round((self.height() - 14) / 2)
            draw_icon(painter, QRectF(7, top, 14, 14), Icon.SEARCH, self._theme.palette.t3)

    def set_fault(self, fault: tuple[int, int] | None) -> None:
        """Underline a stretch of the text (code points); None: nothing is wrong."""
        set_style_property(self, "invalid", fault is not None)
        marks: list[QInputMethodEvent.Attribute] = []
        if fault is not None:
            # late: PySide makes all that it names, which a filter without a fault does not need
            from PySide6.QtGui import QTextCharFormat

            start, end = fault
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(self._theme.palette.removed)
            look.setForeground(self._theme.palette.removed)
            kind = QInputMethodEvent.AttributeType.TextFormat
            # Qt counts from the cursor
            marks.append(
                QInputMethodEvent.Attribute(
                    kind, start - self.cursorPosition(), max(1, end - start), look
                )
            )
        QApplication.sendEvent(self, QInputMethodEvent("", marks))


class FilterBar(QFrame):
    """Query and chips make one filter: a row must meet the query and every chip that is on."""

    filter_changed = Signal(object)
    """The new `Node`, or None for no filter."""
    chips_changed = Signal()
    """Chips were added, removed or negated."""
    left = Signal()
    """The keyboard is done with the query: Escape in an empty field, or Down."""

    def __init__(self, theme: Theme, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._chips: list[Chip] = []
        self._node: Node | None = None
        self.setProperty("kind", "filter")
        self.setFixedHeight(Height.FILTER_ROW)
        self.field = QueryField(theme)
        self.field.setMinimumWidth(120)
        self.field.setMaximumWidth(240)
        self.add_button = Chip("+ chip", checkable=False)
        self.add_button.setToolTip("Keep this query as a chip")
        self.add_button.clicked.connect(self._add_from_field)
        self.count = ElidedLabel(theme, tone="t2", px=TypeSize.LABEL)
        self.count.setMinimumWidth(1)
        self.fault = ElidedLabel(theme, tone="removed", px=TypeSize.LABEL)
        self.fault.hide()
        self._chip_row = QHBoxLayout()
        self._chip_row.setSpacing(Space.SNUG)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(Space.SNUG, 0, Space.SNUG, 0)
        self._line.setSpacing(Space.SNUG)
        self._line.addWidget(self.field, 1)
        self._line.addLayout(self._chip_row)
        self._line.addWidget(self.add_button)
        self._line.addWidget(self.count)
        self._line.addWidget(self.fault)
        self._line.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self.apply)
        self.field.textEdited.connect(lambda _text: self._timer.start())
        self.field.returnPressed.connect(self.apply)
        self.field.emptied.connect(self.apply)
        self.field.left.connect(self.left)

    def add_tool(self, widget: QWidget) -> None:
        """Put a control at the right end."""
        self._line.addWidget(widget)

    # chips

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The chips in order."""
        return tuple(self._chips)

    def add_chip(self, query: str, *, negated: bool = False, on: bool = False) -> Chip | None:
        """Add a chip; None if the query is wrong or there are too many chips.

        A chip that is there already is switched on instead.
        """
        query = query.strip()
        try:
            if parse(query) is None:
                return None
        except QueryError:
            return None
        for chip in self._chips:
            if (chip.words, chip.negated) == (query, negated):
                chip.setChecked(on)
                return chip
        if len(self._chips) >= _MOST_CHIPS:
            return None
        chip = Chip(query, checked=on, negated=negated)
        chip.toggled.connect(lambda _on: self.apply())
        chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chip.customContextMenuRequested.connect(lambda at, c=chip: self._offer(c, at))
        chip.setToolTip("On or off; right-click to negate or remove")
        self._chips.append(chip)
        self._chip_row.addWidget(chip)
        return chip

    def remove_chip(self, chip: Chip) -> None:
        """Take a chip away; its filter goes with it."""
        self._chips.remove(chip)
        self._chip_row.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        self.chips_changed.emit()
        self.apply()

    def negate_chip(self, chip: Chip) -> None:
        """Leave out what the chip lets by, or the other way round."""
        chip.set_negated(not chip.negated)
        self.chips_changed.emit()
        self.apply()

    def saved_chips(self) -> bytes:
        """The chips, to be kept in the settings."""
        return json.dumps([[chip.words, chip.negated] for chip in self._chips]).encode()

    def load_chips(self, saved: bytes | None) -> None:
        """Make the chips that were kept, or those of a new user."""
        for words, negated in _read_chips(saved):
            self.add_chip(words, negated=negated)

    def _add_from_field(self) -> None:
        text = self.field.text().strip()
        negated = text.startswith("!")
        if text and self.add_chip(text[1:] if negated else text, negated=negated, on=True):
            self.field.clear()
            self.chips_changed.emit()
            self.apply()
        else:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer(self, chip: Chip, at: QPoint) -> None:
        menu = QMenu(chip)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Do not negate" if chip.negated else "Negate").triggered.connect(
            lambda: self.negate_chip(chip)
        )
        menu.addAction("Edit").triggered.connect(lambda: self._edit(chip))
        menu.addAction("Remove").triggered.connect(lambda: self.remove_chip(chip))
        menu.popup(chip.mapToGlobal(at))

    def _edit(self, chip: Chip) -> None:
        self.field.setText(f"!({chip.words})" if chip.negated else chip.words)
        self.remove_chip(chip)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    # the filter

    @property
    def node(self) -> Node | None:
        """The filter in force."""
        return self._node

    def set_query(self, query: str) -> None:
        """Put a query into the field and filter by it."""
        self.field.setText(query)
        self.apply()

    def clear(self) -> None:
        """Empty the field and switch all chips off."""
        self.field.clear()
        for chip in self._chips:
            chip.setChecked(False)
        self.apply()

    def apply(self) -> None:
        """Read field and chips; a faulty query leaves the filter as it was and says why."""
        self._timer.stop()
        try:
            typed = parse(self.field.text())
        except QueryError as error:
            self.field.set_fault((error.start, error.end))
            self.fault.set_text(str(error))
            self.fault.show()
            self.count.hide()
            return
        self.field.set_fault(None)
        self.fault.hide()
        self.count.show()
        terms = [typed] if typed is not None else []
        for chip in self._chips:
            if chip.isChecked() and (found := parse(chip.words)) is not None:
                terms.append(Not(found) if chip.negated else found)
        node = None if not terms else terms[0] if len(terms) == 1 else All(tuple(terms))
        if node != self._node:
            self._node = node
            self.filter_changed.emit(node)

    def set_count(self, shown: int, total: int, *, searching: bool = False) -> None:
        """Tell how many rows are listed."""
        if not total:
            self.count.set_text("")
            return
        words = f"{shown:,} of {total:,} rows"
        self.count.set_text(f"{words}, searching" if searching else words)


def _read_chips(saved: bytes | None) -> list[tuple[str, bool]]:
    if saved is None:
        return list(FIRST_CHIPS)
    try:
        found = json.loads(saved)
        return [(str(words), bool(negated)) for words, negated in found]
    except (ValueError, TypeError):
        return list(FIRST_CHIPS)


def _help() -> str:
    words = "\n".join(f"{word}: {meaning}" for word, meaning in WORDS.items())
    keys = "\n".join(f"{key}:\u2026 {meaning}" for key, meaning in KEYS.items())
    return (
        'Terms: words, key:value, "text", /pattern/. Side by side all must hold; & | ! ( ) combine.'
        f"\n\n{words}\n\n{keys}"
    )
