"""Giving the keyboard to a part of the window."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def focused_in(part: QWidget) -> QWidget | None:
    """What was given the keyboard last in a window, or in a part of one that may be out of view.

    In an active window it has it.
    """
    # the stubs say it is never None
    return cast("QWidget | None", part.focusWidget())


def focus_within(part: QWidget, focused: QWidget | None) -> bool:
    """Give the focus to the body of a part: the largest thing in it that takes the Tab key.

    Args:
        part: what is to have it.
        focused: what had it before the part was brought to the front; where that is in the part it
            keeps it. Qt has given it to the next best thing by now.

    Returns:
        Whether something in the part has it.
    """
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
