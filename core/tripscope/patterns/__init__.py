"""ECMAScript regular expressions: the spans, groups and replacements that V8 gives.

``compile(pattern, flags)`` parses a pattern as JavaScript does, and raises ``PatternError`` with
the place and the reason for what JavaScript refuses. All offsets are UTF-16 code units.
"""

from tripscope.patterns.errors import MatchTimeout, PatternError
from tripscope.patterns.facts import Facts
from tripscope.patterns.match import Match
from tripscope.patterns.pattern import Pattern, compile
from tripscope.patterns.progress import Stop, stop_of
from tripscope.patterns.substitution import expand

__all__ = [
    "Facts",
    "Match",
    "MatchTimeout",
    "Pattern",
    "PatternError",
    "Stop",
    "compile",
    "expand",
    "stop_of",
]
