"""From a finding to the selection that shows it in every pane, and from run to run."""

from __future__ import annotations

from tripscope.trace.events import FindingMade
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection, Span


def selection_of(run: int | None, store: RunStore, finding: FindingMade) -> Selection:
    """Step, attempt, hook, processor, chunk row, rule and span of a finding.

    The span counts UTF-16 units of the text that its processor was given.
    """
    row = store.rows.of_index(finding.index)
    block = store.block_of_finding(finding)
    return Selection(
        run=run,
        step=finding.step,
        attempt=finding.attempt,
        hook=finding.hook,
        processor=finding.processor,
        row=row.number if row is not None else None,
        finding=finding.seq,
        rule=finding.rule,
        span=Span(
            finding.start,
            finding.end,
            column=finding.processor or "",
            block=block.key[3] if block is not None else finding.block,
            message=finding.message_id,
            part=finding.part_index,
        ),
    )


def carried(selection: Selection, before: RunStore, after: RunStore, run: int) -> Selection | None:
    """The same place in a replay; None if it is gone.

    That is the same finding, else the same rule's finding that has most of that text, else the
    same chunk.
    """
    finding = before.event(selection.finding)
    if isinstance(finding, FindingMade):
        return _same_finding(selection_of(run, before, finding), after, run)
    if selection.rule is not None and selection.span is not None:
        found = _same_finding(selection, after, run)
        if found is not None:
            return found
    if selection.row is None or selection.row >= len(after.rows):
        return None
    old, new = before.rows[selection.row], after.rows[selection.row]
    if (old.step, old.attempt, old.type) != (new.step, new.attempt, new.type):
        return None
    return selection.with_(run=run, seq=None, finding=None)


def _same_finding(wanted: Selection, after: RunStore, run: int) -> Selection | None:
    """The finding of the same rule there that shares most units with the span; None if none."""
    span = wanted.span
    assert span is not None
    place = (wanted.processor, wanted.hook, wanted.step, wanted.attempt, wanted.rule, span.block)
    best: FindingMade | None = None
    most = (0, 0)
    for finding in after.findings:
        shared = min(finding.end, span.end) - max(finding.start, span.start)
        # of two that have all of it, the shorter one
        worth = (shared, finding.start - finding.end)
        if shared > 0 and (best is None or worth > most) and _place(after, finding) == place:
            best, most = finding, worth
    return selection_of(run, after, best) if best is not None else None


def _place(store: RunStore, finding: FindingMade) -> tuple[object, ...]:
    head = (finding.processor, finding.hook, finding.step, finding.attempt)
    block = store.block_of_finding(finding)
    return (*head, finding.rule, block.key[3] if block is not None else finding.block)
