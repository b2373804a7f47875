"""What several panes work out from one run, worked out once: marks, leaks, replacements, notes."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from tripscope.trace.blocks import Block, BlockKey
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.block_runs import BlockRuns, ModelMarks
from tripscope_gui.store.chunk_facts import Facts
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.store.row_notes import notes_of


class RunIndex:
    """Derived views of one run; `update` brings them up to its newest event."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        self.marks = ModelMarks(store)
        self.leaks = Leaks(store)
        self.notes = notes_of(store)
        self.facts = Facts(store, self.marks, self.leaks, self.notes)
        self.version = 0
        """Grows when rows that were there before look different now."""
        self._runs: dict[BlockKey, BlockRuns] = {}

    def update(self) -> list[int]:
        """Take what came since; the part indexes of older rows that look different now."""
        touched = self.marks.update()
        if self.leaks.update():
            for leaks in self.leaks.by_block.values():
                for leak in leaks:
                    touched += self.marks.add_leak(leak)
            self.version += 1
        if touched:
            self.version += 1
        return touched

    def runs(self, block: Block) -> BlockRuns:
        """Replacements of a block by column."""
        found = self._runs.get(block.key)
        if found is None:
            found = self._runs[block.key] = BlockRuns(block)
        return found


_INDEXES: Final[WeakKeyDictionary[RunStore, RunIndex]] = WeakKeyDictionary()


def index_of(store: RunStore) -> RunIndex:
    """The index of a run; made when first asked for."""
    index = _INDEXES.get(store)
    if index is None:
        index = _INDEXES[store] = RunIndex(store)
    return index
