"""Hits, time and time-outs of the rules in the run that is looked at."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from tripscope.trace.rule_costs import RuleCost, RuleCosts
from tripscope_gui.context import PaneContext
from tripscope_gui.store.rule_edits import RuleRow


class RunCosts(QObject):
    """Follows the run; each finding and span is counted once.

    While a run is at work it waits for a turn as a view does: who shows costs paints them then.
    """

    changed = Signal()
    """Ask `of` anew."""

    def __init__(self, context: PaneContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._counted = (0, 0)
        self._costs = RuleCosts()
        context.store_changed.connect(self._on_store)
        context.events_appended.connect(self._on_events)
        self._count()

    def of(self, row: RuleRow) -> RuleCost:
        """The costs of a rule; all zero where nothing was told of it."""
        return self._costs.of(row.processor, row.rule.name)

    def _on_store(self) -> None:
        self._counted = (0, 0)
        self._costs = RuleCosts()
        self._count()
        self.changed.emit()

    def _on_events(self, _first: int, _end: int) -> None:
        turns = self._context.turns
        if turns.on:
            turns.ask(self._take_news)
        else:
            self._take_news()

    def _take_news(self) -> None:
        if self._count():
            self.changed.emit()

    def _count(self) -> bool:
        store = self._context.store
        if store is None:
            return False
        before, now = self._counted, (len(store.findings), len(store.spans))
        for finding in store.findings[before[0] :]:
            self._costs.found(finding)
        for span in store.spans[before[1] :]:
            self._costs.span(span)
        self._counted = now
        return now != before
