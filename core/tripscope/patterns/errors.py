"""Errors of patterns: ``PatternError`` (a ValueError) and ``MatchTimeout``."""


class PatternError(ValueError):
    """A pattern that JavaScript refuses, or that this module cannot run exactly.

    Attributes:
        position: offset in the pattern, in UTF-16 code units.
        reason: what is wrong there, without the position.
    """

    def __init__(self, reason: str, position: int = 0) -> None:
        """Keep the reason and the UTF-16 offset of its place."""
        super().__init__(f"{reason} (at UTF-16 offset {position} of the pattern)")
        self.reason = reason
        self.position = position


class MatchTimeout(Exception):
    """A match call used up the time it was given; nothing is known about the text."""

    def __init__(self, reason: str = "the match took more time than it was given") -> None:
        """Keep the reason."""
        super().__init__(reason)
