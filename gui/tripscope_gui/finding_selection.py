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
            block=finding.block,
            message=finding.message_id,
            part=finding.part_index,
        ),
    )


def carried(selection: Selection, before: RunStore, after: RunStore, run: int) -> Selection | None:
    """The same place in a replay: the same finding, else the same chunk; None if it is gone."""
    finding = before.event(selection.finding)
    if isinstance(finding, FindingMade):
        return next(
            (
                selection_of(run, after, other)
                for other in after.findings
                if _place(other) == _place(finding)
            ),
            None,
        )
    if selection.row is None or selection.row >= len(after.rows):
        return None
    old, new = before.rows[selection.row], after.rows[selection.row]
    if (old.step, old.attempt, old.type) != (new.step, new.attempt, new.type):
        return None
    return selection.with_(run=run, seq=None, finding=None)


def _place(finding: FindingMade) -> tuple[object, ...]:
    head = (finding.processor, finding.hook, finding.step, finding.attempt)
    return (*head, finding.block, finding.rule, finding.start, finding.end)
