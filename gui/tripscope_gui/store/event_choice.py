"""Which event a selection means."""

from __future__ import annotations

from tripscope.trace.events import AnyEvent
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection


def event_of(store: RunStore, selection: Selection) -> AnyEvent | None:
    """The event itself if one is named; else the finding, call, chunk or attempt selected."""
    for seq in (selection.seq, selection.finding):
        if (event := store.event(seq)) is not None:
            return event
    if selection.row is not None and selection.row < len(store.rows):
        row = store.rows[selection.row]
        for call in row.calls:
            if call.processor == selection.processor:
                return call
        if row.model is not None:
            return row.model
        return row.calls[0] if row.calls else row.delivered[0] if row.delivered else None
    if selection.processor is not None and selection.hook is not None:
        tally = store.calls.get(selection.processor, selection.hook)
        if tally is not None and tally.seqs:
            return store.event(tally.seqs[-1])
    attempt = store.attempts.get(selection.step, selection.attempt)
    return store.event(attempt.first_seq) if attempt is not None else None
