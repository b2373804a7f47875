"""Steps and their attempts, as ranges of events and of chunk rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from tripscope.processor import Outcome
from tripscope.trace.events import AttemptEnded, AttemptStarted, Delivered, ModelChunk

_TEXT: Final = "text-delta"


class Attempt(Struct):
    """One pass of a step. ``end_row`` and ``last_seq`` grow until ``outcome`` is known.

    Rows are ``first_row <= row < end_row``; times are ns since the run began.
    """

    step: int
    attempt: int
    first_seq: int
    last_seq: int
    start: int
    end: int
    first_row: int
    end_row: int
    feedback: tuple[str, ...] = ()
    outcome: Outcome | None = None
    reason: str | None = None
    processor: str | None = None
    hook: str | None = None
    retried: bool = False
    given: int | None = None
    """When the model gave its first text."""
    given_seq: int = -1
    left: tuple[int, int] | None = None
    """(seq, time) of the first text that the client got after that."""

    @property
    def key(self) -> tuple[int, int]:
        """(step, attempt)."""
        return self.step, self.attempt

    @property
    def rejected(self) -> bool:
        """Whether a tripwire ended it."""
        return self.outcome == "blocked"


class Attempts:
    """All attempts in order."""

    def __init__(self) -> None:
        self.all: list[Attempt] = []
        self._by_key: dict[tuple[int, int], Attempt] = {}

    def __iter__(self) -> Iterator[Attempt]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def get(self, step: int | None, attempt: int | None) -> Attempt | None:
        """The attempt, or None outside the loop."""
        if step is None or attempt is None:
            return None
        return self._by_key.get((step, attempt))

    @property
    def current(self) -> Attempt | None:
        """The newest one."""
        return self.all[-1] if self.all else None

    @property
    def steps(self) -> int:
        """How many steps began."""
        return self.all[-1].step + 1 if self.all else 0

    def of_step(self, step: int) -> list[Attempt]:
        """Attempts of one step in order."""
        return [attempt for attempt in self.all if attempt.step == step]

    def started(self, event: AttemptStarted, row: int) -> None:
        """Open an attempt whose first row will be ``row``."""
        if event.step is None or event.attempt is None:
            return
        made = Attempt(
            event.step,
            event.attempt,
            event.seq,
            event.seq,
            event.time,
            event.time,
            row,
            row,
            event.feedback,
        )
        self.all.append(made)
        self._by_key[made.key] = made

    def text_given(self, chunks: Iterable[ModelChunk]) -> None:
        """Note the first text of the newest attempt."""
        newest = self.all[-1] if self.all else None
        if newest is not None and newest.given is None:
            first = next((event for event in chunks if event.chunk.type == _TEXT), None)
            if first is not None:
                newest.given, newest.given_seq = first.time, first.seq

    def text_left(self, deliveries: Iterable[Delivered]) -> None:
        """Note the first text of the newest attempt that a client got."""
        newest = self.all[-1] if self.all else None
        if newest is not None and newest.left is None and newest.given is not None:
            texts = (event for event in deliveries if event.chunk.type == _TEXT)
            first = next((event for event in texts if event.seq > newest.given_seq), None)
            newest.left = None if first is None else (first.seq, first.time)

    def ended(self, event: AttemptEnded) -> None:
        """Note how the attempt ended."""
        found = self.get(event.step, event.attempt)
        if found is None:
            return
        found.outcome = event.outcome
        found.reason = event.reason
        found.processor = event.processor
        found.hook = event.hook
        found.retried = event.retried
        found.last_seq = event.seq
        found.end = max(found.end, event.time)


def attempt_words(step: int | None, attempt: int | None) -> str:
    """``step 1 · attempt 2``: attempts are counted from 1 on screen."""
    if step is None:
        return "outside the steps"
    return f"step {step} \u00b7 attempt {(attempt or 0) + 1}"
