"""From an event to the selection that shows it in every pane, and to a sentence about it."""

from __future__ import annotations

from tripscope.trace.events import (
    AdvisoryRaised,
    AnyEvent,
    Delivered,
    FindingMade,
    HookCalled,
    ModelChunk,
    ModelRequested,
    ToolStarted,
)
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection


def selection_for(store: RunStore, run: int | None, event: AnyEvent) -> Selection:
    """Everything that an event tells of where it stands."""
    if isinstance(event, FindingMade):
        return selection_of(run, store, event)
    if isinstance(event, AdvisoryRaised):
        about = store.event(event.about)
        if about is not None and not isinstance(about, AdvisoryRaised):
            return selection_for(store, run, about)
    row = None
    if isinstance(event, ModelChunk | HookCalled | Delivered):
        row = store.rows.of_index(event.index)
    return Selection(
        run=run,
        step=event.step,
        attempt=event.attempt,
        hook=event.hook,
        processor=event.processor,
        row=row.number if row is not None else None,
        seq=event.seq,
    )


def event_words(store: RunStore, event: AnyEvent) -> str:
    """One short sentence about an event."""
    at = f"at {event.time / 1e6:,.2f} ms"
    match event:
        case HookCalled():
            held = f", holds {event.held} UTF-16 units" if event.held else ""
            length = f"{event.duration / 1e6:,.3f} ms"
            return f"{event.processor}, {event.hook}: {event.outcome}, {length}{held}, {at}"
        case ModelChunk() | Delivered():
            row = store.rows.of_index(event.index)
            who = "the model" if isinstance(event, ModelChunk) else "the client"
            number = f"chunk {row.label}, " if row is not None else ""
            verb = "from" if isinstance(event, ModelChunk) else "to"
            return f"{number}{event.chunk.type} {verb} {who}, {at}"
        case ModelRequested():
            return f"request {event.call + 1} to {event.model}, {at}"
        case ToolStarted():
            return f"tool {event.tool_name}, {at}"
        case FindingMade():
            span = f"{event.start}\N{EN DASH}{event.end} UTF-16"
            return f"{event.rule} of {event.processor}: {event.outcome}, {span}, {at}"
        case AdvisoryRaised():
            return f"{event.row}: {event.sentence}"
        case _:
            return f"{event.kind}, {at}"
