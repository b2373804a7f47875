"""Where the pattern of a rule stops in a text that it should match: see `patterns.progress`."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from tripscope import patterns
from tripscope.patterns.units import join_surrogates, spread
from tripscope_gui.context import PaneContext
from tripscope_gui.threads import in_thread

_SECONDS: Final = 0.25
_LONGEST_PART: Final = 40
_NOT_TOLD: Final = "does not match; where it stops is not told for this pattern"
_LATE: Final = "does not match; where it stops was not found in time"

Question = tuple[str, str, str]
"""(pattern, flags, text)."""


class StopFound(Struct, frozen=True):
    """The answer: ``stop`` None where it cannot be told, which ``words`` say."""

    question: Question
    words: str
    stop: patterns.Stop | None = None


class RuleStop(QObject):
    """One question at a time, answered in a thread; the newest one counts."""

    changed = Signal()
    """`found` is another one, or none."""

    def __init__(self, context: PaneContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._asker: object = None
        self._wanted: Question | None = None
        self._working = False
        self.found: StopFound | None = None

    def ask(self, asker: object, question: Question | None) -> None:
        """Find where the pattern stops in the text; None: this asker has no question any more."""
        if question is None and asker is not self._asker:
            return
        self._asker = asker
        if question == self._wanted:
            return
        self._wanted = question
        if self.found is not None:
            self.found = None
            self.changed.emit()
        if question is not None and not self._working and self._context.tasks.ready:
            self._context.tasks.start(self._work(), "where a rule stops")

    async def _work(self) -> None:
        self._working = True
        try:
            # another question may come while the answer to the last one is told
            while (question := self._wanted) is not None and self.found is None:
                found = await in_thread(_answer, question)
                if question == self._wanted:
                    self.found = found
                    self.changed.emit()
        finally:
            self._working = False


def _answer(question: Question) -> StopFound:
    pattern, flags, text = question
    try:
        stop = patterns.stop_of(pattern, flags, text, timeout=_SECONDS)
    except patterns.MatchTimeout:
        return StopFound(question, _LATE)
    except patterns.PatternError:
        return StopFound(question, _NOT_TOLD)
    if stop is None:
        return StopFound(question, _NOT_TOLD)
    part = join_surrogates(spread(pattern)[stop.start : stop.end])
    if len(part) > _LONGEST_PART:
        part = part[:_LONGEST_PART] + "\u2026"
    if stop.matched is None:
        return StopFound(question, f"its first part, {part}, is nowhere", stop)
    start, end = stop.matched
    return StopFound(question, f"stops at {part}; {start}\N{EN DASH}{end} matches up to it", stop)
