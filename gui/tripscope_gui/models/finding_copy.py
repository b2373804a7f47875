"""A finding as text and as a test case, for the clipboard."""

from __future__ import annotations

import json

from tripscope_gui.context import UNITS
from tripscope_gui.models.finding_table import offsets_in, outcome_words, shown_value, span
from tripscope_gui.store.finding_rows import FindingRow


def row_as_text(row: FindingRow) -> str:
    """A finding in one line, its value masked."""
    event = row.event
    spans = ", ".join(f"{span(offsets_in(row, unit))} {unit}" for unit in UNITS)
    value = shown_value(row, revealed=False)
    return (
        f"{event.rule} of {event.processor}, {row.where()}: {spans}; {value}; {outcome_words(row)}"
    )


def as_test_case(row: FindingRow) -> str | None:
    """A rule test as in session files, span in UTF-16 units; None if the text isn't on record."""
    text = row.texts.of(row.event)
    if text is None:
        return None
    case = {
        "rule": row.event.rule,
        "test": {"text": text, "match": True, "span": [row.event.start, row.event.end]},
    }
    return json.dumps(case, indent=2)
