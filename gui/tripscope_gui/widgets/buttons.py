"""Push buttons of the four kinds: normal, primary, quiet, link."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from tripscope_gui.delegates.texts import in_place
from tripscope_gui.icons import Icon, bind_icon
from tripscope_gui.theme import Theme


class Kind(StrEnum):
    """How a button looks. Exactly one button of the window is the primary one."""

    NORMAL = "normal"
    PRIMARY = "primary"
    QUIET = "quiet"
    LINK = "link"


class Button(QPushButton):
    """A button with words and, before them, an icon that follows the theme.

    Args:
        theme: colours, followed when they change.
        text: the words; also the accessible name.
        icon: name of the icon, or None.
        kind: how it looks.
        small: 22 instead of 28 logical pixels high.
    """

    def __init__(
        self,
        theme: Theme,
        text: str,
        icon: Icon | str | None = None,
        *,
        kind: Kind = Kind.NORMAL,
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        # an ampersand is text here, not the mark of a mnemonic
        super().__init__(in_place(text).replace("&", "&&"), parent)
        self.setProperty("kind", str(kind))
        self.setProperty("small", small)
        self.setAutoDefault(False)
        self.setAccessibleName(in_place(text))
        if kind is Kind.LINK:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        if icon is not None:
            tone = {Kind.PRIMARY: "accent_text", Kind.QUIET: "t2"}.get(kind, "t1")
            bind_icon(self, theme, icon, tone, 14 if small else 16)


class IconButton(QToolButton):
    """A quiet button that is only an icon; its name is read aloud and shown as the tooltip."""

    def __init__(
        self, theme: Theme, icon: Icon | str, name: str, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "quiet")
        self.setProperty("small", True)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        bind_icon(self, theme, icon, "t2")
