"""Where a stretch of a laid out line stands, also among letters that run from right to left.

What follows one another in a text of both directions need not stand side by side (Unicode Standard
Annex #9): such a stretch has several parts on the line, and its ends are not their edges.
"""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtGui import QTextLine

_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""The blocks of letters with bidirectional class R or AL, and the marks that turn others round."""
_SAME: Final = 0.5
"""Pixels between two parts that are one."""


def is_turned(text: str) -> bool:
    """Whether a part of it may run from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def edge(line: QTextLine, at: int) -> float:
    """Where the caret stands before a UTF-16 position of the layout, in pixels of the layout."""
    found: Any = line.cursorToX(at)
    # PySide6 gives (x, column), and its stubs say otherwise
    return float(found[0] if isinstance(found, tuple) else found)


def edges(line: QTextLine, start: int, end: int, *, turned: bool) -> list[tuple[float, float]]:
    """Left and right edge of each part of a stretch, from left to right, in pixels of the layout.

    Args:
        line: the line that it stands on.
        start: its first UTF-16 position in the layout.
        end: the position behind it.
        turned: whether the line `is_turned`; else it is one part, which is found at once.
    """
    boxes = [run.boundingRect() for run in line.glyphRuns(start, end - start)] if turned else []
    if not boxes:
        # a tab or half a character has no glyph
        ends = edge(line, start), edge(line, end)
        return [(min(ends), max(ends))]
    parts: list[tuple[float, float]] = []
    for left, right in sorted((box.left(), box.right()) for box in boxes):
        if parts and left <= parts[-1][1] + _SAME:
            parts[-1] = parts[-1][0], max(right, parts[-1][1])
        else:
            parts.append((left, right))
    return parts
