"""Parts of a pattern in their own colours: escapes, sets, groups, repeats."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from tripscope.patterns.units import spread
from tripscope_gui.theme import Theme

_PARTS: Final = re.compile(
    r"(?P<set>\[(?:\\.|[^\]\\])*\]?)"
    r"|(?P<group>\(\?(?:<[=!]|[:=!]|<[^>]*>)|[()|])"
    r"|(?P<repeat>[*+?]\??|\{\d+(?:,\d*)?\}\??)"
    r"|(?P<escape>\\[ux]\{?[\da-fA-F]+\}?|\\[pPk][<{][^>}]*[>}]|\\.|[\^$.])",
    re.DOTALL,
)
# token of the theme by kind of part
_TONES: Final = {"set": "pass", "group": "changed", "repeat": "timed-out", "escape": "accent"}


class PatternColours(QSyntaxHighlighter):
    """Colours the letters only, so marks of errors stay in view."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        palette = self._theme.palette
        # Qt counts UTF-16 units
        for found in _PARTS.finditer(spread(text)):
            kind = found.lastgroup
            if kind is not None:
                shape = QTextCharFormat()
                shape.setForeground(palette.tone(_TONES[kind]))
                self.setFormat(found.start(), found.end() - found.start(), shape)
