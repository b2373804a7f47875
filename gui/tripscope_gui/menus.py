"""The menu bar, made from the table of commands; recent files and examples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QWidget

from tripscope_gui.actions import MENUS, Actions
from tripscope_gui.bars.examples import Example, examples
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.icons import Icon
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import plain_tooltip

OpenPath = Callable[[Path], None]
OpenExample = Callable[[Example], None]


def make_menus(bar: QMenuBar, context: PaneContext, open_path: OpenPath) -> None:
    """Fill the menu bar anew; a menu without commands is left out."""
    bar.clear()
    bar.setFixedHeight(Height.MENU)
    actions = context.actions
    for name in MENUS:
        entries = actions.of_menu(name)
        if not entries:
            continue
        menu = bar.addMenu(name)
        menu.aboutToShow.connect(actions.refresh)
        group = entries[0].group
        for command in entries:
            if command.group != group:
                menu.addSeparator()
                group = command.group
            menu.addAction(actions.action(command.id))
            if command.id == "file.open":
                recent = menu.addMenu("Open recent")
                recent.aboutToShow.connect(lambda m=recent: fill_recent(m, context, open_path))


def make_find_button(bar: QMenuBar, context: PaneContext) -> Button:
    """The palette's button at the right end of the menu bar."""
    actions = context.actions
    key = actions.action("view.palette").shortcut()
    words = f"Find a command   {key.toString(QKeySequence.SequenceFormat.NativeText)}"
    button = Button(context.theme, words, Icon.SEARCH, kind=Kind.QUIET, small=True)
    button.setAccessibleName("Find a command")
    button.clicked.connect(lambda _=False: actions.trigger("view.palette"))
    corner = QWidget(bar)
    line = QHBoxLayout(corner)
    line.setContentsMargins(0, 2, 8, 1)
    line.addWidget(button)
    bar.setCornerWidget(corner)
    return button


def fill_recent(menu: QMenu, context: PaneContext, open_path: OpenPath) -> None:
    """Recent files, newest first."""
    menu.clear()
    for path in context.settings.recent:
        action = menu.addAction(one_line(path.name).replace("&", "&&"))
        action.setToolTip(plain_tooltip(str(path)))
        action.triggered.connect(lambda _=False, p=path: open_path(p))
    if menu.isEmpty():
        menu.addAction("No recent files").setEnabled(False)
        return
    menu.addSeparator()
    menu.addAction("Clear recent files").triggered.connect(context.settings.clear_recent)


def fill_sessions(
    menu: QMenu, context: PaneContext, open_path: OpenPath, open_example: OpenExample
) -> None:
    """The menu of the session button: recent files, examples, new, open."""
    fill_recent(menu, context, open_path)
    menu.addSeparator()
    for example in examples():
        action = menu.addAction(example.title.replace("&", "&&"))
        action.triggered.connect(lambda _=False, e=example: open_example(e))
    menu.addSeparator()
    actions: Actions = context.actions
    for command in ("file.new", "file.open"):
        menu.addAction(actions.action(command))
