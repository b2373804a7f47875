"""Texts that can be followed along the chain: a stream's block, or a part of a message.

Both are told as a `Block`: what was there first, what each processor was given and let out, what
arrived. For messages the block is put together here from the versions that the trace holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tripscope.patterns.units import from_utf16_offset, utf16_len
from tripscope.processor import Interval
from tripscope.trace.blocks import Block, BlockKey, Flow
from tripscope.trace.events import FindingMade, HookCalled, MessagesChanged
from tripscope.wire import JSON
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.chunk_rows import CLIENT, MODEL


@dataclass(frozen=True, slots=True)
class StreamSource:
    """A text or reasoning block of one attempt."""

    key: BlockKey

    @property
    def place(self) -> str:
        """``step 1 · attempt 2``."""
        step, attempt = self.key[:2]
        return (
            "outside the steps"
            if step is None
            else f"step {step} \u00b7 attempt {(attempt or 0) + 1}"
        )

    @property
    def title(self) -> str:
        """Its place, with what tells it from other blocks there."""
        return f"{self.place} \u00b7 {self.key[2]} {self.key[3]}"


@dataclass(frozen=True, slots=True)
class MessageSource:
    """A text part of a message as it goes through one hook of all processors."""

    hook: str
    message: str
    part: int = 0
    step: int | None = None
    attempt: int | None = None

    @property
    def title(self) -> str:
        """``processInput · m1``."""
        words = f"{self.hook} \u00b7 {self.message}"
        return f"{words} \u00b7 part {self.part}" if self.part else words


Source = StreamSource | MessageSource


@dataclass(slots=True)
class Followed:
    """A source with its block; ``cuts`` are the calls that let nothing through, by processor."""

    source: Source
    block: Block
    findings: Sequence[FindingMade] = ()
    cuts: dict[str, HookCalled] = field(default_factory=dict)
    role: str = ""

    @property
    def points(self) -> list[tuple[str, str]]:
        """(column, title) of each point, in order."""
        if isinstance(self.source, StreamSource):
            first, last = (MODEL, "model"), [(CLIENT, "client")]
        else:
            words = "prompt, as sent" if self.source.hook == "processInput" else "as it came"
            first, last = (MODEL, words), []
        flows = [(flow.processor, flow.processor) for flow in self.block.flows]
        return [first, *flows, *last]


def stream_sources(store: RunStore) -> list[StreamSource]:
    """All blocks in order of their beginning."""
    return [StreamSource(key) for key in store.blocks]


def message_sources(store: RunStore) -> list[MessageSource]:
    """Texts of messages that a hook could change: those of the prompt, and of any finding."""
    found: dict[MessageSource, None] = {}
    if store.messages and any(p.runs_in("processInput") for p in store.chain):
        for message, _role, part, _text in _texts(store, store.messages[0]):
            found[MessageSource("processInput", message, part)] = None
    for finding in store.findings:
        source = source_of_finding(store, finding)
        if isinstance(source, MessageSource):
            found[source] = None
    return list(found)


def source_of_finding(store: RunStore, finding: FindingMade) -> Source | None:
    """The text that a finding lies in; None if the trace doesn't name it."""
    if finding.block is not None:
        block = store.block_of_finding(finding)
        return StreamSource(block.key) if block is not None else None
    if finding.message_id is not None and finding.hook is not None:
        part = finding.part_index or 0
        return MessageSource(finding.hook, finding.message_id, part, finding.step, finding.attempt)
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
    blocks = [s for s in stream_sources(store) if s.key[2] == "text"] or stream_sources(store)
    if blocks:
        return blocks[-1]
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
    return _follow_message(store, source)


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


def _follow_message(store: RunStore, source: MessageSource) -> Followed | None:
    before: tuple[str, str] | None = None
    now: tuple[str, str] | None = None
    block = Block((source.step, source.attempt, "message", source.message), closed=True)
    cuts: dict[str, HookCalled] = {}
    findings = [f for f in store.findings if source_of_finding(store, f) == source]
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
    if event.outcome in ("blocked", "errored", "timed-out"):
        flow.refused = flow.given.length
        cuts[flow.processor] = event
        return
    flow.out.add(0, text)
    flow.intervals.extend(intervals_between(before, text, findings))


def intervals_between(before: str, after: str, findings: Sequence[FindingMade]) -> list[Interval]:
    """How ``before`` became ``after``: by the replacements of the findings, if these explain it."""
    told = _replaced(before, after, findings)
    if told is not None:
        return told
    start = _shared(before, after)
    tail = _shared(before[start:][::-1], after[start:][::-1])
    length, out_length = utf16_len(before), utf16_len(after)
    head, end = utf16_len(before[:start]), utf16_len(before[len(before) - tail :]) if tail else 0
    found: list[Interval] = []
    if head:
        found.append((0, head, 0, head, None))
    if length - end > head or out_length - end > head:
        found.append((head, length - end, head, out_length - end, ""))
    if end:
        found.append((length - end, length, out_length - end, out_length, None))
    return found


def _replaced(before: str, after: str, findings: Sequence[FindingMade]) -> list[Interval] | None:
    used = sorted(
        (f for f in findings if f.replacement is not None and f.winner is None),
        key=lambda f: f.start,
    )
    found: list[Interval] = []
    at = out = 0
    text: list[str] = []
    for finding in used:
        if finding.start < at:
            continue
        replacement = finding.replacement or ""
        passed = finding.start - at
        if passed:
            found.append((at, finding.start, out, out + passed, None))
            text.append(_units(before, at, finding.start))
        out += passed
        width = utf16_len(replacement)
        found.append((finding.start, finding.end, out, out + width, finding.rule))
        text.append(replacement)
        out += width
        at = finding.end
    length = utf16_len(before)
    if length > at:
        found.append((at, length, out, out + length - at, None))
        text.append(_units(before, at, length))
    return found if "".join(text) == after else None


def _units(text: str, start: int, end: int) -> str:
    return text[from_utf16_offset(text, start) : from_utf16_offset(text, end)]


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _text_of(
    store: RunStore, event: MessagesChanged, source: MessageSource
) -> tuple[str, str] | None:
    for message, role, part, text in _texts(store, event):
        if (message, part) == (source.message, source.part):
            return role, text
    return None


def _texts(store: RunStore, event: MessagesChanged) -> Iterator[tuple[str, str, int, str]]:
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
