"""Text of models, rules and users made fit for one line of a cell, without changing offsets."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

_LONE: Final = re.compile("[\ud800-\udfff]")
_CONTROL: Final = {code: 0x2400 + code for code in range(0x20)} | {
    0x7F: 0x2421,
    0x85: 0x2424,
    0x2028: 0x2424,
    0x2029: 0x2424,
}
BIDI: Final = {
    0x202A: 0x21E5, 0x202D: 0x21E5, 0x2066: 0x21E5,
    0x202B: 0x21E4, 0x202E: 0x21E4, 0x2067: 0x21E4,
    0x202C: 0x21D4, 0x2068: 0x21D4, 0x2069: 0x21D4,
}  # fmt: skip
"""Embeddings, overrides and isolates, which turn round what stands beside them: as arrows."""
_ONE_LINE: Final = _CONTROL | BIDI
# no cell is wider than this many characters; measuring a megabyte takes longer than a frame
_LONGEST: Final = 1024

ElideMode = Qt.TextElideMode


def shown(text: str) -> str:
    """The text with each lone surrogate as U+FFFD, so that Qt keeps it.

    For fields in which it is edited. Every UTF-16 offset into the text stays valid.
    """
    return text if text.isascii() else _LONE.sub("\ufffd", text)


def in_place(text: str) -> str:
    """As :func:`shown`, with visible arrows for what would turn round the words beside it.

    For text of others among the program's words, lines kept. Every UTF-16 offset stays valid.
    """
    return text if text.isascii() else shown(text).translate(BIDI)


def one_line(text: str) -> str:
    """As :func:`in_place`, with line ends and control characters as their visible pictures.

    Every UTF-16 offset into the text stays valid.
    """
    if text.isprintable():
        return text
    return shown(text).translate(_ONE_LINE)


def elided(text: str, font: QFont, width: float, mode: ElideMode = ElideMode.ElideRight) -> str:
    """The text on one line, cut with an ellipsis to ``width`` logical pixels."""
    if len(text) > _LONGEST:
        text = _cut(text, mode)
    return QFontMetricsF(font).elidedText(one_line(text), mode, max(0.0, width))


def _cut(text: str, mode: ElideMode) -> str:
    half = _LONGEST // 2
    if mode == ElideMode.ElideLeft:
        return "\u2026" + text[-_LONGEST:]
    if mode == ElideMode.ElideMiddle:
        return text[:half] + "\u2026" + text[-half:]
    return text[:_LONGEST] + "\u2026"
