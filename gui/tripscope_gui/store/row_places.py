"""Which events belong to which chunk row, packed: some 30 bytes a row.

Rows are numbered from 0 in order of arrival, and so are places in the run's list of events. All
events of a row mostly come before the next row begins, so they lie in one stretch of one array.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final

_FAR: Final = 4096
"""How far the index of a part may run ahead before it is looked up instead of counted."""


class RowPlaces:
    """Places of events by row."""

    def __init__(self) -> None:
        self._flat = array("I")
        self._starts = array("I")
        self._late: dict[int, list[int]] = {}
        """By row: places that came after the next row had begun."""
        self._newest: int | None = None
        """Part index of the newest row."""
        self._rows = array("i")
        """Row by part index, -1 for none."""
        self._far: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._starts)

    def of(self, number: int) -> array[int] | list[int]:
        """Places of the events of a row, in order of arrival."""
        starts = self._starts
        end = starts[number + 1] if number + 1 < len(starts) else len(self._flat)
        places = self._flat[starts[number] : end]
        late = self._late.get(number) if self._late else None
        return places if late is None else [*places, *late]

    def row_of(self, index: int | None) -> int | None:
        """The row of a part index; None if there is none."""
        if index is None:
            return None
        rows = self._rows
        number = rows[index] if 0 <= index < len(rows) else self._far.get(index, -1)
        return number if number >= 0 else None

    def add(self, indexes: Iterable[int | None], places: Iterable[int]) -> None:
        """Take events at these places: each to the row of its part index, or to a new one."""
        newest, begun = self._newest, len(self._flat)
        flat: list[int] = []
        for index, at in zip(indexes, places, strict=True):
            if index is None or index != newest:
                number = self.row_of(index)
                if number is None:
                    number = len(self._starts)
                    self._starts.append(begun + len(flat))
                    newest = index
                    if index is not None:
                        self._note(index, number)
                elif number != len(self._starts) - 1:
                    self._late.setdefault(number, []).append(at)
                    continue
            flat.append(at)
        self._flat.fromlist(flat)
        self._newest = newest

    def _note(self, index: int, number: int) -> None:
        rows = self._rows
        if index == len(rows):
            rows.append(number)
        elif 0 <= index < len(rows):
            rows[index] = number
        elif 0 <= index < len(rows) + _FAR:
            rows.extend(array("i", [-1]) * (index - len(rows)))
            rows.append(number)
        else:
            self._far[index] = number
