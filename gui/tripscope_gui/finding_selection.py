"""From a finding to the selection that shows it in every pane."""

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
