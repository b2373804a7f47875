"""What helps against the finding or the failing check that is looked at; worked out when idle.

Every remedy was tried on the run's own text before it is shown: see `tripscope.session.remedies`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope_gui.context import PaneContext
from tripscope_gui.pacer import Pacer
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.finding_rows import FindingRow
from tripscope_gui.threads import in_thread

if TYPE_CHECKING:
    from tripscope.session.model import Session
    from tripscope.session.remedies import Advice, Remedy
    from tripscope.trace.blocks import Block
    from tripscope.trace.events import AnyEvent

_WAIT_MS: Final = 250
"""A replay and its views come first."""


class AdviceDesk(QObject):
    """Advice on one row of the findings, or on the run where none is chosen."""

    changed = Signal()

    def __init__(self, context: PaneContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.advice: Advice | None = None
        self._row: FindingRow | None = None
        self._asked = 0
        self._applied: set[str] = set()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_WAIT_MS)
        self._later.timeout.connect(self._fire)
        context.session.changed.connect(self._again)
        context.store_changed.connect(self._on_store_changed)

    def _on_store_changed(self) -> None:
        if self._context.store is None:
            self._row = None
            self.forget()

    @property
    def undo_words(self) -> str:
        """What was applied here last and can be taken back; empty if something came after it."""
        words = self._context.session.undo_stack.undoText()
        return words if words in self._applied else ""

    def ask(self, row: FindingRow | None) -> None:
        """Look into a row, or into the run as a whole."""
        if row is not self._row or self.advice is None:
            self._row = row
            self.forget()
            self._later.start()

    def forget(self) -> None:
        """Another run, or nobody looks."""
        self._asked += 1
        self._later.stop()
        if self.advice is not None:
            self.advice = None
            self.changed.emit()

    def apply(self, remedy: Remedy) -> None:
        """Make its change, as one step that can be undone; without one, replay."""
        if remedy.session is None:
            self._context.actions.trigger("run.replay")
            return
        self._applied.add(remedy.edit)
        self._context.session.edit(remedy.edit, remedy.session)

    def undo(self) -> None:
        """Take the last change back."""
        if self.undo_words:
            self._context.session.undo_stack.undo()

    def _again(self) -> None:
        if self.advice is not None or self._later.isActive():
            self._later.start()

    def _fire(self) -> None:
        store, session = self._context.store, self._context.session.session
        if store is None or session is None or not store.over or self._context.runs.running:
            return
        self._asked += 1
        # the row of this store: the one that is chosen next may be of another run
        work = self._work(self._asked, session, store, self._row)
        self._context.tasks.start(work, "look for remedies")

    async def _work(
        self, number: int, session: Session, store: RunStore, row: FindingRow | None
    ) -> None:
        await in_thread(_load)
        if row is None:
            advice = await _on_run(session, store)
        else:
            advice = await _on_row(session, store, row)
        if number == self._asked and store is self._context.store:
            self.advice = advice
            self.changed.emit()


def _load() -> None:
    """Import what looks for remedies: it takes longer than two frames."""
    import tripscope.session.remedies  # noqa: F401


async def _on_row(session: Session, store: RunStore, row: FindingRow) -> Advice:
    from tripscope.session import remedies

    event, leak = row.event, row.leak
    processor = event.processor or ""
    if leak is not None:
        match = (leak.rule, leak.start, leak.end)
        block = store.blocks[leak.block]
        return await remedies.for_leak(session, block, processor, match, pace=Pacer())
    if event.outcome in ("blocked", "flagged"):
        text, span = row.texts.of(event), (event.start, event.end)
        return await in_thread(
            remedies.for_finding,
            session,
            processor,
            event.rule,
            event.outcome,
            text,
            span,
            hook=event.hook or "",
        )
    if event.outcome == "timed-out":
        text = row.texts.of(event)
        return await in_thread(remedies.for_time_out, session, processor, event.rule, text)
    return remedies.Advice()


async def _on_run(session: Session, store: RunStore) -> Advice:
    from tripscope.session import remedies
    from tripscope.session.remedies.changes import MOST_UNITS

    found: list[Remedy] = []
    why = ""
    blocks = list(store.blocks.values())
    described = list(store.events[:1])
    # what is too long to be tried is not gone through either
    if sum(block.model.length for block in blocks) > MOST_UNITS:
        return remedies.Advice()
    wrong = await in_thread(_first_unequal, blocks, described)
    if wrong is not None:
        block, processor = wrong
        advice = await remedies.for_leak(session, block, processor, None, pace=Pacer())
        why, found = advice.why, [*advice.remedies]
    left = [block.delivered.text for block in blocks if block.kind == "text"]
    results = [run.ended.result for run in store.tools if run.ended is not None]
    for work, given in ((remedies.for_off, left), (remedies.for_tool_results, results)):
        if given:
            found += (await in_thread(work, session, given)).remedies
    return remedies.Advice(why, tuple(found))


def _first_unequal(
    blocks: Sequence[Block], described: Sequence[AnyEvent]
) -> tuple[Block, str] | None:
    """The first block of which a filter let out something else than its rules make of it."""
    from tripscope.processor import RuleBased
    from tripscope.trace import checks
    from tripscope.trace.rebuild import rebuild_processors

    try:
        rules: dict[str, Any] = rebuild_processors(described)
    except ValueError:  # a trace from elsewhere may describe what cannot be built here
        return None
    kept = {name: p for name, p in rules.items() if isinstance(p, RuleBased)}
    for block in blocks:
        found = checks.joined([block], kept)
        if found.verdict == "fail" and found.place is not None and found.place.processor:
            return block, found.place.processor
    return None
