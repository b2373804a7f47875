"""A read-only view of long plain text in the fixed font, or of a difference by lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tripscope_gui.delegates.texts import shown
from tripscope_gui.fonts import mono_font
from tripscope_gui.store.prompts import Line
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import TypeSize

_LOOKS: Final = {"+": ("added", "added_ground"), "-": ("removed", "removed_ground")}
_LONGEST: Final = 4_000
_MOST: Final = 400_000


class PlainView(QPlainTextEdit):
    """Shows text as it is; a line of megabytes is cut into pieces, a text of megabytes ends early.

    Args:
        theme: colours, followed when they change.
        name: accessible name, what the text is.
    """

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: tuple[Line, ...] = ()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(name)
        self.setFont(mono_font(TypeSize.EDITOR_MONO))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(8)
        theme.changed.connect(self._color)

    def show_text(self, text: str) -> None:
        """Show a text from its beginning; the same text is left where it is."""
        self._lines = ()
        new = fit(text)
        if new != self.toPlainText():
            self.setPlainText(new)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show a difference: added and removed lines have a sign and a ground."""
        self._lines = tuple(_pieces(lines))
        marks = {"": " ", "@": "@"}
        text = "\n".join(f"{marks.get(line.kind, line.kind)} {line.text}" for line in self._lines)
        self.setPlainText(shown(text))
        self._color()

    def _color(self) -> None:
        if not self._lines:
            return
        palette = self._theme.palette
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        block = self.document().firstBlock()
        for line in self._lines:
            if not block.isValid():
                break
            look = _LOOKS.get(line.kind)
            tone, ground = look if look is not None else ("t3" if line.kind else "t1", "pane")
            cursor.setPosition(block.position())
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            background, color = QTextBlockFormat(), QTextCharFormat()
            background.setBackground(palette.tone(ground))
            color.setForeground(palette.tone(tone))
            cursor.setBlockFormat(background)
            cursor.setCharFormat(color)
            block = block.next()
        cursor.endEditBlock()


def _pieces(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, long ones in pieces, up to what can be shown at once."""
    room = _MOST
    for line in lines:
        for at in range(0, max(1, len(line.text)), _LONGEST):
            piece = line.text[at : at + _LONGEST]
            room -= len(piece) + 2
            if room < 0:
                yield Line("@", "the rest is too long to be shown")
                return
            yield Line(line.kind, piece)


def fit(text: str) -> str:
    """The text as Qt can show it at once: lone surrogates replaced, long lines cut in pieces."""
    cut = text[:_MOST]
    if len(text) > _MOST:
        cut += f"\n\N{HORIZONTAL ELLIPSIS} {len(text) - _MOST:,} more characters"
    if len(cut) > _LONGEST:
        pieces = []
        for line in cut.split("\n"):
            pieces += [line[at : at + _LONGEST] for at in range(0, max(1, len(line)), _LONGEST)]
        cut = "\n".join(pieces)
    return shown(cut)
