"""The `tripscope.processor.Probe` that a run gives to its hooks."""

from __future__ import annotations

from collections.abc import Sequence

from tripscope.processor import Interval, Outcome
from tripscope.trace.events import FindingMade, Warned
from tripscope.trace.recorder import Recorder
from tripscope.wire import JSON


class HookProbe:
    """What one processor says about the call at hand.

    ``held_now`` is how many UTF-16 units the processor holds back since it last said so. The other
    public attributes belong to the call: `begin` resets them.
    """

    __slots__ = (
        "_processor", "_recorder", "block", "flagged", "held_now", "hook", "index", "intervals",
        "said_held",
    )  # fmt: skip

    def __init__(self, recorder: Recorder, processor: str) -> None:
        self._recorder = recorder
        self._processor = processor
        self.held_now = 0
        self.hook = ""
        self.begin("", None, None)

    def begin(self, hook: str, index: int | None, block: str | None) -> None:
        """A new call of ``hook``, for part ``index`` of text block ``block``."""
        self.hook = hook
        self.index = index
        self.block = block
        self.intervals: tuple[Interval, ...] | None = None
        self.said_held: int | None = None
        self.flagged = False

    def finding(
        self,
        rule: str,
        start: int,
        end: int,
        outcome: Outcome,
        *,
        reported: tuple[int, int] | None = None,
        replacement: str | None = None,
        value: str | None = None,
        winner: str | None = None,
        message_id: str | None = None,
        part_index: int | None = None,
    ) -> None:
        """See `tripscope.processor.Probe`."""
        self.flagged |= outcome == "flagged"
        self._recorder.emit(
            FindingMade, rule, start, end, outcome, reported, replacement, value, winner,
            self.block, self.index, message_id, part_index,
            hook=self.hook, processor=self._processor,
        )  # fmt: skip

    def emit(self, intervals: Sequence[Interval]) -> None:
        """See `tripscope.processor.Probe`."""
        if self.intervals is None:
            self.intervals = tuple(intervals)
        else:
            self.intervals += tuple(intervals)

    def held(self, units: int) -> None:
        """See `tripscope.processor.Probe`."""
        self.held_now = self.said_held = units

    def warning(self, message: str, detail: JSON = None) -> None:
        """See `tripscope.processor.Probe`."""
        self._recorder.emit(Warned, message, detail, hook=self.hook, processor=self._processor)
