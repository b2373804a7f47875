"""Characters that a person can't see, or takes for others; each as a stretch of UTF-16 units."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

from msgspec import Struct

from tripscope.patterns.units import OffsetMap

_TWINS: Final = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0458\u0455\u0501\u04bb\u051b\u051d"
        "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0406\u0408\u0405"
        "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
        "\u03bd\u0131\u0261\u0251\u2010\u2011\u2012\u2212\u2024\u2044\u2215\u02bc\u2019",
        "aeopcxyijsdhqwABEKMHOPCTXYIJSoABEZHIKMNOPTYXviga----.//''",
        strict=True,
    )
)
_INVISIBLE: Final = (
    "\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff"
)
_ODD: Final = re.compile(
    f"(?P<hidden>[{_INVISIBLE}])|(?P<twin>[{''.join(_TWINS)}\uff01-\uff5e\U0001d400-\U0001d7ff])"
)


class OddCharacter(Struct, frozen=True):
    """``name``: ``U+200B ZERO WIDTH SPACE``; ``like``: the character it is taken for."""

    start: int
    end: int
    kind: Literal["hidden", "twin"]
    name: str
    like: str = ""

    @property
    def words(self) -> str:
        """Its name, and what it looks like."""
        return f"{self.name}, looks like {self.like}" if self.like else self.name


def odd_characters(text: str, before: int = 0) -> list[OddCharacter]:
    """All of them, in order; ``before``: UTF-16 units of what stands in front of the text."""
    offsets = OffsetMap(text)
    found: list[OddCharacter] = []
    for match in _ODD.finditer(text):
        sign = match[0]
        hidden = match.lastgroup == "hidden"
        start = before + offsets.to_utf16(match.start())
        end = start + (2 if sign > "\uffff" else 1)
        kind: Literal["hidden", "twin"] = "hidden" if hidden else "twin"
        found.append(OddCharacter(start, end, kind, name_of(sign), "" if hidden else _like(sign)))
    return found


def name_of(sign: str) -> str:
    """``U+202E RIGHT-TO-LEFT OVERRIDE``; lone surrogates and controls are named too."""
    code = ord(sign)
    if 0xD800 <= code <= 0xDFFF:
        name = "lone high surrogate" if code < 0xDC00 else "lone low surrogate"
    else:
        name = unicodedata.name(sign, "") or ("control" if code < 0xA0 else "no name")
    return f"U+{code:04X} {name}"


def _like(sign: str) -> str:
    return _TWINS.get(sign) or unicodedata.normalize("NFKC", sign)
