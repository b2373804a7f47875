"""What a pattern found in a text."""

from msgspec import Struct


class Match(Struct, frozen=True):
    """One match; ``index`` and ``length`` count UTF-16 code units of the text searched.

    ``groups`` holds groups 1 and up, None for one that took no part; ``named`` holds the named
    ones again, in pattern order. Texts may hold lone surrogates where a match cuts a pair.
    """

    index: int
    length: int
    text: str
    groups: list[str | None]
    named: dict[str, str | None]

    @property
    def end(self) -> int:
        """Offset just behind the match, in UTF-16 code units."""
        return self.index + self.length
