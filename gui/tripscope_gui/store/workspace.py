"""The runs of the window: which one is looked at, which one is the baseline; free of Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tripscope.trace.events import Status
    from tripscope.trace.store import StoredRun
    from tripscope_gui.run_store import RunStore


def _new_store() -> RunStore:
    # the start page needs no run, and the store brings much of the engine along
    from tripscope_gui.run_store import RunStore

    return RunStore()


@dataclass(eq=False, slots=True)
class Run:
    """One run of the window. ``number``: what a person calls it by; ``source``: a loaded trace.

    ``entry``: the run as the history keeps it. Its events need not be in memory then: ``store`` is
    empty until somebody looks at it, and what is told here comes from the entry.
    """

    number: int
    store: RunStore = field(default_factory=_new_store)
    parent: int | None = None
    source: Path | None = None
    note: str = ""
    entry: StoredRun | None = None
    complete: bool = True
    """False while its events are on disk only, or being loaded."""
    share: float | None = None
    """How much of it was read so far, 0 to 1, while it comes from a file or the history."""

    @property
    def title(self) -> str:
        """``Run 7``."""
        return f"Run {self.number}"

    @property
    def last_number(self) -> int:
        """Its number here or in the history, whichever is greater: another window counts too."""
        return max(self.number, self.entry.facts.number if self.entry is not None else 0)

    @property
    def percent(self) -> str:
        """``43 %``: how much of it is read, while it is read; else empty."""
        return f"{100 * self.share:.0f} %" if self.share is not None else ""

    @property
    def reading(self) -> str:
        """``reading 43 %`` while it is read, else empty."""
        return f"reading {self.percent}" if self.percent else ""

    @property
    def mode(self) -> str:
        """``live``, ``scripted``, ``replay``; empty before the first event."""
        if self.entry is not None:
            return self.entry.facts.mode
        return self.store.started.mode if self.store.started is not None else ""

    @property
    def status(self) -> Status:
        """See `tripscope.trace.events.Status`."""
        return self.entry.facts.status if self.entry is not None else self.store.status

    @property
    def model(self) -> str:
        """Name of the model; empty before the first event."""
        if self.entry is not None:
            return self.entry.facts.model
        return self.store.started.model if self.store.started is not None else ""

    @property
    def chunks(self) -> int:
        """How many chunks it has, those of the loop and of tools included: rows of the table."""
        return self.entry.facts.chunks if self.entry is not None else len(self.store.rows)

    @property
    def time(self) -> int:
        """How long it took, in ns."""
        return self.entry.facts.time if self.entry is not None else self.store.totals.time

    def unload(self) -> None:
        """Let go of the events; they are in the history."""
        if self.entry is not None:
            store = _new_store()
            # what a person wrote is in no file
            store.notes = self.store.notes
            self.let_go()
            self.store, self.complete = store, False

    def let_go(self) -> None:
        """Part the events from what was worked out of them, so that both can go at once."""
        self.store.index = None

    @property
    def kind(self) -> str:
        """``live``, ``replay of 7``, ``loaded``, or its note."""
        if self.note:
            return self.note
        if self.source is not None:
            return "loaded"
        return f"{self.mode} of {self.parent}" if self.parent is not None else self.mode

    @property
    def clock(self) -> str:
        """Local time at which it began: ``14:02:07``, or ``28 Nov 14:02`` on another day."""
        from datetime import datetime  # late: no first frame tells a time

        started = self.entry.facts if self.entry is not None else self.store.started
        try:
            moment = datetime.fromisoformat(started.started_at) if started is not None else None
            moment = moment.astimezone() if moment is not None else None
        except (ValueError, OverflowError):  # no time, or one at the edge of the calendar
            return ""
        if moment is None:
            return ""
        today = moment.date() == datetime.now().astimezone().date()
        return f"{moment:%H:%M:%S}" if today else f"{moment:%d %b %H:%M}"


class Workspace:
    """Runs in the order in which they were made."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.current: Run | None = None
        self.baseline: Run | None = None
        self.compared: tuple[Run, ...] = ()
        """The runs that are set against each other, if any are."""

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def add(self, *, parent: Run | None = None, source: Path | None = None, note: str = "") -> Run:
        """Make a run with the next number and look at it."""
        number = max((run.last_number for run in self.runs), default=0) + 1
        run = Run(number, parent=parent.number if parent else None, source=source, note=note)
        self.runs.append(run)
        self.current = run
        return run

    def add_stored(self, entries: Iterable[StoredRun]) -> None:
        """List runs of the history; their events stay on disk until they are looked at."""
        for entry in entries:
            facts = entry.facts
            run = Run(facts.number, parent=facts.parent, entry=entry, complete=False)
            self.runs.append(run)
            if entry.pinned:
                self.baseline = run

    def by_number(self, number: int | None) -> Run | None:
        """The run of that number, or None."""
        return next((run for run in self.runs if run.number == number), None)

    def remove(self, run: Run) -> None:
        """Forget a run; the one before it is looked at next."""
        self.runs.remove(run)
        run.let_go()
        if self.baseline is run:
            self.baseline = None
        if run in self.compared:
            self.compared = ()
        if self.current is run:
            self.current = self.runs[-1] if self.runs else None

    def clear(self) -> None:
        """Forget all runs."""
        for run in self.runs:
            run.let_go()
        self.runs.clear()
        self.current = self.baseline = None
        self.compared = ()
