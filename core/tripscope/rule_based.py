"""Processors whose output is what their rules make of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct


class Whole(Struct, frozen=True):
    """Rules applied once to a whole text.

    The text that is let out, and every match of every rule as (rule, start, end) in UTF-16 units
    of the given text.
    """

    text: str
    matches: tuple[tuple[str, int, int], ...]


@runtime_checkable
class RuleBased(Protocol):
    """A processor whose output is what its rules make of the text: stream checks compare."""

    block_kinds: Sequence[str]
    """Which blocks the rules apply to: ``text``, ``reasoning``."""
    passes_matches: bool
    """Whether matched text is let out on purpose (strategy ``warn``, or a phase that is off)."""

    def whole(self, text: str) -> Whole:
        """Apply the rules to ``text`` at once.

        Raises:
            MatchTimeout: a rule's time budget was used up.
        """
        ...
