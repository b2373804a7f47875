"""Counts of hook calls per processor and hook."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from tripscope.processor import Outcome
from tripscope.trace.events import HookCalled

SEVERITY: Final[tuple[Outcome, ...]] = (
    "errored", "blocked", "timed-out", "flagged", "changed", "pass", "skipped", "not-run",
)  # fmt: skip
STOPPING: Final[frozenset[Outcome]] = frozenset(("errored", "blocked", "timed-out"))
"""Outcomes of a call that let nothing through and ended its step."""
_RANK: Final = {outcome: rank for rank, outcome in enumerate(SEVERITY)}


def worst(outcomes: Iterable[Outcome]) -> Outcome | None:
    """The outcome that must not be overlooked; None for none."""
    return min(outcomes, key=_RANK.__getitem__, default=None)


class CallColumns(Struct):
    """Calls of one hook of one processor in order: a list for each thing that they tell."""

    seqs: list[int]
    times: list[int]
    durations: list[int]
    outcomes: list[Outcome]
    held: list[int | None]

    @classmethod
    def of(cls, calls: Sequence[HookCalled]) -> CallColumns:
        """The columns of these calls."""
        return cls(
            [call.seq for call in calls],
            [call.time for call in calls],
            [call.duration for call in calls],
            [call.outcome for call in calls],
            [call.held for call in calls],
        )


class CallTally:
    """All calls of one hook of one processor: how many, how long, with what outcomes."""

    __slots__ = ("duration", "firsts", "hook", "outcomes", "processor", "seqs")

    def __init__(self, processor: str, hook: str) -> None:
        self.processor = processor
        self.hook = hook
        self.duration = 0
        """ns, summed."""
        self.outcomes: Counter[Outcome] = Counter()
        self.firsts: dict[Outcome, int] = {}
        """``seq`` of the first call with that outcome."""
        self.seqs = array("I")
        """``seq`` of each call, in order."""

    def add(self, calls: CallColumns) -> None:
        """Count these calls."""
        self.duration += sum(calls.durations)
        self.seqs.fromlist(calls.seqs)
        outcomes = calls.outcomes
        self.outcomes.update(outcomes)
        for outcome in set(outcomes):
            if outcome not in self.firsts:
                self.firsts[outcome] = calls.seqs[outcomes.index(outcome)]

    @property
    def count(self) -> int:
        """How many calls."""
        return len(self.seqs)

    @property
    def outcome(self) -> Outcome:
        """The worst of its outcomes."""
        return worst(self.outcomes) or "not-run"


class Calls:
    """Tallies by (processor, hook), and total time by processor."""

    def __init__(self) -> None:
        self.tallies: dict[tuple[str, str], CallTally] = {}

    @property
    def time(self) -> Counter[str]:
        """Time per processor in ns."""
        times: Counter[str] = Counter()
        for (processor, _), tally in self.tallies.items():
            times[processor] += tally.duration
        return times

    def add(self, processor: str, hook: str, calls: CallColumns) -> None:
        """Count calls of that hook of that processor."""
        key = (processor, hook)
        tally = self.tallies.get(key)
        if tally is None:
            tally = self.tallies[key] = CallTally(*key)
        tally.add(calls)

    def get(self, processor: str, hook: str) -> CallTally | None:
        """The tally, or None if there was no call."""
        return self.tallies.get((processor, hook))

    def hook_of(self, processor: str, seq: int) -> str:
        """The hook of the call that is event ``seq``; empty if there is none."""
        for (id_, hook), tally in self.tallies.items():
            if id_ == processor:
                place = bisect_left(tally.seqs, seq)
                if place < len(tally.seqs) and tally.seqs[place] == seq:
                    return hook
        return ""

    def outcome(self, processor: str) -> Outcome | None:
        """The worst outcome of a processor over all its hooks; None if it never ran."""
        return worst(t.outcome for (id_, _), t in self.tallies.items() if id_ == processor)
