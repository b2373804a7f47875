"""A hand on the window: real clicks and keys on what is in view, counted one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QWidget

from tests.support.still import still
from tests.support.window import until
from tripscope.patterns.units import utf16_len
from tripscope_gui.main_window import MainWindow
from tripscope_gui.widgets.annotated_text import AnnotatedText

W = TypeVar("W", bound=QWidget)


class Hand:
    """Clicks and types as a person would; ``steps`` tells each click and each key in words.

    Everything is found by what can be read on it, and must be in view where it is clicked. A
    character that is typed counts as one key.
    """

    def __init__(self, window: MainWindow, out: Path | None = None) -> None:
        self.window = window
        self.steps: list[str] = []
        self._out = out
        self._pictures = 0

    async def begin(self) -> None:
        """Let the window have the keyboard, and let it get ready."""
        self.window.activateWindow()
        await until(self.window.isActiveWindow)
        await until(lambda: not self.window.context.tasks.running)
        await still(self.window)

    # finding

    def in_view(self, kind: type[W]) -> Iterator[W]:
        """Widgets of a kind that can be seen."""
        for widget in self.window.findChildren(kind):
            if widget.isVisible() and not widget.visibleRegion().isEmpty():
                yield widget

    def button(self, words: str, within: QWidget | None = None) -> QAbstractButton:
        """The one button that reads so, or is announced so."""
        found = [
            button
            for button in self.in_view(QAbstractButton)
            if words in (button.text().replace("&&", "&"), button.accessibleName())
            and (within is None or within.isAncestorOf(button))
        ]
        assert len(found) == 1, f"{len(found)} buttons read {words!r}"
        return found[0]

    def named(self, kind: type[W], name: str) -> W:
        """The widget in view that is announced so."""
        found = [widget for widget in self.in_view(kind) if widget.accessibleName() == name]
        assert len(found) == 1, f"{len(found)} are named {name!r}"
        return found[0]

    # doing

    async def press(self, words: str, within: QWidget | None = None) -> None:
        """Click a button."""
        button = self.button(words, within)
        assert button.isEnabled(), f"{words!r} cannot be pressed"
        await self._click(button, button.rect().center(), f"click {words!r}")

    async def pick(self, view: QAbstractItemView, words: str) -> None:
        """Click the first cell of a table that reads so."""
        model = view.model()
        for row in range(model.rowCount()):
            for column in range(model.columnCount()):
                index = model.index(row, column)
                if str(index.data() or "") == words:
                    place = view.visualRect(index).center()
                    await self._click(view.viewport(), place, f"click {words!r} in a table")
                    return
        raise AssertionError(f"no cell reads {words!r}")

    async def point(self, text: AnnotatedText, words: str, *, alt: bool = False) -> None:
        """Click on the first of some words in a text, with Alt held or not."""
        at = utf16_len(text.text()[: text.text().index(words)])
        cursor = text.textCursor()
        cursor.setPosition(text.position_of(at))
        place = text.cursorRect(cursor).center() + QPoint(3, 0)
        named = f"click {words!r} in {text.accessibleName()!r}"
        await self._click(text.viewport(), place, f"Alt+{named}" if alt else named, alt=alt)

    async def click(self, widget: QWidget, place: QPoint, words: str) -> None:
        """Click somewhere on a widget."""
        await self._click(widget, place, f"click {words}")

    async def drag(self, widget: QWidget, start: QPoint, end: QPoint, words: str) -> None:
        """Press the mouse at one place and let it go at another."""
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=start)
        for share in (0.3, 0.7, 1.0):
            QTest.mouseMove(widget, start + (end - start) * share)
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=end)
        await self._after(f"drag {words}")

    async def wheel(self, widget: QWidget, place: QPoint, turn: int) -> None:
        """Turn the wheel, upwards by a positive number; 120 is a notch."""
        spot = QPointF(place)
        event = QWheelEvent(
            spot,
            widget.mapToGlobal(spot),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        await self._after("turn the wheel")

    async def key(self, keys: str) -> None:
        """Press one key, or several at once."""
        target = QApplication.focusWidget() or self.window
        QTest.keySequence(target, keys)
        await self._after(f"key {keys}")

    async def type(self, text: str) -> None:
        """Type into what has the keyboard; each character is a key."""
        target = QApplication.focusWidget()
        assert target is not None, "nothing has the keyboard"
        for character in text:
            QTest.keyClicks(target, character)
            self.steps.append(f"type {character!r}")
        await still(self.window)

    async def see(self, holds: Callable[[], object]) -> None:
        """Wait until something can be seen."""
        await until(holds)
        await still(self.window)

    async def picture(self, name: str) -> None:
        """Save what the window shows, where pictures are wanted."""
        if self._out is not None:
            await still(self.window)
            self._pictures += 1
            path = self._out / f"{self._pictures:02}-{name.replace(' ', '-')}.png"
            assert self.window.grab().save(str(path), "PNG")

    async def _click(
        self, widget: QWidget, place: QPoint, words: str, *, alt: bool = False
    ) -> None:
        seen = widget.visibleRegion().intersected(QRect(place, place))
        assert not seen.isEmpty(), f"{words}: that place is out of view"
        at = widget.mapTo(self.window, place)
        top = self.window.childAt(at)
        assert top is not None, f"{words}: nothing is there"
        assert top is widget or widget.isAncestorOf(top), f"{words}: {top} lies over it"
        held = Qt.KeyboardModifier.AltModifier if alt else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, held, place)
        await self._after(words)

    async def _after(self, words: str) -> None:
        self.steps.append(words)
        await still(self.window)
