"""Which kinds of parts that carry text a run had, counted as its events come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tripscope.chunks import Chunk
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, ModelChunk, RunStarted

FirstPart = tuple[int | None, int | None, int | None]
"""(step, attempt, index)."""

_TEXT: Final = frozenset(
    ("text-delta", "reasoning-delta", "tool-call", "tool-result", "tool-error")
)
_OF_TOOLS: Final = frozenset(("tool-result", "tool-error"))


class KindTally:
    """Counts parts by kind; an event costs constant time.

    A tool's result is given to processors without being the model's, and what a processor, a tool
    or a hook makes is known by its delivery alone.
    """

    def __init__(self, events: Iterable[AnyEvent] = ()) -> None:
        self.started: RunStarted | None = None
        self.first: dict[str, FirstPart] = {}
        """Where each kind was seen first."""
        self._seen: dict[str, int] = {}
        self._delivered: dict[str, int] = {}
        self._last: dict[str, int | None] = {}
        self._part: Chunk | None = None
        self.extend(events)

    @property
    def counts(self) -> dict[str, int]:
        """How many parts there were of each kind that carries text."""
        return self._delivered | self._seen

    def extend(self, events: Iterable[AnyEvent]) -> None:
        """Take in the next events of the run."""
        for event in events:
            kind = type(event)
            if kind is HookCalled:
                part = event.part  # type: ignore[union-attr]
                # one part goes through every processor
                if part is not None and part is not self._part and part.type in _OF_TOOLS:
                    self._add_call(event, part)  # type: ignore[arg-type]
            elif kind is ModelChunk:
                self._part = event.chunk  # type: ignore[union-attr]
                self._add(self._part.type, event)
            elif kind is Delivered:
                name = event.chunk.type  # type: ignore[union-attr]
                if name not in self._seen and _carries_text(name):
                    self._delivered[name] = self._delivered.get(name, 0) + 1
                    self._note(name, event)
            elif kind is RunStarted and self.started is None:
                self.started = event  # type: ignore[assignment]

    def _add_call(self, event: HookCalled, part: Chunk) -> None:
        self._part = part
        if part.type not in self._last or self._last[part.type] != event.index:
            self._add(part.type, event)

    def _add(self, name: str, event: AnyEvent) -> None:
        if _carries_text(name):
            self._last[name] = getattr(event, "index", None)
            self._seen[name] = self._seen.get(name, 0) + 1
            self._note(name, event)

    def _note(self, name: str, event: AnyEvent) -> None:
        if name not in self.first:
            self.first[name] = (event.step, event.attempt, getattr(event, "index", None))


def _carries_text(kind: str) -> bool:
    return kind in _TEXT or kind.startswith("data-")
