"""Marks and comments that a person put on chunk rows; they live as long as the run."""

from __future__ import annotations

from collections.abc import Iterator


class RowNotes:
    """Marks and comments by row number."""

    def __init__(self) -> None:
        self._marked: set[int] = set()
        self._comments: dict[int, str] = {}

    def __bool__(self) -> bool:
        return bool(self._marked or self._comments)

    def marked(self, row: int) -> bool:
        """Whether the row is marked."""
        return row in self._marked

    def toggle_mark(self, row: int) -> bool:
        """Mark the row or take its mark away; whether it is marked now."""
        self._marked ^= {row}
        return row in self._marked

    def comment(self, row: int) -> str:
        """The row's comment; empty for none."""
        return self._comments.get(row, "")

    def set_comment(self, row: int, text: str) -> None:
        """Write, change or (empty) remove the row's comment."""
        text = text.strip()
        if text:
            self._comments[row] = text
        else:
            self._comments.pop(row, None)

    def rows(self) -> Iterator[int]:
        """All rows with a mark or a comment, in order."""
        return iter(sorted(self._marked | self._comments.keys()))

    def next_from(self, row: int, *, back: bool = False) -> int | None:
        """The nearest noted row after (or before) a row, going round at the end; None for none."""
        rows = list(self.rows())
        if not rows:
            return None
        if back:
            return next((other for other in reversed(rows) if other < row), rows[-1])
        return next((other for other in rows if other > row), rows[0])
