"""Where Tab goes: through all of a window as it is read, row by row.

Qt goes in the order in which widgets were made, and the window makes them as they are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QButtonGroup, QWidget


def move_focus(window: QWidget, *, forward: bool) -> bool:
    """Give the keyboard to what is read next, or before; whether there is anything else."""
    focused = QApplication.focusWidget()
    order = list(_read(window, focused))
    here = order.index(focused) if focused in order else -1 if forward else len(order)
    turned = (
        [*order[here + 1 :], *order[: max(here, 0)]]
        if forward
        else [*reversed(order[:here]), *reversed(order[here + 1 :])]
    )
    following = next((widget for widget in turned if _takes_tab(widget)), None)
    if following is None:
        return False
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    following.setFocus(reason)
    return True


def tab_stops(window: QWidget) -> list[QWidget]:
    """All that Tab stops at, in order."""
    return [widget for widget in _read(window, None) if _takes_tab(widget)]


def _read(widget: QWidget, focused: QWidget | None) -> Iterator[QWidget]:
    """What takes the Tab key inside a widget, and what has the keyboard, in order."""
    for child in _by_rows(widget):
        if child is focused or _takes_tab(child):
            yield child
        yield from _read(child, focused)


def _by_rows(widget: QWidget) -> Iterator[QWidget]:
    shown = [
        child
        for child in widget.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
    ]
    shown.sort(key=lambda child: (child.y(), child.x()))
    while shown:
        # taken out by itself: what has no height has its centre below its bottom
        first = shown.pop(0)
        bottom = first.geometry().bottom()
        row = [child for child in shown if child.geometry().center().y() <= bottom]
        shown = [child for child in shown if child not in row]
        yield from sorted((first, *row), key=lambda child: child.x())


def _takes_tab(widget: QWidget) -> bool:
    return (
        Qt.FocusPolicy.TabFocus in widget.focusPolicy()
        and widget.isEnabled()
        and widget.focusProxy() is None
        and not (isinstance(widget, QAbstractButton) and _is_passed_over(widget))
    )


def _is_passed_over(button: QAbstractButton) -> bool:
    """Of buttons of which one is down, that one is gone to; the arrows go on from it.

    Qt sees to it only once one of them was clicked.
    """
    # the stubs say that it is never None
    group = cast("QButtonGroup | None", button.group())
    if group is None or not group.exclusive():
        return False
    return group.checkedButton() not in (None, button)
