"""Regions of a text are replaced, and each replacement is described."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tripscope.patterns import MatchTimeout, expand
from tripscope.patterns.units import join_surrogates, utf16_len
from tripscope.rules.regions import Region
from tripscope.rules.rule import RegexRule
from tripscope.wire import JSON

_SECONDS: Final = 0.05


class Redaction(NamedTuple):
    """What stands for a region now. ``out_start``: its place in the new text, in UTF-16 units."""

    region: Region
    replacement: str
    out_start: int
    value: str

    def to_wire(self, *, with_value: bool) -> dict[str, JSON]:
        """The entry of a report (RegexFilterProcessor, "redaction reports")."""
        region = self.region
        wire: dict[str, JSON] = {
            "rule": region.owner.rule.name,
            "index": region.start,
            "length": region.end - region.start,
            "replacement": self.replacement,
        }
        if len(region.members) > 1:
            names = list(dict.fromkeys(member.rule.name for member in region.members))
            if len(names) > 1:
                wire["overlappingRules"] = names
        if with_value:
            wire["value"] = self.value
        return wire


def redact(units: str, regions: Sequence[Region]) -> tuple[str, list[Redaction]]:
    """The new text (halves of characters that meet are joined) and its redactions, in order."""
    if not regions:
        return join_surrogates(units), []
    out: list[str] = []
    done: list[Redaction] = []
    at = written = 0
    plain = units.isascii()
    for region in regions:
        start, end = region.start, region.end
        value = units[start:end] if plain else join_surrogates(units[start:end])
        replacement = _replacement(region, value)
        written += start - at
        done.append(Redaction(region, replacement, written, value))
        out += (units[at:start], replacement)
        written += utf16_len(replacement)
        at = end
    out.append(units[at:])
    return join_surrogates("".join(out)), done


def _replacement(region: Region, value: str) -> str:
    """The owner's replacement; its references hold only for a match that stands alone.

    And only where the pattern takes the whole of it without the text around it.
    """
    template = region.owner.rule.substitute
    if len(region.members) > 1 or "$" not in template:
        return template
    return _expanded(region.owner.rule, template, value)


def _expanded(rule: RegexRule, template: str, value: str) -> str:
    try:
        alone = rule.compiled.find_all(value, timeout=_SECONDS)
        if not alone or alone[0].index != 0 or alone[0].length != utf16_len(value):
            return template
        if len(alone) == 1:
            return expand(alone[0], template, value)
        return rule.compiled.replace(value, template, timeout=_SECONDS)
    except MatchTimeout:
        return template
