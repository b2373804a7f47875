"""Giving the keyboard to a part of the window."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def focus_within(part: QWidget) -> bool:
    """Give the focus to the body of a part: the largest thing in it that takes the Tab key.

    Nothing is done where the focus is in it already; whether it is now.
    """
    # the stubs say it is never None
    focused = cast("QWidget | None", part.window().focusWidget())
    if focused is not None and part.isAncestorOf(focused) and focused.isVisible():
        return True
    bodies = [widget for widget in part.findChildren(QWidget) if _takes_tab(widget)]
    if not bodies:
        return False
    body = max(bodies, key=lambda widget: widget.width() * widget.height())
    body.setFocus(Qt.FocusReason.ShortcutFocusReason)
    return True


def _takes_tab(widget: QWidget) -> bool:
    usable = widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None
    return usable and Qt.FocusPolicy.TabFocus in widget.focusPolicy()
