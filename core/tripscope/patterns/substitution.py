"""Replacement templates, as ECMA-262 22.1.3.19.1 GetSubstitution."""

import re

from tripscope.patterns.errors import MatchTimeout
from tripscope.patterns.match import Match
from tripscope.patterns.units import join_surrogates, spread

LONGEST = (1 << 29) - 24
"""V8 makes no longer string, in UTF-16 units."""
TOO_LONG = "the new text would be longer than a string of JavaScript can be"
_SYMBOL = re.compile(r"\$(?:([$&`'])|([0-9]{1,2})|<([^>]*)>)")


def expand(match: Match, replacement: str, text: str) -> str:
    """What ``replacement`` becomes for ``match`` in ``text`` (the text that was searched).

    ``$$ $& $` $'``, ``$1`` to ``$99`` and, if the pattern names a group, ``$<name>``. A number
    without a group stays as it is written, an unset group gives nothing. Raises MatchTimeout for
    what is longer than JavaScript allows.
    """
    if "$" not in replacement:
        return replacement
    return join_surrogates(expand_units(match, replacement, spread(text)))


def expand_units(match: Match, replacement: str, units: str) -> str:
    """As ``expand``, on a text that is already spread; halves that meet stay apart."""
    size = 0

    def one(found: "re.Match[str]") -> str:
        nonlocal size
        piece = meaning(found)
        size += len(piece)
        if size > LONGEST:
            raise MatchTimeout(TOO_LONG)
        return piece

    def meaning(found: "re.Match[str]") -> str:
        sign, digits, name = found.groups()
        if sign == "$":
            return "$"
        if sign == "&":
            return match.text
        if sign == "`":
            return units[: match.index]
        if sign == "'":
            return units[match.end :]
        if digits is not None:
            return _numbered(match, digits)
        return (match.named.get(name) or "") if match.named else found[0]

    return _SYMBOL.sub(one, replacement)


def _numbered(match: Match, digits: str) -> str:
    count = len(match.groups)
    for used in range(len(digits), 0, -1):
        number = int(digits[:used])
        if 1 <= number <= count:
            return (match.groups[number - 1] or "") + digits[used:]
    return "$" + digits
