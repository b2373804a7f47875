"""A part of a message as it goes through one hook of all processors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tripscope.trace.blocks import Block
from tripscope.trace.events import FindingMade, HookCalled, MessagesChanged
from tripscope.trace.flows import Flow
from tripscope.wire import JSON
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.calls import STOPPING
from tripscope_gui.store.followed import Followed, MessageSource
from tripscope_gui.store.text_replacing import intervals_between


def follow_message(
    store: RunStore, source: MessageSource, findings: Sequence[FindingMade]
) -> Followed | None:
    """Put its block together; None if the run doesn't have it. ``findings``: those in it."""
    before: tuple[str, str] | None = None
    now: tuple[str, str] | None = None
    block = Block((source.step, source.attempt, "message", source.message), closed=True)
    cuts: dict[str, HookCalled] = {}
    for event in _relevant(store, source):
        if isinstance(event, MessagesChanged):
            found = _text_of(store, event, source)
            # a list that a call of this hook left comes just before that call's own event
            if event.hook == source.hook and event.processor is not None:
                now = found or now
            elif not block.flows:
                before = now = found or now
            continue
        if now is None:
            continue
        if not block.model.texts:
            block.model.add(0, (before or now)[1])
        made = [f for f in findings if f.processor == event.processor]
        _called(block, event, now[1], made, cuts)
    if now is None:
        return None
    if not block.model.texts:
        block.model.add(0, now[1])
    block.delivered.add(0, block.flows[-1].out.text if block.flows else now[1])
    return Followed(source, block, findings, cuts, now[0])


def _relevant(store: RunStore, source: MessageSource) -> Iterator[MessagesChanged | HookCalled]:
    """Message lists, and calls of the hook, in order."""
    calls = [
        event
        for (_, hook), tally in store.calls.tallies.items()
        if hook == source.hook
        for seq in tally.seqs
        if isinstance(event := store.event(seq), HookCalled)
        and (event.step, event.attempt) == (source.step, source.attempt)
    ]
    both: list[MessagesChanged | HookCalled] = [*store.messages, *calls]
    yield from sorted(both, key=lambda event: event.seq)


def _called(
    block: Block,
    event: HookCalled,
    text: str,
    findings: Sequence[FindingMade],
    cuts: dict[str, HookCalled],
) -> None:
    before = block.flows[-1].out.text if block.flows else block.model.text
    flow = Flow(event.processor or "", probed=True)
    flow.given.add(0, before)
    block.flows.append(flow)
    if event.outcome in STOPPING:
        flow.refused = flow.given.length
        cuts[flow.processor] = event
        return
    flow.out.add(0, text)
    flow.intervals.extend(intervals_between(before, text, findings))


def _text_of(
    store: RunStore, event: MessagesChanged, source: MessageSource
) -> tuple[str, str] | None:
    for message, role, part, text in message_texts(store, event):
        if (message, part) == (source.message, source.part):
            return role, text
    return None


def message_texts(store: RunStore, event: MessagesChanged) -> Iterator[tuple[str, str, int, str]]:
    """(message id, role, part number, text) of the list's text parts."""
    for key, _source, wire in store.message_wires(event):
        if not isinstance(wire, dict):
            continue
        parts = _parts(wire)
        for number, part in enumerate(parts):
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield key.rpartition("@")[0], str(wire.get("role", "")), number, part["text"]


def _parts(wire: dict[str, JSON]) -> Sequence[JSON]:
    content = wire.get("content")
    parts = content.get("parts") if isinstance(content, dict) else content
    return parts if isinstance(parts, list | tuple) else ()
