"""Chunks of two runs set against each other, and whether a place of the chain let out the same.

Free of Qt. The n-th part of an attempt stands beside the n-th part of that attempt.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Final, overload

from msgspec import Struct

from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chunk_rows import MODEL, Cell, ChunkRow

_NONE: Final = -1
_STEP: Final = 256


class ChunkPair(Struct, frozen=True):
    """The same part in both runs; None where a run has no such part."""

    before: ChunkRow | None
    after: ChunkRow | None

    @property
    def either(self) -> ChunkRow:
        """The baseline's row, else the other one's."""
        found = self.before or self.after
        assert found is not None
        return found


class SideBySide:
    """Pairs of rows as numbers; `steps` finds them, a row is made when it is asked for."""

    def __init__(self, before: RunStore, after: RunStore) -> None:
        self.stores = (before, after)
        self.aligned = False
        """Whether the pairs are found."""
        self._numbers: tuple[array[int], array[int]] = (array("q"), array("q"))
        self._differing: dict[str, array[int]] = {}

    def __len__(self) -> int:
        return len(self._numbers[0])

    def pair(self, place: int) -> ChunkPair:
        """The pair at a place, from 0."""
        rows = [
            store.rows[number] if (number := self._numbers[side][place]) != _NONE else None
            for side, store in enumerate(self.stores)
        ]
        return ChunkPair(rows[0], rows[1])

    def align(self) -> Iterator[None]:
        """Find the pairs, and stop for a moment after each some hundred rows."""
        places: dict[tuple[int | None, int | None, int], list[int]] = {}
        for side, store in enumerate(self.stores):
            counts: dict[tuple[int | None, int | None], int] = {}
            for number in range(len(store.rows)):
                row = store.rows[number]
                attempt = (row.step, row.attempt)
                nth = counts[attempt] = counts.get(attempt, -1) + 1
                places.setdefault((*attempt, nth), [_NONE, _NONE])[side] = number
                if number % _STEP == _STEP - 1:
                    yield
        # steps of both runs in order, also those that only one of them has
        for key in sorted(places, key=lambda k: (k[0] is None, k[0] or 0, k[1] or 0, k[2])):
            for side, number in enumerate(places[key]):
                self._numbers[side].append(number)
        self.aligned = True

    def compare(self, column: str) -> Iterator[None]:
        """Find the pairs that differ at a column, and stop for a moment now and then."""
        found = array("q")
        for place in range(len(self)):
            if differs(self.stores, self.pair(place), column):
                found.append(place)
            if place % _STEP == _STEP - 1:
                yield
        self._differing[column] = found

    def differing(self, column: str) -> Sequence[int] | None:
        """Places at which the column differs; None until `compare` is done."""
        return self._differing.get(column)

    def place_of(self, side: int, number: int | None) -> int | None:
        """The place of a row of one run, by its number there; None if it has none."""
        if number is None:
            return None
        try:
            return self._numbers[side].index(number)
        except ValueError:
            return None

    def columns(self) -> list[str]:
        """Places of the chain of either run, from the last to the first; the model's is none."""
        names = [name for store in reversed(self.stores) for name in reversed(store.rows.columns)]
        return [name for name in dict.fromkeys(names) if name != MODEL]


class PairList(Sequence[ChunkPair]):
    """Some of the pairs, made when they are asked for."""

    def __init__(self, sides: SideBySide, places: Sequence[int]) -> None:
        self._sides, self._places = sides, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> ChunkPair: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ChunkPair]: ...
    def __getitem__(self, index: int | slice) -> ChunkPair | Sequence[ChunkPair]:
        if isinstance(index, slice):
            return PairList(self._sides, self._places[index])
        return self._sides.pair(self._places[index])


def differs(stores: tuple[RunStore, RunStore], pair: ChunkPair, column: str) -> bool:
    """Whether a place of the chain let out something else, or keeps another number of units."""
    if pair.before is None or pair.after is None:
        return True
    one, other = (
        _said(store.rows.cell(row, column))
        for store, row in zip(stores, (pair.before, pair.after), strict=True)
    )
    return one != other


def _said(cell: Cell) -> tuple[object, ...]:
    return cell.state, cell.text, cell.held, cell.reason, [chunk.type for chunk in cell.chunks]
