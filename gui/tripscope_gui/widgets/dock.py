"""A dock of the window: head with tabs, one page a tab, accent outline while it has the focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.theme import Theme, set_style_property
from tripscope_gui.widgets.dock_head import DockHead

_LEAST: Final = 240


class Dock(QDockWidget):
    """A dock widget whose title bar is a :class:`DockHead`.

    Args:
        theme: colours, followed when they change.
        name: object name, for saved arrangements; also the accessible name.
        title: what the Window menu calls it.
    """

    def __init__(
        self, theme: Theme, name: str, title: str, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.head = DockHead(theme, title, parent=self)
        self.head.current_changed.connect(self._show_page)
        self.setTitleBarWidget(self.head)
        self._frame = QFrame(self)
        self._frame.setProperty("kind", "pane")
        # what a pane asks for must not push its dock over the next one, which is what Qt does
        self._frame.setMinimumWidth(_LEAST)
        self._frame.setProperty("active", False)
        self._pages = QStackedWidget(self._frame)
        column = QVBoxLayout(self._frame)
        # the frame's 1 px line stays free
        column.setContentsMargins(1, 0, 1, 1)
        column.setSpacing(0)
        column.addWidget(self._pages)
        self.setWidget(self._frame)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_focus)

    def add_page(self, title: str, page: QWidget, count: str = "", at: int | None = None) -> int:
        """Add a tab with its page, at the right or at a position, and return its position."""
        self._pages.insertWidget(-1 if at is None else at, page)
        return self.head.add_tab(title, count, at)

    def page(self, index: int) -> QWidget | None:
        """The page of a tab, or None where there is no such tab."""
        return self._pages.widget(index)

    @property
    def current(self) -> int:
        """Position of the tab in view."""
        return self._pages.currentIndex()

    def show_page(self, index: int) -> None:
        """Bring a tab to the front."""
        self.head.tabs.setCurrentIndex(index)

    def set_active(self, active: bool) -> None:
        """Outline head and body in the accent."""
        self.head.set_active(active)
        set_style_property(self._frame, "active", active)

    def _show_page(self, index: int) -> None:
        self._pages.setCurrentIndex(index)

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        self.set_active(now is not None and self.isAncestorOf(now))
