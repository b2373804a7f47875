"""What a processor can tell the trace about itself, and the outcomes of its calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol, TypeAlias

from tripscope.wire import JSON

Outcome: TypeAlias = Literal[
    "pass", "changed", "flagged", "blocked", "errored", "timed-out", "skipped", "not-run"
]

Interval: TypeAlias = tuple[int, int, int, int, str | None]
"""(in_start, in_end, out_start, out_end, rule): text taken in -> text let out, in UTF-16 units
counted over the whole text block of this attempt on either side; rule None: it passed unchanged."""

RULE_SEARCHES: Final = "rule searches"
"""Name of the span that tells what searches of rules took: `tripscope.trace.rule_costs`."""


class Probe(Protocol):
    """What a processor can tell the trace about itself; a no-op when nobody traces."""

    def finding(
        self,
        rule: str,
        start: int,
        end: int,
        outcome: Outcome,
        *,
        reported: tuple[int, int] | None = None,
        replacement: str | None = None,
        value: str | None = None,
        winner: str | None = None,
        message_id: str | None = None,
        part_index: int | None = None,
        tool_call_id: str | None = None,
        path: str | None = None,
    ) -> None:
        """One match of one rule.

        ``start``, ``end``: UTF-16 units in all text of this block that the processor was given in
        this attempt (a stream), in the text part at hand (messages), or in the string at ``path``
        of what a tool returned, such as ``contact.phones[0]``. ``reported``: the span as
        handed to ``onViolation``. ``winner``: the overlapping rule whose replacement was used, if
        another one.
        """
        ...

    def emit(self, intervals: Sequence[Interval]) -> None:
        """What became of the text that this call lets out (or finally drops)."""
        ...

    def held(self, units: int) -> None:
        """How many UTF-16 units are held back after this call."""
        ...

    def warning(self, message: str, detail: JSON = None) -> None:
        """Something that the user should know, such as a check that could not be made."""
        ...
