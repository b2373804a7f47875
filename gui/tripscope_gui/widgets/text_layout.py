"""Long texts for the eye: lines of fixed height, paragraphs cut where they are too long.

`LineMap` holds how offsets of a text (UTF-16 code units) and positions in the document of a view
belong together, for Qt has no paragraph of a megabyte.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

from tripscope.patterns.units import utf16_len
from tripscope_gui.delegates.texts import shown
from tripscope_gui.tokens import Height

LONGEST: Final = 1200
"""Characters of the longest paragraph of a document."""
_PICTURES: Final = {code: 0x2400 + code for code in range(0x20) if code != 0x09} | {
    0x7F: 0x2421, 0x85: 0x2424, 0x2028: 0x2424, 0x2029: 0x2424, 0xFDD0: 0xFFFD, 0xFDD1: 0xFFFD,
}  # fmt: skip


class LineMap:
    """Paragraphs of a document, and where each begins in the text."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        """Offset at which each paragraph begins."""
        self.length = 0
        self._last = 0

    def lines(self, text: str) -> list[str]:
        """Cut a text into the paragraphs of a document; each has as many units as its text."""
        self.starts.clear()
        return self._add(text, 0, 0)

    def go_on(self, text: str) -> tuple[int, list[str]]:
        """The text grew: (number of the first paragraph that differs, all from that one on)."""
        if not self.starts:
            return 0, self.lines(text)
        first = len(self.starts) - 1
        return first, self._add(text[self._last :], self._last, self.starts.pop())

    def _add(self, text: str, index: int, at: int) -> list[str]:
        """``index``: code points, ``at``: units before this text."""
        found: list[str] = []
        for line in text.split("\n"):
            for piece in _cut(line):
                self.starts.append(at)
                self._last = index
                at += utf16_len(piece)
                index += len(piece)
                found.append(visible(piece))
            # the line end itself
            at += 1
            index += 1
        self.length = at - 1
        return found

    def paragraph_at(self, offset: int) -> int:
        """Number of the paragraph that an offset lies in."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def column(self, offset: int, paragraph: int) -> int:
        """Units from the beginning of that paragraph."""
        return offset - self.starts[paragraph]


def visible(text: str) -> str:
    """Control characters as their pictures and lone surrogates as U+FFFD, offsets unchanged."""
    return text if text.isprintable() else shown(text).translate(_PICTURES)


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
