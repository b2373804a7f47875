"""Sets of code points (or of UTF-16 units) as sorted, disjoint ranges."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import Struct

LAST = 0x10FFFF
LAST_UNIT = 0xFFFF


class CharSet(Struct, frozen=True):
    """An immutable set; ``ranges`` holds inclusive pairs, sorted, neither touching another."""

    ranges: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(*ranges: tuple[int, int]) -> "CharSet":
        """The set of some inclusive ranges in any order."""
        merged: list[tuple[int, int]] = []
        for low, high in sorted(ranges):
            if merged and low <= merged[-1][1] + 1:
                if high > merged[-1][1]:
                    merged[-1] = (merged[-1][0], high)
            else:
                merged.append((low, high))
        return CharSet(tuple(merged))

    @staticmethod
    def chars(codes: Iterable[int]) -> "CharSet":
        """The set of single codes."""
        return CharSet.of(*((code, code) for code in codes))

    def __contains__(self, code: int) -> bool:
        at = bisect_right(self.ranges, (code, LAST + 1)) - 1
        return at >= 0 and code <= self.ranges[at][1]

    def __iter__(self) -> Iterator[int]:
        for low, high in self.ranges:
            yield from range(low, high + 1)

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    def __or__(self, other: "CharSet") -> "CharSet":
        return CharSet.of(*self.ranges, *other.ranges)

    def __and__(self, other: "CharSet") -> "CharSet":
        found: list[tuple[int, int]] = []
        left, right = self.ranges, other.ranges
        i = j = 0
        while i < len(left) and j < len(right):
            low = max(left[i][0], right[j][0])
            high = min(left[i][1], right[j][1])
            if low <= high:
                found.append((low, high))
            if left[i][1] < right[j][1]:
                i += 1
            else:
                j += 1
        return CharSet(tuple(found))

    def __sub__(self, other: "CharSet") -> "CharSet":
        return self & other.complement()

    def complement(self, last: int = LAST) -> "CharSet":
        """All other codes up to ``last``."""
        found: list[tuple[int, int]] = []
        at = 0
        for low, high in self.ranges:
            if low > at:
                found.append((at, low - 1))
            at = high + 1
        if at <= last:
            found.append((at, last))
        return CharSet(tuple(found))

    @property
    def single(self) -> int | None:
        """The only code of the set, or None."""
        if len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]:
            return self.ranges[0][0]
        return None


EMPTY = CharSet()
ANY = CharSet(((0, LAST),))
UNITS = CharSet(((0, LAST_UNIT),))
ASCII = CharSet(((0, 0x7F),))
DIGITS = CharSet.of((0x30, 0x39))
WORD = CharSet.of((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
LINE_ENDS = CharSet.chars((0x0A, 0x0D, 0x2028, 0x2029))
SPACES = CharSet.of(
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
"""WhiteSpace and LineTerminator, ECMA-262 12.2 and 12.3."""
