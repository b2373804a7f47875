"""The button that shows and hides places of the chain in the chunks table."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from tripscope_gui.delegates.texts import one_line
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.chunk_view import ChunkView


class ColumnChoice(QObject):
    """A menu with a tick for each place; at least one stays."""

    def __init__(self, theme: Theme, view: ChunkView) -> None:
        super().__init__(view)
        self._view = view
        self._table = view.table
        self._menu = QMenu(view)
        self._menu.aboutToShow.connect(self.refresh)
        self.button = Button(theme, "all columns", small=True)
        self.button.setMenu(self._menu)

    def refresh(self) -> None:
        """Offer the places of the run that is shown."""
        table, menu = self._table, self._menu
        menu.clear()
        for place in table.places:
            action = menu.addAction(one_line(table.title(place)).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(place not in table.hidden)
            action.toggled.connect(lambda on, p=place: self.show_column(p, on))
        shown = len(table.places) - len(table.hidden & set(table.places))
        every = shown == len(table.places)
        words = "all columns" if every else f"{shown} of {len(table.places)} columns"
        # the style puts the menu's arrow over the end of the words
        self.button.setText(words + "\u2003")
        self.button.setAccessibleName(words)

    def show_column(self, place: str, on: bool) -> None:
        """Show or hide a place of the chain."""
        table = self._table
        hidden = table.hidden - {place} if on else table.hidden | {place}
        if len(hidden & set(table.places)) >= len(table.places):
            return
        table.hidden = frozenset(hidden)
        self._view.arrange()
        self.refresh()
