"""What one processor of the output chain was given of a text block, and what it let out.

All positions are UTF-16 code units counted over the block.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from tripscope.chunks import Chunk, Delta
from tripscope.processor import Interval
from tripscope.trace.events import HookCalled
from tripscope.trace.text_run import TextRun

CHANGED: Final = ""
"""Rule of an inferred interval: the call changed its text, and named no rule."""


class Flow(Struct):
    """One processor's part of a block.

    ``intervals`` are as told to the probe, or inferred per call (``probed`` false); the newest one
    grows while text is let through. ``held`` None: it took text in, and did not say how much it
    keeps. ``dropped``: units it still held when the attempt was cut. ``refused``: units of the part
    at which it aborted or raised. ``out`` is ``given`` itself as long as every call let out what it
    was given, and told nothing.
    """

    processor: str
    given: TextRun = field(default_factory=TextRun)
    out: TextRun = field(default_factory=TextRun)
    intervals: list[Interval] = field(default_factory=list)
    probed: bool = False
    held: int | None = 0
    dropped: int = 0
    refused: int = 0
    _pending: int = 0

    def relay(self, index: int, text: str) -> bool:
        """Take text that it let through as it came and told nothing of, as all before.

        Nothing is to be worked out then. False if it did otherwise before: see `take`.
        """
        given = self.given
        if self.out is not given:
            if self.probed or given.texts or self.out.texts:
                return False
            self.out = given
        given.add(index, text)
        end = given.length
        if end:
            self.intervals = [(0, end, 0, end, None)]
        return True

    def take(self, event: HookCalled, index: int, given_here: Delta | None, block_id: str) -> None:
        """Account for one hook call of this block's processor.

        ``given_here``: what the part brought to this block, if anything.
        """
        part, out, given = event.part, event.out, self.given
        if self.out is given:
            self.out = given.copy()
            self._pending = given.length
        start, out_start = given.length, self.out.length
        if given_here is not None:
            given.add(index, given_here.text)
        if out is None:
            self.refused += given.length - start
            return
        let_out = ""
        for chunk in out:
            delta = given_here if chunk is part else _delta_of(chunk, block_id)
            if delta is not None:
                self.out.add(index, delta.text)
                let_out += delta.text
        held, intervals = event.held, event.intervals
        if held is not None or intervals is not None:
            self.probed = True
            for interval in intervals or ():
                self._add(interval)
            if held is not None:
                self.held = held
        elif not self.probed:
            same = let_out == (given_here.text if given_here is not None else "")
            self._infer(start, out_start, same=same)

    def _infer(self, start: int, out_start: int, *, same: bool) -> None:
        end, out_end = self.given.length, self.out.length
        if same and self._pending == start:
            if end > start:
                self._add((start, end, out_start, out_end, None))
            self._pending = end
        elif out_end > out_start:
            self.intervals.append((self._pending, end, out_start, out_end, CHANGED))
            self._pending = end
        self.held = 0 if self._pending == end else None

    def _add(self, interval: Interval) -> None:
        """What is let through call after call is one interval: a long text has few of them."""
        start, end, out_start, out_end, rule = interval
        if rule is None and self.intervals and end - start == out_end - out_start > 0:
            first, middle, out_first, out_middle, before = self.intervals[-1]
            joins = middle == start and out_middle == out_start and before is None
            if joins and middle - first == out_middle - out_first:
                self.intervals[-1] = (first, end, out_first, out_end, None)
                return
        self.intervals.append(interval)


def _delta_of(chunk: Chunk, block_id: str) -> Delta | None:
    payload = chunk.payload
    return payload if type(payload) is Delta and payload.id == block_id else None
