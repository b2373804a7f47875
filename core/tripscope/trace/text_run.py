"""A text that arrives in pieces, each with the part that it came with.

All positions are UTF-16 code units counted over the text.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from msgspec import Struct, field

from tripscope.patterns.units import join_surrogates, spread, utf16_len


class TextRun(Struct):
    """Pieces of text in order of arrival, each with the index of the part that it came with."""

    indexes: array[int] = field(default_factory=lambda: array("q"))
    starts: array[int] = field(default_factory=lambda: array("Q"))
    texts: list[str] = field(default_factory=list)
    length: int = 0
    _joined: tuple[int, str] = (0, "")
    """How many pieces `text` has put together, and what they make: a long text is asked for often
    while it grows."""

    def add(self, index: int, text: str) -> None:
        """Append a piece."""
        self.indexes.append(index)
        self.starts.append(self.length)
        self.texts.append(text)
        self.length += len(text) if text.isascii() else utf16_len(text)

    def copy(self) -> TextRun:
        """The same pieces, to go on otherwise."""
        return TextRun(self.indexes[:], self.starts[:], self.texts[:], self.length, self._joined)

    @property
    def text(self) -> str:
        """All pieces; halves of a surrogate pair that meet are one character."""
        done, text = self._joined
        count = len(self.texts)
        if done < count:
            more = "".join(self.texts[done:count])
            if "\ud800" <= text[-1:] <= "\udbff":
                text, more = text[:-1], text[-1] + more
            text += join_surrogates(more)
            self._joined = (count, text)
        return text

    def units(self, start: int, end: int) -> str:
        """The stretch ``[start, end)``, one character per UTF-16 unit."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        last = bisect_right(self.starts, max(end - 1, start))
        low = self.starts[first] if self.starts else 0
        return spread("".join(self.texts[first:last]))[start - low : end - low]

    def index_at(self, offset: int) -> int:
        """The part index of the piece that holds position ``offset``; -1 if there are none."""
        return self.indexes[bisect_right(self.starts, offset) - 1] if self.indexes else -1

    def has(self, index: int | None) -> bool:
        """Whether a piece came with the part of that index."""
        at = bisect_right(self.indexes, -1 if index is None else index) - 1
        return at >= 0 and self.indexes[at] == index

    def indexes_of(self, start: int, end: int) -> list[int]:
        """The part indexes of all pieces that touch ``[start, end)``."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        last = bisect_right(self.starts, max(end - 1, start))
        return self.indexes[first:last].tolist()
