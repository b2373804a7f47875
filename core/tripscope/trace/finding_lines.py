"""The findings of a run as every report lists them, the matches that left undecided included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from tripscope.trace.events import AnyEvent, FindingMade
from tripscope.trace.leaks import ChunkNumbers, Leak, run_leaks


class FindingLine(Struct, frozen=True):
    """One match of one rule, whatever was done about it.

    ``start`` and ``end`` are UTF-16 units; ``attempt`` counts from 0. ``outcome`` is None and
    ``left_at_chunk`` a number, counted from 1, for a match that left before it was decided.
    """

    rule: str
    processor: str
    hook: str
    start: int
    end: int
    outcome: str | None
    replacement: str | None = None
    winner: str | None = None
    step: int | None = None
    attempt: int | None = None
    message_id: str | None = None
    part_index: int | None = None
    tool_call_id: str | None = None
    path: str | None = None
    left_at_chunk: int | None = None
    in_stream: bool = False

    @property
    def words(self) -> str:
        """What became of it: its outcome, or ``left at chunk 13``."""
        if self.outcome is None:
            return f"left at chunk {self.left_at_chunk}"
        return self.outcome

    @property
    def where(self) -> str:
        """``step 1, attempt 2``, or the message; empty where neither is known."""
        if self.step is not None:
            return f"step {self.step}, attempt {(self.attempt or 0) + 1}"
        return f"message {self.message_id}" if self.message_id else ""

    def to_wire(self) -> dict[str, Any]:
        """Spelled as in ``--json`` and in exports."""
        return {
            "rule": self.rule,
            "start": self.start,
            "end": self.end,
            "outcome": self.outcome,
            "leftAtChunk": self.left_at_chunk,
            "replacement": self.replacement,
            "winner": self.winner,
            "processor": self.processor,
            "hook": self.hook,
            "step": self.step,
            "attempt": self.attempt,
            "messageId": self.message_id,
            "partIndex": self.part_index,
            "toolCallId": self.tool_call_id,
            "path": self.path,
        }


def finding_lines(events: Sequence[AnyEvent]) -> list[FindingLine]:
    """All findings by attempt; in each, what left undecided stands first."""
    numbers = ChunkNumbers(events)
    lines = [_of_leak(leak, numbers) for leak in run_leaks(events)]
    lines += [_of_event(event) for event in events if isinstance(event, FindingMade)]
    return sorted(lines, key=_order)


def _order(line: FindingLine) -> tuple[int, int]:
    after = line.step is None and line.hook == "processOutputResult"
    step = -1 if line.step is None else line.step
    return (1 << 30 if after else step, -1 if line.attempt is None else line.attempt)


def _of_leak(leak: Leak, numbers: ChunkNumbers) -> FindingLine:
    step, attempt, _kind, _block = leak.block
    return FindingLine(
        leak.rule, leak.processor, "processOutputStream", leak.start, leak.end, None,
        step=step, attempt=attempt, left_at_chunk=numbers.of(leak.index), in_stream=True,
    )  # fmt: skip


def _of_event(event: FindingMade) -> FindingLine:
    return FindingLine(
        event.rule,
        event.processor or "",
        event.hook or "",
        event.start,
        event.end,
        event.outcome,
        event.replacement,
        event.winner,
        event.step,
        event.attempt,
        event.message_id,
        event.part_index,
        event.tool_call_id,
        event.path,
        in_stream=event.block is not None,
    )
