"""A text as a pattern sees it: UTF-16 units without flags u and v, code points with them."""

from tripscope.patterns.units import (
    OffsetMap,
    has_astral,
    join_surrogates,
    spread,
    utf16_len,
)

_WORTH_KEEPING = 2_000

_last: "tuple[str, bool, Subject] | None" = None


def subject_of(text: str, unicode: bool) -> "Subject":
    """The subject of a text; the one made last is kept, as many patterns search one text."""
    global _last
    if text.isascii() or len(text) < _WORTH_KEEPING:
        return Subject(text, unicode)
    last = _last
    if last is not None and last[0] is text and last[1] is unicode:
        return last[2]
    subject = Subject(text, unicode)
    _last = (text, unicode, subject)
    return subject


class Subject:
    """The text to be searched and the way between its indexes and UTF-16 offsets."""

    __slots__ = ("ascii", "map", "text")

    def __init__(self, text: str, unicode: bool) -> None:
        """Take a text, with or without joined pairs."""
        self.ascii = text.isascii()
        self.text = text
        self.map: OffsetMap | None = None
        if self.ascii:
            return
        if not unicode:
            self.text = spread(text)
            return
        self.text = join_surrogates(text)
        if has_astral(self.text):
            self.map = OffsetMap(self.text)

    @property
    def utf16_length(self) -> int:
        """Length in UTF-16 units."""
        return utf16_len(self.text)

    def to_utf16(self, index: int) -> int:
        """UTF-16 offset of an index of ``text``."""
        return index if self.map is None else self.map.to_utf16(index)

    def to_index(self, utf16: int) -> int:
        """Index in ``text`` of the character that holds a UTF-16 unit (22.2.7.2 step 13)."""
        return utf16 if self.map is None else self.map.to_index(utf16)

    def cut(self, start: int, end: int) -> str:
        """A piece of the text, its pairs joined."""
        piece = self.text[start:end]
        return piece if piece.isascii() else join_surrogates(piece)
