"""Commands as data: menus, shortcuts, palette and the overlay of keys are made from one table.

A command has an id, a title, a menu, shortcuts, a function, and a test of when it can be used.
Panes may register their own with `Actions.add`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

MENUS: Final = ("File", "Edit", "View", "Run", "Chain", "Rules", "Window", "Help")


class Command(NamedTuple):
    """One command. ``group`` numbers the part of its menu, parted by lines.

    ``keys`` are portable key sequences (``Ctrl+R``); the first is shown. ``checked`` makes it a
    switch. ``hidden`` keeps it out of menus, not out of the palette.
    """

    id: str
    title: str
    menu: str
    run: Callable[[], object]
    keys: tuple[str, ...] = ()
    enabled: Callable[[], bool] | None = None
    checked: Callable[[], bool] | None = None
    icon: str | None = None
    group: int = 0
    hidden: bool = False
    hint: str = ""


class Actions(QObject):
    """The table of commands, and a `QAction` for each."""

    added = Signal(str)
    """Id of a new command."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def __contains__(self, command_id: object) -> bool:
        return command_id in self._commands

    def get(self, command_id: str) -> Command:
        """The command of that id.

        Raises:
            KeyError: there is none.
        """
        return self._commands[command_id]

    def action(self, command_id: str) -> QAction:
        """Its action, for menus and buttons; enabled and checked as of the last `refresh`."""
        return self._actions[command_id]

    def add(self, command: Command, *, within: QWidget | None = None) -> QAction:
        """Register a command.

        Args:
            command: what it is.
            within: the widget that must have the focus for its keys to act; the whole window if
                not given.

        Raises:
            ValueError: its id, one of its keys or its menu is wrong.
        """
        if command.id in self._commands:
            raise ValueError(f"command {command.id!r} is registered twice")
        if command.menu not in MENUS:
            raise ValueError(f"{command.id}: no menu {command.menu!r}; use one of {MENUS}")
        if within is None:
            self._refuse_taken_keys(command)
        owner = within if within is not None else self.parent()
        action = QAction(command.title, owner if isinstance(owner, QObject) else self)
        action.setObjectName(command.id)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        if within is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            within.addAction(action)
        elif isinstance(owner, QWidget):
            owner.addAction(action)
        action.setCheckable(command.checked is not None)
        action.setToolTip(command.hint or command.title)
        action.triggered.connect(lambda _checked=False, c=command: c.run())
        self._commands[command.id] = command
        self._actions[command.id] = action
        self._refresh_one(command)
        self.added.emit(command.id)
        return action

    def enabled(self, command_id: str) -> bool:
        """Whether a command can be used now."""
        command = self._commands[command_id]
        return command.enabled is None or command.enabled()

    def trigger(self, command_id: str) -> bool:
        """Run a command if it can be used now; whether it was run."""
        if not self.enabled(command_id):
            return False
        self._commands[command_id].run()
        return True

    def refresh(self) -> None:
        """Ask every command anew whether it can be used and is switched on."""
        for command in self._commands.values():
            self._refresh_one(command)

    def of_menu(self, menu: str) -> list[Command]:
        """Commands of a menu by group, those of a group in the order of registration."""
        return sorted((c for c in self if c.menu == menu and not c.hidden), key=lambda c: c.group)

    def _refresh_one(self, command: Command) -> None:
        action = self._actions[command.id]
        if command.enabled is not None:
            action.setEnabled(command.enabled())
        if command.checked is not None:
            action.setChecked(command.checked())

    def _refuse_taken_keys(self, command: Command) -> None:
        for other in self:
            shared = set(command.keys) & set(other.keys)
            action = self._actions[other.id]
            if shared and action.shortcutContext() == Qt.ShortcutContext.WindowShortcut:
                raise ValueError(f"{command.id}: {shared.pop()} is taken by {other.id}")


def key_text(command: Command) -> str:
    """The command's first key as this system spells it; empty for none."""
    if not command.keys:
        return ""
    return QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
