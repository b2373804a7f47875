"""The text that a finding's offsets count in, and those offsets in code points and UTF-8 bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, TypeAlias

from tripscope.patterns.units import OffsetMap, utf8_offset, utf16_len
from tripscope.tool_texts import texts_of
from tripscope.trace.events import FindingMade, ToolEnded
from tripscope.wire import JSON
from tripscope_gui.run_store import RunStore

Offsets: TypeAlias = tuple[int, int]
_MANY: Final = 10_000


def behind(store: RunStore) -> bool:
    """Whether so much waits to be put into blocks that asking for them would be felt."""
    return store.collect(0) > _MANY


class GivenTexts:
    """Finds the text of a finding; the texts of stream blocks are kept while they don't grow."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._kept: dict[tuple[object, ...], tuple[str, OffsetMap]] = {}

    def of(self, finding: FindingMade) -> str | None:
        """What the processor was given there, or None if the trace doesn't tell.

        For a stream: all text of the block so far. Otherwise: the message's part.
        """
        if finding.block is not None:
            found = self._block(finding, finding.end)
            return found[0] if found is not None else None
        if finding.message_id is not None and finding.part_index is not None:
            return self._message_part(finding)
        if finding.tool_call_id is not None and finding.path is not None:
            return self._tool_text(finding.tool_call_id, finding.path, finding.seq)
        texts = list(self._candidates(finding))
        return texts[0] if len(texts) == 1 else None

    def value(self, finding: FindingMade) -> str | None:
        """The matched text itself."""
        if finding.value is not None:
            return finding.value
        text = self.of(finding)
        if text is None:
            return None
        places = self._map(finding, text)
        return text[places.to_index(finding.start) : places.to_index(finding.end)]

    def code_points(self, finding: FindingMade) -> Offsets | None:
        """The finding's span in code points; None if its text isn't on record."""
        text = self.of(finding)
        if text is None:
            return self._if_ascii(finding)
        places = self._map(finding, text)
        return places.to_index(finding.start), places.to_index(finding.end)

    def utf8(self, finding: FindingMade) -> Offsets | None:
        """The finding's span in UTF-8 bytes; None if its text isn't on record."""
        points = self.code_points(finding)
        text = self.of(finding)
        if points is None or text is None:
            return points
        return utf8_offset(text, points[0]), utf8_offset(text, points[1])

    def _map(self, finding: FindingMade, text: str) -> OffsetMap:
        found = self._block(finding, finding.end) if finding.block is not None else None
        return found[1] if found is not None else OffsetMap(text)

    def _block(self, finding: FindingMade, end: int) -> tuple[str, OffsetMap] | None:
        block = None if behind(self._store) else self._store.block_of_finding(finding)
        if block is None:
            return None
        key = (block.key, finding.processor)
        kept = self._kept.get(key)
        if kept is not None and kept[1].to_utf16(len(kept[0])) >= end:
            return kept
        for flow in block.flows:
            if flow.processor == finding.processor and flow.given.length >= end:
                text = flow.given.text
                self._kept[key] = (text, OffsetMap(text))
                return self._kept[key]
        return None

    def _message_part(self, finding: FindingMade) -> str | None:
        events = self._store.messages
        place = bisect_left(events, finding.seq, key=lambda event: event.seq)
        for event in reversed(events[:place]):
            for key, _source in event.order:
                if key.rpartition("@")[0] == finding.message_id:
                    parts = message_parts(self._store.message_versions.get(key))
                    number = finding.part_index or 0
                    return part_text(parts[number]) if number < len(parts) else None
        return None

    def _tool_text(self, call: str, path: str, seq: int) -> str | None:
        """The string at a path of a tool's result, as it stood before an event."""
        result = self._result_in_messages(call, seq)
        if result is None:
            ended = [run.ended for run in self._store.tools if run.started.tool_call_id == call]
            result = next((e.result for e in reversed(ended) if e and e.seq < seq), None)
        return next((text for at, text in texts_of(result) if at == path), None)

    def _result_in_messages(self, call: str, seq: int) -> JSON:
        """What an earlier processor made of it; None if it stands in no message yet."""
        events = self._store.messages
        place = bisect_left(events, seq, key=lambda event: event.seq)
        for key, _source in reversed(events[place - 1].order if place else ()):
            for part in message_parts(self._store.message_versions.get(key)):
                told = part.get("toolInvocation") if isinstance(part, dict) else None
                if isinstance(told, dict) and told.get("toolCallId") == call:
                    return told.get("result")
        return None

    def _candidates(self, finding: FindingMade) -> Iterator[str]:
        """Texts that could be meant where a finding names neither block nor message."""
        if finding.hook == "processToolResult":
            ended = [run.ended for run in self._store.tools if run.ended is not None]
            before = [event for event in ended if event.seq < finding.seq]
            if before:
                yield from (text for text in _strings(before[-1]) if len(text) >= finding.end)
            return
        if finding.hook == "processOutputStep":
            yield from self._text_of_attempt(finding)
            return
        events = self._store.messages
        place = bisect_left(events, finding.seq, key=lambda event: event.seq)
        for key, _source in reversed(events[place - 1].order if place else ()):
            wire = self._store.message_versions.get(key)
            if isinstance(wire, dict) and wire.get("role") == "assistant":
                texts = [part_text(part) for part in message_parts(wire)]
                yield "".join(text for text in texts if text is not None)
                return

    def _text_of_attempt(self, finding: FindingMade) -> Iterator[str]:
        """What the hook is given beside the messages: the text that was delivered."""
        if not behind(self._store):
            place = (finding.step, finding.attempt, "text")
            blocks = self._store.blocks
            text = "".join(blocks[key].delivered.text for key in blocks if key[:3] == place)
            if utf16_len(text) >= finding.end:
                yield text

    def _if_ascii(self, finding: FindingMade) -> Offsets | None:
        """Where only ASCII text can be meant, all units agree."""
        texts = list(self._candidates(finding))
        if texts and all(text.isascii() for text in texts):
            return finding.start, finding.end
        return None


def message_parts(wire: JSON) -> list[JSON]:
    """The parts of a message's wire form; a plain string is one text part."""
    content = wire.get("content") if isinstance(wire, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    parts = content.get("parts") if isinstance(content, dict) else content
    return list(parts) if isinstance(parts, list | tuple) else []


def part_text(part: JSON) -> str | None:
    """The text of a text or reasoning part, or None."""
    if not isinstance(part, dict):
        return None
    text = part.get("text", part.get("reasoning"))
    return text if isinstance(text, str) else None


def _strings(event: ToolEnded) -> Iterator[str]:
    stack: list[JSON] = [event.result]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list | tuple):
            stack.extend(value)
