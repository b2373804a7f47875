"""What the chunks table lists: group rows of attempts, and the chunk rows that a filter lets by.

Free of Qt: a model translates each change into its own signals. An entry is a row number, or
``-1 - g`` for group ``g``; entries live in one array, so a million rows take 8 MB.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable

from msgspec import Struct, field

from tripscope_gui.store.chunk_rows import ChunkRow, ChunkRows
from tripscope_gui.store.chunk_words import tool_name


class Group(Struct):
    """Rows of one attempt, or of what lies outside the loop. ``shown`` counts those listed."""

    number: int
    step: int | None
    attempt: int | None
    first_row: int
    end_row: int
    collapsed: bool = False
    listed: bool = False
    tools: list[str] = field(default_factory=list)
    """Tools that its rows call, each once, as far as `sum_up` came."""
    unscanned: int = 0
    """Rows that carry text which no processor looks at, as far as `sum_up` came."""
    _summed: int = 0

    @property
    def key(self) -> tuple[int | None, int | None]:
        """(step, attempt)."""
        return self.step, self.attempt

    def sum_up(self, rows: ChunkRows, unscanned: Callable[[ChunkRow], bool]) -> None:
        """Take the rows that came since into what is said of a group whose rows are hidden."""
        for number in range(max(self.first_row, self._summed), self.end_row):
            row = rows[number]
            name = tool_name(row.part) if row.type == "tool-call" else ""
            if name and name not in self.tools:
                self.tools.append(name)
            self.unscanned += unscanned(row)
        self._summed = self.end_row


class Entries:
    """The list itself, and the groups of all rows seen so far."""

    def __init__(self) -> None:
        self.codes = array("q")
        self.groups: list[Group] = []
        self.matching = 0
        """Rows that the filter let by, collapsed ones too."""

    def __len__(self) -> int:
        return len(self.codes)

    def group_at(self, place: int) -> Group | None:
        """The group of a group row; None for a chunk row."""
        code = self.codes[place]
        return self.groups[-1 - code] if code < 0 else None

    def group_of(self, row: int) -> Group | None:
        """The group that a chunk row lies in."""
        low, high = 0, len(self.groups)
        while low < high:
            middle = (low + high) // 2
            if self.groups[middle].first_row <= row:
                low = middle + 1
            else:
                high = middle
        return self.groups[low - 1] if low else None

    def place_of(self, row: int) -> int | None:
        """Where a chunk row is listed, or None."""
        place = self.lower_bound(row)
        return place if place < len(self.codes) and self.codes[place] == row else None

    def lower_bound(self, row: int) -> int:
        """The first place at or after a chunk row."""
        return bisect_left(self.codes, 2 * row, key=self._order)

    def _order(self, code: int) -> int:
        # a group row stands just before its first row
        return 2 * code if code >= 0 else 2 * self.groups[-1 - code].first_row - 1

    def note(self, row: ChunkRow) -> Group:
        """Take a new row into its group."""
        group = self.groups[-1] if self.groups else None
        if group is None or group.step != row.step or group.attempt != row.attempt:
            group = Group(len(self.groups), row.step, row.attempt, row.number, row.number)
            self.groups.append(group)
        group.end_row = row.number + 1
        return group

    def additions(self, row: ChunkRow) -> tuple[int, ...]:
        """Codes to append for a new row that the filter lets by."""
        group = self.groups[-1]
        if not group.first_row <= row.number < group.end_row:
            found = self.group_of(row.number)
            assert found is not None
            group = found
        self.matching += 1
        codes: tuple[int, ...] = () if group.collapsed else (row.number,)
        if not group.listed:
            group.listed = True
            codes = (-1 - group.number, *codes)
        return codes

    def clear(self) -> None:
        """List nothing; groups and what is collapsed are kept."""
        self.codes = array("q")
        self.matching = 0
        for group in self.groups:
            group.listed = False

    def span_of(self, group: Group) -> tuple[int, int]:
        """Places of the group's chunk rows that are listed now."""
        start = self.lower_bound(group.first_row)
        # the row of the next group comes before its rows
        return start, bisect_left(self.codes, 2 * group.end_row - 1, key=self._order)
