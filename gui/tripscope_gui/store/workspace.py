"""The runs of the window: which one is looked at, which one is the baseline; free of Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tripscope.trace.events import AnyEvent
    from tripscope_gui.run_store import RunStore


def _new_store() -> RunStore:
    # the start page needs no run, and the store brings much of the engine along
    from tripscope_gui.run_store import RunStore

    return RunStore()


@dataclass(eq=False, slots=True)
class Run:
    """One run of the window. ``number``: what a person calls it by; ``source``: a loaded trace."""

    number: int
    store: RunStore = field(default_factory=_new_store)
    parent: int | None = None
    source: Path | None = None
    note: str = ""

    @property
    def title(self) -> str:
        """``Run 7``."""
        return f"Run {self.number}"

    @property
    def mode(self) -> str:
        """``live``, ``scripted``, ``replay``; empty before the first event."""
        return self.store.started.mode if self.store.started is not None else ""

    @property
    def kind(self) -> str:
        """``live``, ``replay of 7``, ``loaded``."""
        if self.source is not None:
            return "loaded"
        return f"{self.mode} of {self.parent}" if self.parent is not None else self.mode

    @property
    def clock(self) -> str:
        """Local time of day at which it began, ``14:02:07``; empty before the first event."""
        started = self.store.started
        try:
            moment = datetime.fromisoformat(started.started_at) if started is not None else None
        except ValueError:
            return ""
        return f"{moment.astimezone():%H:%M:%S}" if moment is not None else ""

    @property
    def recording(self) -> list[AnyEvent]:
        """What a replay of it is served from."""
        return self.store.events


class Workspace:
    """Runs in the order in which they were made."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.current: Run | None = None
        self.baseline: Run | None = None

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def add(self, *, parent: Run | None = None, source: Path | None = None, note: str = "") -> Run:
        """Make a run with the next number and look at it."""
        number = max((run.number for run in self.runs), default=0) + 1
        run = Run(number, parent=parent.number if parent else None, source=source, note=note)
        self.runs.append(run)
        self.current = run
        return run

    def by_number(self, number: int | None) -> Run | None:
        """The run of that number, or None."""
        return next((run for run in self.runs if run.number == number), None)

    def remove(self, run: Run) -> None:
        """Forget a run; the one before it is looked at next."""
        self.runs.remove(run)
        if self.baseline is run:
            self.baseline = None
        if self.current is run:
            self.current = self.runs[-1] if self.runs else None

    def clear(self) -> None:
        """Forget all runs."""
        self.runs.clear()
        self.current = self.baseline = None
