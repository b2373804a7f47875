"""Where a text is cut for the re-chunk check.

All positions are UTF-16 code units. Cuttings are made in the order in which they are tried.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from msgspec import Struct

from tripscope.patterns.units import join_surrogates, spread
from tripscope.rules.options import CARRYOVER

WINDOWS: Final = 2
SPREAD: Final = 200
MOST_SINGLE: Final = 20_000
SEEDS: Final = 20
_LONGEST_PIECE: Final = 40


class Cutting(Struct, frozen=True):
    """One way to cut a text: ``at`` are the positions, rising, none at an end of the text.

    ``simple``: one of those that cut once, at a position chosen for that.
    """

    name: str
    at: tuple[int, ...]
    simple: bool = False

    def pieces(self, text: str) -> list[str]:
        """The chunks; an emoji that is cut in two gives half of it to either."""
        units = spread(text)
        edges = pairwise((0, *self.at, len(units)))
        return [join_surrogates(units[start:end]) for start, end in edges]


def cuttings(
    text: str, matches: Iterable[tuple[int, int]] = (), *, window: int = CARRYOVER
) -> list[Cutting]:
    """All cuttings of the check.

    One character at a time (the first 20,000 units), 20 random ones, then one cut at a time: at
    every position within two windows of a match, and at 200 more.
    """
    length = len(spread(text))
    if length < 2:
        return []
    single = Cutting("one character at a time", tuple(_characters(text)))
    found = [single] if single.at else []
    found += [Cutting(f"random, seed {seed}", _random(length, seed)) for seed in range(SEEDS)]
    near: set[int] = set()
    for start, end in matches:
        near.update(range(start - WINDOWS * window, end + WINDOWS * window + 1))
    near = {position for position in near if 0 < position < length}
    rest = [position for position in range(1, length) if position not in near]
    step = max(1, len(rest) // SPREAD)
    near.update(rest[::step][:SPREAD] if step > 1 else rest[:SPREAD])
    found += [Cutting(f"cut at {position}", (position,), True) for position in sorted(near)]
    return found


def _characters(text: str) -> Iterator[int]:
    """The end of each character, the text's own end left out."""
    at = 0
    for character in join_surrogates(text)[:-1]:
        at += 2 if ord(character) > 0xFFFF else 1
        if at > MOST_SINGLE:
            return
        yield at


def _random(length: int, seed: int) -> tuple[int, ...]:
    """The same for the same seed; pieces of 1 to 40 units."""
    chance = random.Random(seed)
    at: list[int] = []
    position = chance.randint(1, _LONGEST_PIECE)
    while position < length:
        at.append(position)
        position += chance.randint(1, _LONGEST_PIECE)
    return tuple(at)
