"""What filters tell: tripwire metadata, reports to ``on_violation``, lines of warning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tripscope.patterns.units import join_surrogates
from tripscope.rules.redaction import Redaction
from tripscope.rules.regions import Found
from tripscope.wire import JSON

MASKED: Final = "[REDACTED_MATCH]"
_ABSENT: Final = object()


def names(matches: Iterable[Found]) -> str:
    """The rules' names, each once, in the order of the matches."""
    return ", ".join(dict.fromkeys(match.rule.name for match in matches))


def match_list(matches: Iterable[Found], units: str | None = None) -> list[JSON]:
    """``{rule, match, index}`` per match; what was matched is shown only if ``units`` is given."""
    return [
        {
            "rule": match.rule.name,
            "match": MASKED if units is None else join_surrogates(units[match.start : match.end]),
            "index": match.start,
        }
        for match in matches
    ]


def redaction_detail(
    phase: str,
    redactions: Sequence[Redaction],
    *,
    with_values: bool,
    message_id: JSON = _ABSENT,
    part_index: int | None = None,
) -> dict[str, JSON]:
    """The ``RegexRedactionDetail`` of one text."""
    detail: dict[str, JSON] = {"strategy": "redact", "phase": phase}
    if message_id is not _ABSENT:
        detail["messageId"] = message_id
    if part_index is not None:
        detail["partIndex"] = part_index
    detail["redactions"] = [one.to_wire(with_value=with_values) for one in redactions]
    return detail


def redaction_message(redactions: Iterable[Redaction]) -> str:
    """The message of a redaction report: the rules whose replacements were used."""
    used = dict.fromkeys(one.region.owner.rule.name for one in redactions)
    return f"Regex filter: redacted content matching patterns: {', '.join(used)}"
