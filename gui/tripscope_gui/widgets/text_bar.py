"""The line over the texts: which two points, which text of the run, and how they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QMenu, QWidget

from tripscope_gui.delegates.texts import elided, in_place, one_line
from tripscope_gui.icons import Icon
from tripscope_gui.store.followed import Source
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height, TypeSize
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.elided_combo import ElidedCombo
from tripscope_gui.widgets.labels import PlainLabel, plain_tooltip

_MOST_SOURCES: Final = 40
_LEAST_TITLE: Final = 72
_TITLE_EDGES: Final = 30
"""Padding and arrow of its button."""
_TITLE_SHARE: Final = 0.28
"""Of the bar's width, for the name of the text shown."""
_OTHER_TEXT: Final = "Another text of this run"


class TextBar(QFrame):
    """Combos for the points before and after, switches, and a menu of the run's texts."""

    points_changed = Signal()
    """Another point was chosen by a person."""
    sources_wanted = Signal()
    """The menu of texts opens: call `show_sources`."""
    source_chosen = Signal(object)
    """A `Source` was chosen from it."""

    def __init__(self, theme: Theme, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "filter")
        self.setFixedHeight(Height.FILTER_ROW)
        self.before = _combo("Point before")
        self.after = _combo("Point after")
        self.sync = Button(theme, "synchronised", Icon.SYNC, small=True)
        self.sync.setCheckable(True)
        self.sync.setChecked(True)
        self.odd = Button(theme, "invisibles", Icon.INVISIBLES, kind=Kind.QUIET, small=True)
        self.odd.setCheckable(True)
        self.source = Button(theme, "text", kind=Kind.QUIET, small=True)
        self._title = "text"
        self.set_narrow(False)
        self._menu = QMenu(self.source)
        self.source.setMenu(self._menu)
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 0, 6, 0)
        line.setSpacing(6)
        for label, combo in (("before", self.before), ("after", self.after)):
            line.addWidget(PlainLabel(label, "t2", px=TypeSize.LABEL))
            line.addWidget(combo, 1)
            combo.activated.connect(lambda _i: self.points_changed.emit())
        line.addWidget(self.sync)
        line.addWidget(self.odd)
        line.addWidget(self.source)
        self._menu.aboutToShow.connect(self.sources_wanted)

    def set_narrow(self, narrow: bool) -> None:
        """Leave out the words of the switches, which their tooltips keep."""
        hint = "Show blanks, invisible and look-alike characters"
        for button, words, tip in (
            (self.sync, "synchronised", "Scroll both sides together"),
            (self.odd, "invisibles", hint),
        ):
            button.setText("" if narrow else words)
            button.setAccessibleName(words)
            button.setToolTip(tip)

    def clear_points(self) -> None:
        """Offer none."""
        self.before.clear()
        self.after.clear()

    def show_points(self, points: Sequence[tuple[str, str]]) -> None:
        """Offer (column, title) of each point; what was chosen stays where it is still there."""
        if [self.before.itemData(n) for n in range(self.before.count())] != [
            key for key, _ in points
        ]:
            for combo, default in ((self.before, 0), (self.after, len(points) - 1)):
                chosen = combo.currentData()
                combo.clear()
                for key, title in points:
                    combo.addItem(in_place(title), key)
                found = combo.findData(chosen) if chosen is not None else -1
                combo.setCurrentIndex(found if found >= 0 else default)
        for combo in (self.before, self.after):
            combo.setEnabled(combo.count() > 0)

    def choose_after(self, column: str | None) -> None:
        """Make a point the one after, if it is offered."""
        found = self.after.findData(column)
        if column is not None and found >= 0:
            self.after.setCurrentIndex(found)

    def columns(self) -> tuple[str, str]:
        """The points that are chosen; empty while there is none."""
        return str(self.before.currentData() or ""), str(self.after.currentData() or "")

    def show_title(self, title: str) -> None:
        """Name the text that is shown."""
        self._title = title
        self.source.setAccessibleName(f"Text shown: {title}")
        self._fit_title()

    def _fit_title(self) -> None:
        room = max(_LEAST_TITLE, round(self.width() * _TITLE_SHARE) - _TITLE_EDGES)
        words = elided(self._title, self.source.font(), room)
        # the style puts the menu's arrow over the end of the words
        self.source.setText(words.replace("&", "&&") + "\u2003")
        cut = words != self._title
        tip = f"{self._title}\n{_OTHER_TEXT}" if cut else _OTHER_TEXT
        self.source.setToolTip(plain_tooltip(tip))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_title()

    def show_sources(self, sources: Sequence[Source], current: Source | None) -> None:
        """Fill the menu with the newest texts."""
        self._menu.clear()
        for source in sources[-_MOST_SOURCES:]:
            action = self._menu.addAction(one_line(source.title).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(source == current)
            action.triggered.connect(lambda _on, s=source: self.source_chosen.emit(s))


def _combo(name: str) -> QComboBox:
    combo = ElidedCombo()
    combo.setProperty("small", True)
    combo.setAccessibleName(name)
    combo.setMinimumWidth(76)
    combo.setMaximumWidth(190)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return combo
