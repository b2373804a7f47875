"""How one text became another, by words or characters; bounded in time for any two texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

TextOp: TypeAlias = tuple[Literal["equal", "insert", "delete", "replace"], int, int, int, int]
"""(what, before_start, before_end, after_start, after_end), in code points."""

_WORDS: Final = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_PAIRS: Final = 400_000
"""Largest product of the two lengths, in tokens, that is compared in full."""


def text_diff(before: str, after: str, *, by: Literal["words", "characters"]) -> list[TextOp]:
    """How ``before`` became ``after``.

    What both begin and end with is set aside first. Where too much is left it is told by lines, and
    where these are too many as one replacement, whatever was asked.
    """
    head = common_prefix(before, after)
    tail = common_prefix(before[head:][::-1], after[head:][::-1])
    if by == "words":
        head, tail = _whole_words(before, after, head, tail)
    left, right = before[head : len(before) - tail], after[head : len(after) - tail]
    ops: list[TextOp] = [("equal", 0, head, 0, head)] if head else []
    ops += [
        (what, a + head, b + head, c + head, d + head) for what, a, b, c, d in _ops(left, right, by)
    ]
    if tail:
        ops.append(("equal", len(before) - tail, len(before), len(after) - tail, len(after)))
    return ops


def common_prefix(one: str, other: str) -> int:
    """Length of what both begin with, in code points."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _whole_words(before: str, after: str, head: int, tail: int) -> tuple[int, int]:
    """Give a word back whose one half both share."""

    def inside(text: str, at: int) -> bool:
        return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])

    while head and (inside(before, head) or inside(after, head)):
        head -= 1
    while tail and (inside(before, len(before) - tail) or inside(after, len(after) - tail)):
        tail -= 1
    return head, tail


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _ops(before: str, after: str, by: str) -> list[TextOp]:
    if not before and not after:
        return []
    for split in (_WORDS.findall if by == "words" else list, _lines):
        left, right = split(before), split(after)
        if len(left) * len(right) <= _MOST_PAIRS:
            left_at, right_at = _offsets(left), _offsets(right)
            matcher = SequenceMatcher(None, left, right, autojunk=False)
            return [
                (what, left_at[a], left_at[b], right_at[c], right_at[d])
                for what, a, b, c, d in matcher.get_opcodes()
            ]
    return [("replace", 0, len(before), 0, len(after))]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _offsets(tokens: Sequence[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets
