"""Rows of the findings table: what rules matched, and what left before it was decided."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, overload

from tripscope.trace.blocks import Block
from tripscope.trace.events import FindingMade
from tripscope.trace.leaks import Leak
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.given_text import GivenTexts, Offsets, behind
from tripscope_gui.store.origins import model_indexes

_NEAR: Final = 16
DASH: Final = "\N{EN DASH}"
_HOOK_WORDS: Final = {
    "processInputStep": "input",
    "processLLMRequest": "request",
    "processLLMResponse": "response",
    "processOutputStep": "output",
    "processToolResult": "tool",
}
_Group: TypeAlias = tuple[object, ...]


@dataclass(eq=False, slots=True)
class FindingRow:
    """One row. ``event`` is a made-up finding for a leak, which no event tells of.

    ``peers``: the findings of the same text in order; ``place``: its own among them.
    """

    event: FindingMade
    texts: GivenTexts
    store: RunStore
    peers: list[FindingRow]
    place: int
    leak: Leak | None = None
    _chunks: str | None = None
    _points: Offsets | None = None
    _bytes: Offsets | None = None
    _worked_out: bool = False

    @property
    def seq(self) -> int | None:
        """The event's number; None for a leak."""
        return None if self.leak is not None else self.event.seq

    @property
    def at_seq(self) -> int:
        """Number of the event where it stands in the run; for a leak, where it left."""
        row = self.store.rows.of_index(self.event.index) if self.leak is not None else None
        return row.calls[-1].seq if row is not None and row.calls else self.event.seq

    @property
    def sort_key(self) -> tuple[int, int, int]:
        """Order of the table: by attempt, leaks first in it, then as they were made."""
        step = -1 if self.event.step is None else self.event.step
        attempt = -1 if self.event.attempt is None else self.event.attempt
        after = step < 0 and self.event.hook == "processOutputResult"
        return (1 << 30 if after else step, attempt, self.event.seq)

    def where(self) -> str:
        """``1.2 · 11-12`` (step.attempt · chunk numbers), or ``processInput · m1, part 0``."""
        if self._chunks is not None:
            return self._chunks
        words = self._where()
        # what came before the end of a span stays as it is
        if self.event.block is None or self.block() is not None:
            self._chunks = words
        return words

    def code_points(self) -> Offsets | None:
        """The span in code points."""
        self._work_out()
        return self._points

    def utf8(self) -> Offsets | None:
        """The span in UTF-8 bytes."""
        self._work_out()
        return self._bytes

    def value(self) -> str | None:
        """The matched text; secret until a person asks for it."""
        return self.texts.value(self.event)

    def overlaps(self) -> list[str]:
        """Rules whose findings share a character with this one, in order, each once."""
        mine = self.event
        low, high = max(0, self.place - _NEAR), self.place + _NEAR + 1
        names = [
            other.event.rule
            for other in self.peers[low:high]
            if other is not self and other.event.start < mine.end and mine.start < other.event.end
        ]
        return list(dict.fromkeys(names))

    @property
    def left_with(self) -> str | None:
        """Number of the chunk with which leaked text left its processor first."""
        row = self.store.rows.of_index(self.event.index) if self.leak is not None else None
        return row.label if row is not None else None

    def block(self) -> Block | None:
        """The text block of a stream's finding."""
        if self.leak is not None:
            return self.store.blocks.get(self.leak.block)
        if self.event.block is None or behind(self.store):
            return None
        return self.store.block_of_finding(self.event)

    def _where(self) -> str:
        event = self.event
        attempt = f"{event.step}.{(event.attempt or 0) + 1}" if event.step is not None else ""
        block = self.block()
        if block is None and event.block is not None:
            return f"{attempt} · \N{HORIZONTAL ELLIPSIS}"
        if block is not None:
            indexes = model_indexes(block, event.processor or "", event.start, event.end)
            rows = [row for i in indexes if (row := self.store.rows.of_index(i)) is not None]
            numbers = _range(rows[0].label, rows[-1].label) if rows else DASH
            return f"{attempt} · {numbers}"
        place = event.hook or ""
        if event.message_id is not None:
            place += f" · {event.message_id}"
            place += f", part {event.part_index}" if event.part_index is not None else ""
        elif attempt:
            place = _HOOK_WORDS.get(place, place)
        return f"{attempt} · {place}" if attempt else place

    def _work_out(self) -> None:
        if self._worked_out:
            return
        self._points = self.texts.code_points(self.event)
        self._bytes = self.texts.utf8(self.event)
        self._worked_out = self._points is not None or (self.store.over and not behind(self.store))


@dataclass(slots=True)
class FindingRows(Sequence[FindingRow]):
    """All rows of a run; grows with its findings, leaks come once they are worked out.

    ``taken``: how many findings of the run have a row.
    """

    store: RunStore
    rows: list[FindingRow] = field(default_factory=list)
    has_chunks: bool = False
    has_messages: bool = False
    leaks: int = 0
    _texts: GivenTexts = field(init=False)
    taken: int = 0
    _groups: dict[_Group, list[FindingRow]] = field(default_factory=dict)
    _by_seq: dict[int, FindingRow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._texts = GivenTexts(self.store)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> FindingRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[FindingRow]: ...
    def __getitem__(self, index: int | slice) -> FindingRow | Sequence[FindingRow]:
        return self.rows[index]

    def __iter__(self) -> Iterator[FindingRow]:
        return iter(self.rows)

    def grow(self) -> None:
        """Take the findings that came since."""
        findings = self.store.findings
        while self.taken < len(findings):
            row = self._make(findings[self.taken])
            self.taken += 1
            self.rows.append(row)
            self._by_seq[row.event.seq] = row

    def add_leaks(self, leaks: Iterable[Leak]) -> None:
        """Put rows for text that left too early before the findings of their attempts."""
        for leak in leaks:
            insort(self.rows, self._leak_row(leak), key=lambda row: row.sort_key)
            self.leaks += 1

    def of_seq(self, seq: int | None) -> FindingRow | None:
        """The row of a finding's event."""
        return self._by_seq.get(seq) if seq is not None else None

    def _make(self, event: FindingMade, leak: Leak | None = None) -> FindingRow:
        self.has_chunks = self.has_chunks or event.block is not None
        self.has_messages = self.has_messages or event.block is None
        group = (
            event.step, event.attempt, event.hook, event.processor, event.block,
            event.message_id, event.part_index, event.tool_call_id, event.path,
            None if event.block is not None or event.message_id is not None else event.reported,
        )  # fmt: skip
        peers = self._groups.setdefault(group, [])
        row = FindingRow(event, self._texts, self.store, peers, len(peers), leak)
        peers.append(row)
        return row

    def _leak_row(self, leak: Leak) -> FindingRow:
        step, attempt, _kind, block_id = leak.block
        found = self.store.attempts.get(step, attempt)
        event = FindingMade(
            found.first_seq if found is not None else 0,
            found.start if found is not None else 0,
            step,
            attempt,
            "processOutputStream",
            leak.processor,
            rule=leak.rule,
            start=leak.start,
            end=leak.end,
            outcome="pass",
            block=block_id,
            index=leak.index,
        )
        return self._make(event, leak)


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}{DASH}{last}"
