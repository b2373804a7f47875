"""Long texts for the eye: lines of fixed height, paragraphs cut where they are too long.

`LineMap` holds how offsets of a text (UTF-16 code units) and positions in the document of a view
belong together, for Qt has no paragraph of a megabyte.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

from tripscope.patterns.units import join_surrogates, utf16_len
from tripscope_gui.delegates.texts import BIDI, shown
from tripscope_gui.tokens import Height

LONGEST: Final = 1200
"""Characters of the longest paragraph of a document."""
_PICTURES: Final = {code: 0x2400 + code for code in range(0x20) if code != 0x09} | {
    0x7F: 0x2421, 0x85: 0x2424, 0x2028: 0x2424, 0x2029: 0x2424, 0xFDD0: 0xFFFD, 0xFDD1: 0xFFFD,
}  # fmt: skip
_ARROWS: Final = BIDI | {0x200E: 0x21E5, 0x200F: 0x21E4, 0x061C: 0x21E4}
_MARKED: Final = _PICTURES | _ARROWS
_UNMARKED: Final = _PICTURES | dict.fromkeys(_ARROWS, 0x2060)
"""WORD JOINER has no width, no direction, and no line ends at it."""


def pictured(text: str) -> str:
    """Control characters as their pictures and lone surrogates as U+FFFD, offsets unchanged."""
    return text if text.isprintable() else shown(text).translate(_PICTURES)


def visible(text: str, *, marks: bool = False) -> str:
    """As :func:`pictured`, and in the order in which it is kept, for views that nobody types in.

    Marks that would turn letters round turn none: with ``marks`` they are arrows, else as
    invisible as they were.
    """
    if text.isprintable():
        return text
    return shown(text).translate(_MARKED if marks else _UNMARKED)


class LineMap:
    """Paragraphs of a document, and where each begins in the text."""

    def __init__(self, draw: Callable[[str], str] = visible) -> None:
        """``draw``: what stands in the document for a stretch of text, unit for unit."""
        self.starts: list[int] = []
        """Offset at which each paragraph begins."""
        self.length = 0
        self._draw = draw
        self._last = ""
        """The text of the last paragraph."""

    def lines(self, text: str) -> list[str]:
        """Cut a text into the paragraphs of a document; each has as many units as its text."""
        self.starts.clear()
        return self._add(text, 0)

    def go_on(self, more: str) -> tuple[int, str, list[str]]:
        """The text grew by ``more``.

        Returns:
            The number of the first paragraph that differs, the text from there on, and its
            paragraphs.
        """
        if not self.starts:
            return 0, more, self.lines(more)
        first = len(self.starts) - 1
        text = join_surrogates(self._last + more)
        return first, text, self._add(text, self.starts.pop())

    def take_lines(self, units: str) -> None:
        """The document was edited: its paragraphs are the lines of this text, however long.

        Args:
            units: the text with a character for each UTF-16 unit.
        """
        starts, at = [0], units.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = units.find("\n", at + 1)
        self.starts[:] = starts
        self.length = len(units)
        self._last = join_surrogates(units[starts[-1] :])

    def _add(self, text: str, at: int) -> list[str]:
        """``at``: units before this text."""
        found: list[str] = []
        for line in text.split("\n"):
            for piece in _cut(line):
                self.starts.append(at)
                self._last = piece
                at += utf16_len(piece)
                found.append(self._draw(piece))
            at += 1  # the line end itself
        self.length = at - 1
        return found

    def paragraph_at(self, offset: int) -> int:
        """Number of the paragraph that an offset lies in."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def column(self, offset: int, paragraph: int) -> int:
        """Units from the beginning of that paragraph."""
        return offset - self.starts[paragraph]


def _cut(line: str) -> list[str]:
    if len(line) <= LONGEST:
        return [line]
    pieces: list[str] = []
    start = 0
    while len(line) - start > LONGEST:
        end = line.rfind(" ", start + LONGEST // 2, start + LONGEST) + 1
        end = end or start + LONGEST
        pieces.append(line[start:end])
        start = end
    pieces.append(line[start:])
    return pieces


class FixedLines(QPlainTextDocumentLayout):
    """Lays paragraphs out in lines of one height, as wide as the view, when they are looked at."""

    def __init__(
        self, document: QTextDocument, view: QPlainTextEdit, height: int = Height.TEXT_LINE
    ) -> None:
        super().__init__(document)
        self._view = view
        self._height = height

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        if not block.isValid() or not block.isVisible():
            return QRectF()
        width = float(self._view.viewport().width())
        layout = block.layout()
        # Qt lays out a lone paragraph itself, from the very top, in lines of their natural height
        if not layout.lineCount() or layout.lineAt(0).y() < 1:
            self._lay_out(block, width)
        return QRectF(0, 0, width, self._height * max(1, layout.lineCount()))

    def _lay_out(self, block: QTextBlock, width: float) -> None:
        layout = block.layout()
        margin = self.document().documentMargin()
        layout.setTextOption(self.document().defaultTextOption())
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(40.0, width - 2 * margin))
            # text stands high in its line: the bands need the room below
            line.setPosition(QPointF(margin, top + self._above(line.height())))
            top += self._height
        layout.endLayout()
        if block.lineCount() != layout.lineCount():
            block.setLineCount(layout.lineCount())
            self.documentSizeChanged.emit(self.documentSize())

    def _above(self, letters: float) -> float:
        """Pixels over the letters of a line."""
        return max(1.0, min(3.0, (self._height - letters) / 2))
