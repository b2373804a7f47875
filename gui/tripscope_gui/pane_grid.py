"""A grid of docks with panes in them: what the arrangements of the window have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from tripscope_gui.panes import Pane, Place
from tripscope_gui.place_dock import PlaceDock, fill_menu, move_pane
from tripscope_gui.separator_watch import SeparatorWatch
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Space

_VERSION: Final = 1


class PaneGrid(QMainWindow):
    """Docks only; it stands inside the window, under its bars.

    A subclass adds the panes, lays the docks out and overrides `proportion`. The docks keep their
    shares of the grid until a person arranges them.
    """

    arranged = Signal()
    """A person moved, floated or resized a dock, and `state` tells of it."""

    def __init__(
        self, theme: Theme, places: Iterable[Place], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName(name)
        gap = Space.DOCK_GAP
        self.setContentsMargins(gap, gap, gap, gap)
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks)
        self._custom = False
        self.docks: dict[Place, PlaceDock] = {}
        for place in places:
            dock = self.docks[place] = PlaceDock(theme, place, self)
            dock.menu_wanted.connect(self._open_menu)
            dock.topLevelChanged.connect(self._on_arranged)
        self._separators = SeparatorWatch(self)
        self._separators.moved.connect(self._on_arranged)

    @property
    def custom(self) -> bool:
        """Whether a person changed the arrangement."""
        return self._custom

    def dock_of(self, title: str) -> PlaceDock | None:
        """The dock in which the pane of that title is."""
        for dock in self.docks.values():
            if any(title == pane.TITLE for pane in dock.panes):
                return dock
        return None

    def show_pane(self, title: str) -> bool:
        """Bring the pane of that title to the front; whether there is one."""
        dock = self.dock_of(title)
        if dock is None:
            return False
        dock.show()
        dock.show_pane(next(pane for pane in dock.panes if title == pane.TITLE))
        dock.raise_()
        return True

    def proportion(self, size: QSize | None = None) -> None:
        """Give the docks their shares of ``size`` (the grid's own); each subclass has its own."""
        raise NotImplementedError

    def state(self) -> QByteArray:
        """The arrangement, to be kept."""
        return self.saveState(_VERSION)

    def restore(self, state: QByteArray) -> bool:
        """Take a kept arrangement; whether it fitted."""
        self._custom = self.restoreState(state, _VERSION)
        return self._custom

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._custom:
            self.proportion(event.size())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._custom:
            self.proportion()

    def _put_back(self, homes: Iterable[tuple[Pane, Place]]) -> None:
        """Bring each pane home and take in all docks; whoever calls lays them out then."""
        for pane, place in homes:
            dock, home = self.dock_of(pane.TITLE), self.docks[place]
            if dock is not None and dock is not home:
                move_pane(pane, dock, home)
        for dock in self.docks.values():
            dock.setFloating(False)
            dock.show_page(0)
        # floating docks told of their move as if a person had made it
        self._custom = False

    def _on_arranged(self) -> None:
        self._custom = True
        # the docks move after the click that moves them
        QTimer.singleShot(0, self, self._tell_arranged)

    def _tell_arranged(self) -> None:
        if self._custom:
            self.arranged.emit()

    def _open_menu(self, dock: PlaceDock, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_menu(menu, dock, self.docks)
        menu.triggered.connect(lambda _action: self._on_arranged())
        menu.popup(where)
