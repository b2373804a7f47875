"""Columns of the findings table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tripscope_gui.context import Unit
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.models.base import Column
from tripscope_gui.store.finding_rows import DASH, FindingRow
from tripscope_gui.store.given_text import Offsets
from tripscope_gui.widgets.labels import plain_tooltip

CHUNKS: Final = "chunks"
PLACES: Final = "chunk, hook"
WHERE: Final = "where"
REPLACEMENT: Final = "replacement"
VALUE: Final = "matched value"
MASK: Final = "\N{BULLET}"
_PLACE_WIDTHS: Final = {CHUNKS: 82, PLACES: 86, WHERE: 166}
_UNIT_WIDTHS: Final[dict[Unit, int]] = {"UTF-16": 62, "code points": 74, "UTF-8": 62}
_FAR: Final = 92
FindingColumn = Column[FindingRow]


def span(offsets: Offsets | None) -> str:
    """Start, dash, end; an en dash where it is not known."""
    return DASH if offsets is None else f"{offsets[0]}{DASH}{offsets[1]}"


def offsets_in(row: FindingRow, unit: Unit) -> Offsets | None:
    """The row's span in ``unit``."""
    if unit == "UTF-16":
        return row.event.start, row.event.end
    return row.code_points() if unit == "code points" else row.utf8()


def outcome_words(row: FindingRow) -> str:
    """What became of the match."""
    if row.leak is not None:
        return f"left at {row.left_with or DASH}"
    if row.event.winner is not None and row.event.outcome == "changed":
        return f"in {row.event.winner}"
    return row.event.outcome


def replacement(row: FindingRow) -> str:
    """What stands in its place."""
    event = row.event
    if row.leak is not None:
        return "none"
    if event.outcome == "timed-out":
        return "not checked"
    if event.outcome == "blocked":
        return "none, strategy block"
    if event.outcome == "flagged":
        return "none, strategy warn"
    if event.winner is not None:
        return "covered"
    return event.replacement if event.replacement is not None else "none"


def shown_value(row: FindingRow, *, revealed: bool) -> str:
    """The matched text, or its length behind a mask."""
    units = row.event.end - row.event.start
    if row.event.outcome == "timed-out":
        return "not known"
    if not revealed:
        return f"{MASK * min(6, max(1, units))} {units} UTF-16 units"
    value = row.value()
    return "not on record" if value is None else value


def finding_columns(
    *,
    units: tuple[Unit, ...],
    place: str,
    number: Callable[[str], int],
    revealed: Callable[[], bool],
    far: bool = False,
) -> list[FindingColumn]:
    """The columns for spans in ``units``; ``place`` is the title of the one that says where.

    ``far``: offsets have more than three digits.
    """

    def third(row: FindingRow) -> str:
        return shown_value(row, revealed=True) if revealed() else replacement(row)

    shown = [
        Column(
            "rule",
            lambda row: row.event.rule,
            108,
            roles={CellRole.RULE: lambda row: number(row.event.rule)},
            tooltip=tooltip,
        ),
        Column(place, FindingRow.where, _PLACE_WIDTHS[place], tooltip=tooltip),
        *(
            Column(
                unit,
                _in_unit(unit),
                max(_UNIT_WIDTHS[unit], _FAR if far else 0),
                mono=True,
                tooltip=tooltip,
            )
            for unit in units
        ),
        Column(
            VALUE if revealed() else REPLACEMENT,
            third,
            100,
            roles={
                CellRole.MONO: lambda row: revealed() or replaced(row),
                CellRole.TONE: lambda row: "t1" if revealed() or replaced(row) else "t2",
            },
        ),
    ]
    if place != WHERE:
        shown.append(
            Column(
                "overlaps",
                lambda row: ", ".join(row.overlaps()),
                80,
                roles={CellRole.RULE: lambda row: _first_number(row, number)},
                tooltip=tooltip,
            )
        )
    shown.append(
        Column(
            "outcome",
            outcome_words,
            96,
            roles={
                CellRole.OUTCOME: _badge,
                CellRole.ICON: lambda row: "cross" if row.leak is not None else None,
                CellRole.TONE: _tone,
                CellRole.WEIGHT: lambda row: 600 if row.leak is not None else 400,
            },
            tooltip=tooltip,
        )
    )
    return shown


def replaced(row: FindingRow) -> bool:
    """Whether the rule's own replacement stands in the text."""
    event = row.event
    own = row.leak is None and event.winner is None
    return own and event.outcome == "changed" and event.replacement is not None


def _first_number(row: FindingRow, number: Callable[[str], int]) -> int | None:
    names = row.overlaps()
    return number(names[0]) if names else None


def _in_unit(unit: Unit) -> Callable[[FindingRow], str]:
    return lambda row: span(offsets_in(row, unit))


def tooltip(row: FindingRow) -> str:
    """Processor, hook, and the span in all units, in one line each."""
    event = row.event
    spans = ", ".join(
        f"{span(offsets_in(row, unit))} {unit}" for unit in ("UTF-16", "code points", "UTF-8")
    )
    lines = [f"{event.rule} of {event.processor} in {event.hook}", spans]
    if event.reported is not None:
        lines.append(f"as reported: {span(event.reported)} UTF-16")
    if event.path is not None:
        lines.append(f"at {event.path or 'its only text'} of the result of {event.tool_call_id}")
    if row.leak is not None:
        lines.append("text inside this match was let out before it was decided")
    if names := row.overlaps():
        lines.append(f"overlaps {', '.join(names)}")
    return plain_tooltip("\n".join(lines))


def _badge(row: FindingRow) -> str | None:
    covered = row.event.winner is not None and row.event.outcome == "changed"
    return None if row.leak is not None or covered else row.event.outcome


def _tone(row: FindingRow) -> str:
    if row.leak is not None:
        return "blocked"
    return _badge(row) or "t2"
