"""Text that left a rule-based processor before its rules could decide on it.

Such a stretch lies inside a match of the whole block and was let out unchanged. What a block's
rules match as a whole is known once the block is over, so unfinished blocks have none yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from tripscope.patterns import MatchTimeout
from tripscope.processor import RuleBased
from tripscope.trace.blocks import Block, BlockKey
from tripscope.trace.flows import Flow
from tripscope.trace.leaks import Leak, leaks_of
from tripscope.trace.rebuild import rebuild_processors
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chunk_rows import CLIENT
from tripscope_gui.store.flow_map import Range, forward
from tripscope_gui.store.placed import GrowingIndex

AT_ONCE: Final = 8_000
"""UTF-16 units of a block up to which its leaks are looked for between two frames."""


class Leaked(NamedTuple):
    """A stretch of a text in which a leak stands, in UTF-16 code units."""

    start: int
    end: int


class LeakSearch(Struct, frozen=True):
    """What a processor let out of one block, to be held against its rules on the whole block."""

    block: Block
    flow: Flow
    rules: RuleBased

    @property
    def short(self) -> bool:
        """Whether there is time for it between two frames."""
        return self.flow.given.length <= AT_ONCE

    def run(self) -> list[Leak]:
        """The leaks; may be called in a thread, for the block is over."""
        try:
            return leaks_of(self.block, self.flow, self.rules)
        except MatchTimeout:
            return []


class Leaks:
    """Leaks of a run, block by block, each looked for once, when the block is over."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._rules: Mapping[str, Any] | None = None
        self._done: set[BlockKey] = set()
        self.by_block: dict[BlockKey, list[Leak]] = {}
        self._depths: dict[tuple[BlockKey, str], GrowingIndex[Leaked]] = {}
        self.searches: list[LeakSearch] = []
        """Long ones, which wait for a thread: see `take`."""

    def update(self) -> list[Leak]:
        """Look at blocks that ended since; the leaks found. Long ones go to `searches`."""
        found: list[Leak] = []
        blocks = self._store.blocks
        if len(self._done) == len(blocks):
            return found
        for key, block in blocks.items():
            if key in self._done or not self._finished(block):
                continue
            self._done.add(key)
            for flow in block.flows:
                search = self._search(block, flow)
                if search is None:
                    continue
                if search.short:
                    found += self._keep(search, search.run())
                else:
                    self.searches.append(search)
        return found

    def take(self, search: LeakSearch, leaks: list[Leak]) -> list[Leak]:
        """Take what one of `searches` found."""
        self.searches.remove(search)
        return self._keep(search, leaks)

    def in_column(self, block: Block, column: str) -> GrowingIndex[Leaked]:
        """Stretches of the text at ``column`` that should not have got there."""
        return self._depths.get((block.key, column), _NONE)

    def _finished(self, block: Block) -> bool:
        if block.closed or block.cut or self._store.over:
            return True
        attempt = self._store.attempts.get(block.key[0], block.key[1])
        return attempt is not None and attempt.outcome is not None

    def _search(self, block: Block, flow: Flow) -> LeakSearch | None:
        if self._rules is None:
            try:
                self._rules = rebuild_processors(self._store.events[:1])
            except ValueError:
                # a trace from elsewhere may describe what cannot be built here
                self._rules = {}
        rules = self._rules.get(flow.processor)
        if not isinstance(rules, RuleBased) or rules.passes_matches:
            return None
        return LeakSearch(block, flow, rules)

    def _keep(self, search: LeakSearch, leaks: list[Leak]) -> list[Leak]:
        if leaks:
            block, flow = search.block, search.flow
            self.by_block.setdefault(block.key, []).extend(leaks)
            self._carry(block, flow, [stretch for leak in leaks for stretch in leak.out])
        return leaks

    def _carry(self, block: Block, flow: Flow, ranges: list[Range]) -> None:
        """Note where leaked text stands in the columns after the processor."""
        place = block.flows.index(flow)
        self._note(block, flow.processor, ranges)
        for later in block.flows[place + 1 :]:
            ranges = [out for low, high in ranges for out in forward(later, low, high)]
            self._note(block, later.processor, ranges)
        self._note(block, CLIENT, [r for r in ranges if r[0] < block.delivered.length])

    def _note(self, block: Block, column: str, ranges: list[Range]) -> None:
        kept = self._depths.setdefault((block.key, column), GrowingIndex())
        kept.add(*(Leaked(*stretch) for stretch in ranges))


_NONE: Final[GrowingIndex[Leaked]] = GrowingIndex()
