"""Where the window and its docks were: kept when they change, restored at the next start.

The docks' arrangement is kept apart for windows under and over 1400 logical pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tripscope_gui.settings import Settings

if TYPE_CHECKING:
    from tripscope_gui.dock_grid import DockGrid
    from tripscope_gui.main_window import MainWindow

_GEOMETRY: Final = "window/geometry"
_TITLE: Final = 32
"""Logical pixels that the system's title bar takes, about; nobody knows before the first frame."""
_DOCKS: Final = {True: "docks/narrow", False: "docks/wide"}


def restore_window(settings: Settings, window: MainWindow) -> None:
    """Give the window its last place and size, or 1600x1000 where the screen has the room."""
    state = settings.bytes(_GEOMETRY)
    if state is None or not window.restoreGeometry(state):
        room = window.screen().availableGeometry()
        window.resize(min(1600, room.width()), min(1000, room.height() - _TITLE))


def keep_window(settings: Settings, window: MainWindow) -> None:
    """Keep place and size."""
    settings.set_bytes(_GEOMETRY, window.saveGeometry())


def restore_docks(settings: Settings, grid: DockGrid) -> None:
    """Give the docks the arrangement that a person made for windows of this width."""
    state = settings.bytes(_DOCKS[grid.narrow])
    if state is not None:
        grid.restore(state)


def keep_docks(settings: Settings, grid: DockGrid) -> None:
    """Keep the arrangement."""
    settings.set_bytes(_DOCKS[grid.narrow], grid.state())


def forget_docks(settings: Settings) -> None:
    """Back to the arrangement that the program has."""
    for key in _DOCKS.values():
        settings.set_bytes(key, None)
