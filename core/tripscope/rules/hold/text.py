"""The text of one block as it comes in, of which the front may be forgotten."""

from __future__ import annotations


class BlockText:
    """Pieces of text, spread into UTF-16 units; offsets count from the start of the block."""

    __slots__ = ("_pieces", "_starts", "size")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self.size = 0

    def add(self, units: str) -> None:
        """More text."""
        self._starts.append(self.size)
        self._pieces.append(units)
        self.size += len(units)

    def cut(self, start: int, end: int | None = None) -> str:
        """The text from ``start`` to ``end``, none of which may have been forgotten."""
        end = self.size if end is None else end
        if start >= end:
            return ""
        parts: list[str] = []
        place = len(self._pieces) - 1
        while place >= 0 and self._starts[place] >= end:
            place -= 1
        while place >= 0:
            at = self._starts[place]
            parts.append(self._pieces[place][max(0, start - at) : end - at])
            if at <= start:
                break
            place -= 1
        return "".join(reversed(parts))

    def forget(self, start: int) -> None:
        """Nothing in front of ``start`` is asked for any more."""
        gone = 0
        while gone < len(self._starts) - 1 and self._starts[gone + 1] <= start:
            gone += 1
        if gone > _FORGET_AT_ONCE:
            del self._pieces[:gone]
            del self._starts[:gone]


_FORGET_AT_ONCE = 64
