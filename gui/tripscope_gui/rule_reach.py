"""How far the matches of a rule reach in the text of the run that is looked at."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope import patterns
from tripscope_gui.context import PaneContext
from tripscope_gui.run_store import RunStore
from tripscope_gui.threads import in_thread

_WAIT_MS: Final = 120
"""A replay and its views come first."""
_MOST_UNITS: Final = 200_000
_SECONDS: Final = 0.25

RuleKey = tuple[str, str, str]
"""(processor, pattern, flags)."""


class RuleReach(QObject):
    """Longest matches by rule, in UTF-16 units; worked out in a thread when first asked for."""

    changed = Signal()
    """An answer that was asked for is there."""

    def __init__(self, context: PaneContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._store: RunStore | None = None
        self._known: dict[RuleKey, int] = {}
        self._wanted: RuleKey | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_WAIT_MS)
        self._later.timeout.connect(self._fire)
        context.store_changed.connect(self._on_store_changed)

    def _on_store_changed(self) -> None:
        if self._context.store is None:
            self._store, self._known = None, {}

    def longest(self, processor: str, pattern: str, flags: str) -> int | None:
        """The longest match in what the processor was given as stream text.

        None: nothing matches, or it is not known (yet): no finished run, a text that is too long,
        a search that takes too long.
        """
        store = self._context.store
        if store is not self._store:
            self._store, self._known = store, {}
        key = (processor, pattern, flags)
        if key not in self._known and store is not None and store.over:
            self._wanted = key
            self._later.start()
        return self._known.get(key) or None

    def _fire(self) -> None:
        if self._wanted is not None and self._store is not None and self._context.tasks.ready:
            self._context.tasks.start(self._work(self._store, self._wanted), "reach of a rule")

    async def _work(self, store: RunStore, key: RuleKey) -> None:
        found = await in_thread(_longest, _texts(store, key[0]), key[1], key[2])
        if store is self._store:
            self._known[key] = found
            self.changed.emit()


def _texts(store: RunStore, processor: str) -> list[str]:
    """What a processor was given, block by block; none if it is too much to search."""
    flows = [
        flow
        for block in store.blocks.values()
        if block.kind == "text"
        for flow in block.flows
        if flow.processor == processor
    ]
    if sum(flow.given.length for flow in flows) > _MOST_UNITS:
        return []
    return [flow.given.text for flow in flows]


def _longest(texts: list[str], pattern: str, flags: str) -> int:
    try:
        made = patterns.compile(pattern, flags)
        lengths = [
            match.length for text in texts for match in made.find_all(text, timeout=_SECONDS)
        ]
    except (patterns.PatternError, patterns.MatchTimeout):
        return 0
    return max(lengths, default=0)
