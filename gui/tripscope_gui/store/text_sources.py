"""Which texts a run has, and which one a selection speaks of."""

from __future__ import annotations

from tripscope.trace.blocks import Block
from tripscope.trace.events import FindingMade, HookCalled
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.followed import (
    Followed,
    MessageSource,
    Source,
    StreamSource,
    ToolSource,
)
from tripscope_gui.store.message_following import follow_message, message_texts
from tripscope_gui.store.tool_following import follow_tool


def stream_sources(store: RunStore) -> list[StreamSource]:
    """All blocks in order of their beginning."""
    return [StreamSource(key) for key in store.blocks]


def message_sources(store: RunStore) -> list[MessageSource]:
    """Texts of messages that a hook could change: those of the prompt, and of any finding."""
    found: dict[MessageSource, None] = {}
    if store.messages and any(p.runs_in("processInput") for p in store.chain):
        for message, _role, part, _text in message_texts(store, store.messages[0]):
            found[MessageSource("processInput", message, part)] = None
    for finding in store.findings:
        source = _source_in_one_piece(finding)
        if isinstance(source, MessageSource):
            found[source] = None
    return list(found)


def tool_sources(store: RunStore) -> list[ToolSource]:
    """Strings of tool results that a rule matched in."""
    found: dict[ToolSource, None] = {}
    for finding in store.findings:
        source = _source_in_one_piece(finding)
        if isinstance(source, ToolSource):
            found[source] = None
    return list(found)


def source_of_finding(store: RunStore, finding: FindingMade) -> Source | None:
    """The text that a finding lies in; None if the trace doesn't name it."""
    if finding.block is not None:
        block = store.block_of_finding(finding)
        return StreamSource(block.key) if block is not None else None
    return _source_in_one_piece(finding)


def _source_in_one_piece(finding: FindingMade) -> MessageSource | ToolSource | None:
    """The message or tool result that a finding lies in; its stream, if any, is not looked up."""
    if finding.block is not None:
        return None
    if finding.message_id is not None and finding.hook is not None:
        part = finding.part_index or 0
        return MessageSource(finding.hook, finding.message_id, part, finding.step, finding.attempt)
    if finding.tool_call_id is not None and finding.path is not None:
        return ToolSource(finding.tool_call_id, finding.path, finding.step, finding.attempt)
    return None


def source_of(store: RunStore, selection: Selection) -> Source | None:
    """The text that a selection speaks of; None if it speaks of none."""
    finding = store.event(selection.finding)
    found = source_of_finding(store, finding) if isinstance(finding, FindingMade) else None
    if found is not None:
        return found
    span = selection.span
    if span is not None and span.message is not None and selection.hook is not None:
        message = span.message.partition("@")[0]
        return MessageSource(
            selection.hook, message, span.part or 0, selection.step, selection.attempt
        )
    if selection.row is not None and selection.row < len(store.rows):
        block = store.block_of(store.rows[selection.row])
        if block is not None and block.key in store.blocks:
            return StreamSource(block.key)
    if selection.hook is not None and selection.hook != "processOutputStream":
        found = next((s for s in message_sources(store) if s.hook == selection.hook), None)
        if found is not None:
            return found
    return _of_attempt(store, selection.step, selection.attempt)


def first_source(store: RunStore) -> Source | None:
    """What to show when nothing is selected: the newest text, else the prompt."""
    newest = next((key for key in reversed(store.blocks) if key[2] == "text"), None)
    newest = newest or next(reversed(store.blocks), None)
    if newest is not None:
        return StreamSource(newest)
    messages = message_sources(store)
    return messages[-1] if messages else None


def _of_attempt(store: RunStore, step: int | None, attempt: int | None) -> Source | None:
    if step is None:
        return None
    keys = [k for k in store.blocks if k[0] == step and (attempt is None or k[1] == attempt)]
    texts = [key for key in keys if key[2] == "text"] or keys
    return StreamSource(texts[-1]) if texts else None


def follow_source(store: RunStore, source: Source) -> Followed | None:
    """Put the block of a source together; None if the run doesn't have it."""
    if isinstance(source, StreamSource):
        block = store.blocks.get(source.key)
        return Followed(source, block, cuts=_stream_cuts(store, block)) if block else None
    findings = [f for f in store.findings if _source_in_one_piece(f) == source]
    if isinstance(source, ToolSource):
        return follow_tool(store, source, findings)
    return follow_message(store, source, findings)


def _stream_cuts(store: RunStore, block: Block) -> dict[str, HookCalled]:
    """The call at which each processor cut the block off."""
    cuts: dict[str, HookCalled] = {}
    for flow in block.flows:
        if not flow.refused or not flow.given.indexes:
            continue
        row = store.rows.of_index(flow.given.indexes[-1])
        for call in row.calls if row is not None else ():
            if call.processor == flow.processor and call.out is None:
                cuts[flow.processor] = call
    return cuts
