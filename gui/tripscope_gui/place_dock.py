"""A dock that holds the panes of one place as tabs, each with its own tools in the head."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from tripscope_gui.icons import Icon
from tripscope_gui.panes import Pane, Place
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.buttons import IconButton
from tripscope_gui.widgets.dock import Dock


class PlaceDock(Dock):
    """Panes of ``place``; the one in front is shown under the head."""

    menu_wanted = Signal(object, QPoint)
    """(this dock, where): the button of the head's menu was pressed."""

    def __init__(self, theme: Theme, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(theme, place, place.replace("-", " "), parent=parent)
        self.place: Place = place
        self.panes: list[Pane] = []
        self._tools: dict[Pane, QWidget] = {}
        self._more = IconButton(theme, Icon.MORE, f"Menu of the dock {place}")
        self._more.clicked.connect(self._open_menu)
        self.head.add_tool(self._more)
        self.head.current_changed.connect(lambda _index: self._show_tools())

    @property
    def pane(self) -> Pane | None:
        """The pane in front."""
        return self.panes[self.current] if 0 <= self.current < len(self.panes) else None

    def add_pane(self, pane: Pane, at: int | None = None) -> None:
        """Put a pane behind the last tab, or at a position among them."""
        # a child from the beginning: else it is a window of its own for a moment
        tools = QWidget(self.head)
        line = QHBoxLayout(tools)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        for widget in pane.head_widgets():
            line.addWidget(widget)
        self._tools[pane] = tools
        at = len(self.panes) if at is None else at
        self.panes.insert(at, pane)
        self.add_page(pane.TITLE, pane, pane.badge, at)
        self.head.add_tool(tools)
        self.head.add_tool(self._more)
        pane.badge_changed.connect(self._on_badge)
        # a pane counts anew when it is shown for the first time, which the page just did
        self.head.set_count(at, pane.badge)
        self._rename()
        self._show_tools()

    def take_pane(self, pane: Pane) -> None:
        """Give a pane up; it keeps living."""
        place = self.panes.index(pane)
        pane.badge_changed.disconnect(self._on_badge)
        self.panes.remove(pane)
        self._pages.removeWidget(pane)
        self.head.tabs.removeTab(place)
        tools = self._tools.pop(pane)
        for widget in pane.head_widgets():
            widget.setParent(None)
        tools.setParent(None)
        tools.deleteLater()
        self._rename()
        self._show_tools()

    def show_pane(self, pane: Pane) -> None:
        """Bring a pane to the front."""
        self.show_page(self.panes.index(pane))

    def _on_badge(self, text: str) -> None:
        pane = self.sender()
        if isinstance(pane, Pane) and pane in self.panes:
            self.head.set_count(self.panes.index(pane), text)

    def _show_tools(self) -> None:
        front = self.pane
        # hidden first: with two panes' tools in the head for a moment the dock would grow
        for pane, tools in self._tools.items():
            if pane is not front:
                tools.hide()
        for pane, tools in self._tools.items():
            tools.setVisible(pane is front)

    def _rename(self) -> None:
        title = ", ".join(pane.TITLE for pane in self.panes)
        self.setWindowTitle(title or self.place)
        self.setAccessibleName(title)

    def _open_menu(self) -> None:
        self.menu_wanted.emit(self, self._more.mapToGlobal(self._more.rect().bottomLeft()))


def fill_menu(menu: QMenu, dock: PlaceDock, places: dict[Place, PlaceDock]) -> None:
    """What the head's menu offers: float, and move the pane in front to another place."""
    if dock.pane is not None:
        dock.pane.fill_menu(menu)
        menu.addSeparator()
    float_action = menu.addAction("Dock" if dock.isFloating() else "Float")
    float_action.triggered.connect(lambda: dock.setFloating(not dock.isFloating()))
    pane = dock.pane
    if pane is None:
        return
    moves = menu.addMenu(f"Move {pane.TITLE} to")
    for place, target in places.items():
        if target is not dock:
            action = moves.addAction(place.replace("-", " "))
            action.triggered.connect(lambda _=False, t=target, p=pane: move_pane(p, dock, t))


def move_pane(pane: Pane, source: PlaceDock, target: PlaceDock) -> None:
    """Make a pane the front tab of another dock."""
    source.take_pane(pane)
    target.add_pane(pane)
    source.setVisible(bool(source.panes))
    target.show()
    target.show_pane(pane)
