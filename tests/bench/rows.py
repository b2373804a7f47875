"""One measured line of `make bench`, and how the lines are told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict


class RowData(TypedDict):
    """A row as `build/bench.json` holds it."""

    name: str
    value: float
    unit: str
    reference: float | None
    ratio: float | None
    goal: float | None
    met: bool | None


@dataclass(frozen=True, slots=True)
class Row:
    """A measurement in `unit`, smaller is better.

    `reference` is the same work by something else, or a limit, in the same unit and taken in the
    same run; `ratio` is value / reference. `goal` is the greatest ratio wanted, or where there is
    no reference to compare with by nature (`against_value`), the greatest value.
    """

    name: str
    value: float
    unit: str
    reference: float | None = None
    goal: float | None = None
    against_value: bool = False

    @property
    def ratio(self) -> float | None:
        return self.value / self.reference if self.reference else None

    @property
    def met(self) -> bool | None:
        """None where there is no goal, or nothing to hold it against (no node, say)."""
        measured = self.value if self.against_value else self.ratio
        if self.goal is None or measured is None:
            return None
        return measured <= self.goal

    def to_json(self) -> RowData:
        return RowData(
            name=self.name,
            value=self.value,
            unit=self.unit,
            reference=self.reference,
            ratio=self.ratio,
            goal=self.goal,
            met=self.met,
        )


_HEADER = ("what", "value", "unit", "reference", "ratio", "goal", "met")


def table(rows: Sequence[Row]) -> str:
    """Lay the rows out in columns, names to the left and figures to the right."""
    lines = [_HEADER, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADER))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if _HEADER[column] in ("what", "unit") else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _cells(row: Row) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: "-"}[row.met]
    figures = (row.value, row.reference, row.ratio, row.goal)
    value, reference, ratio, goal = ("-" if f is None else f"{f:.3g}" for f in figures)
    if row.value >= 1000:
        value = f"{row.value:.0f}"
    if row.reference is not None and row.reference >= 1000:
        reference = f"{row.reference:.0f}"
    return (row.name, value, row.unit, reference, ratio, goal, met)
