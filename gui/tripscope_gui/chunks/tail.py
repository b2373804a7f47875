"""Follows the newest chunk until a person scrolls away, and counts what came meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from tripscope_gui.icons import Icon
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.chunk_view import ChunkView


class Tail(QObject):
    """The "follow" button of a `ChunkView`, which becomes "37 new" once it is let go of."""

    def __init__(self, theme: Theme, view: ChunkView) -> None:
        super().__init__(view)
        self._view = view
        self.on = False
        """Whether the newest chunk is kept in view."""
        self.running = False
        """Whether newer chunks may come."""
        self._new = 0
        self.button = Button(theme, "follow", Icon.FOLLOW, small=True)
        self.button.setCheckable(True)
        self.button.setToolTip("Keep the newest chunk in view (F)")
        self.button.clicked.connect(self.follow)
        view.scrolled_by_hand.connect(self._scrolled)

    def follow(self, on: bool) -> None:
        """Keep the newest chunk in view, or stay."""
        self.on = on
        self._new = 0
        self.button.setChecked(on)
        self.go()
        self._tell()

    def grown(self, rows: int) -> None:
        """So many rows more are listed."""
        if self.on:
            self.go()
        elif rows > 0:
            self._new += rows
        self._tell()

    def go(self) -> None:
        """Go to the newest chunk, if it is followed."""
        if self.on:
            self._view.scrollToBottom()

    def _scrolled(self) -> None:
        # the scroll bar moves after it has told of the action
        QTimer.singleShot(0, self, self._settle)

    def _settle(self) -> None:
        at_end = self._view.at_end
        if at_end != self.on and (self.on or self.running):
            self.follow(at_end)

    def _tell(self) -> None:
        words = f"{self._new:,} new" if self._new and not self.on else "follow"
        if words != self.button.text():
            self.button.setText(words)
            self.button.setAccessibleName(words)
