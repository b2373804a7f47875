"""What several panes work out from one run, worked out once: marks, leaks, replacements, notes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from tripscope.trace.blocks import Block, BlockKey
from tripscope.trace.leaks import Leak
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.block_runs import BlockRuns, ModelMarks
from tripscope_gui.store.chunk_facts import Facts
from tripscope_gui.store.leaks import Leaks, LeakSearch

if TYPE_CHECKING:
    import asyncio


class RunIndex:
    """Derived views of one run; `update` brings them up to its newest event."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        self.marks = ModelMarks(store)
        self.leaks = Leaks(store)
        self.notes = store.notes
        self.facts = Facts(store, self.marks, self.leaks, self.notes)
        self.search: asyncio.Task[None] | None = None
        """Whoever works on ``leaks.searches``."""
        self._touched: list[int] = []
        self._runs: dict[BlockKey, BlockRuns] = {}

    def advance(self, nanoseconds: int) -> bool:
        """Take what came since, for about that long; whether something is left.

        Long blocks are not searched for leaks here: see ``leaks.searches``.
        """
        deadline = time.perf_counter_ns() + nanoseconds
        while self.store.collect(_SLICE):
            if time.perf_counter_ns() >= deadline:
                return True
        while self.marks.behind:
            self._touched += self.marks.update(_SLICE)
            if time.perf_counter_ns() >= deadline:
                return True
        for runs in self._runs.values():
            while runs.advance(_SLICE):
                if time.perf_counter_ns() >= deadline:
                    return True
        self._look_for_leaks()
        return False

    @property
    def ready(self) -> bool:
        """Whether all events are taken in; until then blocks are not asked for."""
        return not self.store.collect(0) and not self.marks.behind

    def update(self) -> list[int]:
        """Take all that came since; the part indexes of rows that look different now."""
        self.store.collect(len(self.store.events))
        self._touched += self.marks.update()
        self._look_for_leaks()
        for search in tuple(self.leaks.searches):
            self.take_leaks(search, search.run())
        return self.take_touched()

    def take_leaks(self, search: LeakSearch, leaks: list[Leak]) -> None:
        """Take what one of ``leaks.searches`` found."""
        for leak in self.leaks.take(search, leaks):
            self._touched += self.marks.add_leak(leak)

    def take_touched(self) -> list[int]:
        """Part indexes of rows that look different since this was called last."""
        touched, self._touched = self._touched, []
        return touched

    def _look_for_leaks(self) -> None:
        for leak in self.leaks.update():
            self._touched += self.marks.add_leak(leak)

    def runs(self, block: Block) -> BlockRuns:
        """Replacements of a block by column."""
        found = self._runs.get(block.key)
        if found is None:
            found = self._runs[block.key] = BlockRuns(block)
        return found


_SLICE: Final = 256


def index_of(store: RunStore) -> RunIndex:
    """The index of a run; made when first asked for."""
    if store.index is None:
        store.index = RunIndex(store)
    return store.index
