"""An icon as a label of its own."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from tripscope_gui.icons import Icon, icon_pixmap
from tripscope_gui.theme import Theme


class IconLabel(QLabel):
    """An icon, 16 logical pixels, that follows the theme."""

    def __init__(
        self, theme: Theme, icon: Icon, tone: str = "t2", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._icon, self._tone = theme, icon, tone
        theme.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Draw it in the theme's colour."""
        color = self._theme.palette.tone(self._tone)
        self.setPixmap(icon_pixmap(self._icon, color, 16, self.devicePixelRatioF()))
