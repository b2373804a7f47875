"""What is selected when a run has ended and nobody has selected anything in it yet."""

from __future__ import annotations

from collections.abc import Iterable

from tripscope.trace.checks import Check
from tripscope.trace.events import HookCalled
from tripscope_gui.bars.block_bar import deciding_call, deciding_finding
from tripscope_gui.context import PaneContext
from tripscope_gui.finding_selection import carried, selection_of
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.workspace import Run


def selection_at_end(
    context: PaneContext, run: Run, checks: Iterable[Check]
) -> Selection | Check | None:
    """What a person will ask for first.

    In a replay the place looked at in the run that it replays; else what ended the run, the first
    check that fails (it knows its place), or the first finding.
    """
    store = run.store
    parent = context.workspace.by_number(run.parent)
    if parent is not None:
        before = context.last_selection(parent)
        same = carried(before, parent.store, store, run.number)
        if same is not None:
            return same
    finding = deciding_finding(store)
    call = deciding_call(store) if store.status in ("blocked", "error") else None
    if call is not None and finding is None:
        return _of_call(run.number, store, call)
    failing = _failing(checks) if call is None else None
    if failing is not None:
        return failing
    finding = finding or (store.findings[0] if store.findings else None)
    return selection_of(run.number, store, finding) if finding is not None else None


def _failing(checks: Iterable[Check]) -> Check | None:
    failures = [check for check in checks if check.verdict == "fail" and check.place is not None]
    # one that names a rule tells more
    failures.sort(key=lambda check: check.place is None or check.place.rule is None)
    return failures[0] if failures else None


def _of_call(run: int, store: RunStore, call: HookCalled) -> Selection:
    row = store.rows.of_index(call.index)
    return Selection(
        run=run,
        step=call.step,
        attempt=call.attempt,
        hook=call.hook,
        processor=call.processor,
        row=row.number if row is not None else None,
        seq=call.seq,
    )
