"""What opens over the window: the command palette and the list of all keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.actions import MENUS, Actions, Command, key_text
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.models.base import Column, ListModel
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height, Space, TypeSize
from tripscope_gui.widgets.keycap import KeyCap
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.tables import TableView

_WIDTH: Final = 520
_ROWS: Final = 12


class Overlay(QFrame):
    """A frame over the window that Escape, or a click elsewhere, closes."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("kind", "card")
        self.setAutoFillBackground(True)
        self._before: QWidget | None = None
        self.hide()

    def open(self) -> None:
        """Show it in the upper middle of the window and take the focus."""
        window = self._window
        self._before = window.focusWidget()
        size = self.sizeHint().expandedTo(self.minimumSize()).boundedTo(window.size())
        left = (window.width() - size.width()) // 2
        top = min(96, max(0, (window.height() - size.height()) // 2))
        self.setGeometry(left, top, size.width(), size.height())
        self.show()
        self.raise_()
        self.setFocus()
        window.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    def close_overlay(self) -> None:
        """Hide it and give the focus back."""
        if self.isHidden():
            return
        self._window.removeEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.disconnect(self._on_focus)
        focused: QWidget | None = self._window.focusWidget()
        inside = focused is not None and self.isAncestorOf(focused)
        self.hide()
        if inside and self._before is not None:
            self._before.setFocus()
        self._before = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and now is not self and not self.isAncestorOf(now):
            self.close_overlay()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_overlay()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.close_overlay()
        return False


class Palette(Overlay):
    """All commands that can be used now, narrowed by what is typed."""

    def __init__(self, theme: Theme, actions: Actions, window: QWidget) -> None:
        super().__init__(window)
        self._actions = actions
        self.setAccessibleName("find a command")
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find a command")
        self.field.setAccessibleName("command")
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self.model: ListModel[Command] = ListModel(
            (
                Column("command", lambda c: c.title),
                Column("menu", lambda c: c.menu, roles={CellRole.TONE: lambda _c: "t3"}),
                Column("keys", key_text, number=True, mono=True),
            ),
            parent=self,
        )
        self.table = TableView(theme, "commands", row_height=Height.RULE_ROW)
        self.table.setModel(self.model)
        self.table.horizontalHeader().hide()
        self.table.set_column_widths((300, 70, 130), stretch=0)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.clicked.connect(lambda index: self._run(index.row()))
        self.table.setFixedHeight(_ROWS * Height.RULE_ROW)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(Space.SNUG)
        self.nothing = PlainLabel("No command that can be used now has these letters", "t3")
        self.nothing.hide()
        column.addWidget(self.field)
        column.addWidget(self.nothing)
        column.addWidget(self.table)
        self.setFixedWidth(_WIDTH)
        self.setFocusProxy(self.field)

    def open(self) -> None:
        self._actions.refresh()
        self.field.clear()
        self._narrow("")
        super().open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._key(event.key())
        return super().eventFilter(watched, event)

    def _key(self, key: int) -> bool:
        row = self.table.currentIndex().row()
        if key == Qt.Key.Key_Escape:
            self.close_overlay()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(row)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._select(row + (1 if key == Qt.Key.Key_Down else -1))
        else:
            return False
        return True

    def _narrow(self, text: str) -> None:
        usable = [c for c in self._actions if c.enabled is None or c.enabled()]
        found = [(rank, c) for c in usable if (rank := match(text, c.title)) is not None]
        found.sort(key=lambda pair: (pair[0], MENUS.index(pair[1].menu), pair[1].group))
        self.model.reset([c for _, c in found])
        self.nothing.setVisible(not found)
        self._select(0)

    def _select(self, row: int) -> None:
        if 0 <= row < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(row, 0))
            self.table.scrollTo(
                self.model.index(row, 0), QAbstractItemView.ScrollHint.EnsureVisible
            )

    def _run(self, row: int) -> None:
        command = self.model.row(row)
        self.close_overlay()
        if command is not None:
            self._actions.trigger(command.id)


def match(typed: str, title: str) -> int | None:
    """Rank of a title for what was typed: smaller is better; None if a letter is missing.

    The letters must come in order; those that stand together and at the front count more.
    """
    rank, place = 0, -1
    words = title.lower()
    for letter in typed.lower():
        if letter == " ":
            continue
        found = words.find(letter, place + 1)
        if found < 0:
            return None
        rank += found - place - 1
        place = found
    return rank


class KeysOverlay(Overlay):
    """Every command that has a key, by menu."""

    def __init__(self, theme: Theme, actions: Actions, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._actions = theme, actions
        self.setAccessibleName("all keys")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        head = QHBoxLayout()
        head.addWidget(PlainLabel("All keys", px=TypeSize.SECTION, weight=SEMIBOLD))
        head.addStretch(1)
        head.addWidget(PlainLabel("Escape closes", "t3", px=TypeSize.LABEL))
        column.addLayout(head)
        column.addWidget(self._area)
        self.setFixedSize(720, 520)

    def open(self) -> None:
        self._area.setWidget(self._page())
        super().open()

    def _page(self) -> QWidget:
        page = QWidget()
        line = QHBoxLayout(page)
        line.setContentsMargins(0, 4, 0, 4)
        line.setSpacing(32)
        columns = [QVBoxLayout(), QVBoxLayout()]
        heights = [0, 0]
        for column in columns:
            line.addLayout(column, 1)
        for menu in MENUS:
            commands = [c for c in self._actions if c.menu == menu and c.keys]
            if commands:
                shorter = heights.index(min(heights))
                columns[shorter].addLayout(self._group(menu, commands))
                heights[shorter] += len(commands) + 2
        for column in columns:
            column.addStretch(1)
        return page

    def _group(self, menu: str, commands: list[Command]) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(3)
        grid.setContentsMargins(0, 0, 0, 10)
        grid.addWidget(PlainLabel(menu, "t3", px=TypeSize.LABEL), 0, 0)
        for row, command in enumerate(commands, 1):
            grid.addWidget(PlainLabel(command.title), row, 0)
            caps = QHBoxLayout()
            caps.addStretch(1)
            for key in command.keys:
                text = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
                caps.addWidget(KeyCap(self._theme, text))
            grid.addLayout(caps, row, 1)
        return grid
