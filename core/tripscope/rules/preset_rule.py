"""A row of a preset."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from tripscope.rules.rule import RegexRule


class PresetRule(Struct, frozen=True):
    """One row; ``provenance`` names where the pattern comes from."""

    name: str
    source: str
    flags: str
    replacement: str
    provenance: str
    check: Callable[[str], bool] | None = None

    def rule(self) -> RegexRule:
        """The rule of this row."""
        return RegexRule(self.name, self.source, self.flags, self.replacement, self.check)
