"""The `tripscope.processor.Probe` that a run gives to its hooks.

What it is told goes into files that others read, so what has not the type that it should have, or
is no place in any text, is refused, in the hook that said it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, get_args

from tripscope.processor import Interval, Outcome
from tripscope.trace.events import FindingMade, Warned
from tripscope.trace.recorder import Recorder, Source
from tripscope.wire import JSON

_OUTCOMES: Final = frozenset(get_args(Outcome))
_END: Final = 1 << 53
"""Of UTF-16 units: no text is so long, and who reads a trace in JavaScript can count so far."""


class HookProbe:
    """What one processor says about the call at hand.

    Every method may raise TypeError, and ValueError for a place that no text has.

    ``held_now`` is how many UTF-16 units the processor holds back since it last said so. The other
    public attributes belong to the call: `begin` resets them. ``silent``: nobody traces, so what
    takes effort to say (intervals of text that passed, findings that flag nothing) may be left out.
    """

    __slots__ = (
        "_processor", "_recorder", "block", "flagged", "held_now", "hook", "index", "intervals",
        "said_held", "silent",
    )  # fmt: skip

    def __init__(self, recorder: Recorder, processor: str) -> None:
        self._recorder = recorder
        self._processor = processor
        self.silent = not recorder.on
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
        tool_call_id: str | None = None,
        path: str | None = None,
    ) -> None:
        """See `tripscope.processor.Probe`."""
        if outcome not in _OUTCOMES:
            raise TypeError(f"a finding has one of the outcomes of a hook, not {outcome!r:.40}")
        if reported is not None:
            _span("the span that a finding was reported with", *reported)
            reported = (reported[0], reported[1])
        _span("the start and end of a finding", start, end)
        _texts("the rule of a finding", rule)
        given = (replacement, value, winner, message_id, tool_call_id, path)
        _texts("what a finding says besides", *[text for text in given if text is not None])
        if part_index is not None:
            _offset("the index of a part", part_index)
        self.flagged |= outcome == "flagged"
        self._recorder.emit_of(
            Source(self.hook, self._processor),
            FindingMade,
            rule=rule,
            start=start,
            end=end,
            outcome=outcome,
            reported=reported,
            replacement=replacement,
            value=value,
            winner=winner,
            block=self.block,
            index=self.index,
            message_id=message_id,
            part_index=part_index,
            tool_call_id=tool_call_id,
            path=path,
        )

    def emit(self, intervals: Sequence[Interval]) -> None:
        """See `tripscope.processor.Probe`."""
        mine: Iterable[Any] = map(tuple, intervals)  # no list that somebody goes on changing
        told: tuple[Interval, ...] = tuple(mine)
        for a, b, c, d, rule in told:
            # once a chunk: what is well is seen without a call
            if not (type(a) is type(b) is int and 0 <= a <= b < _END):
                _span("the ends of an interval", a, b)
            if not (type(c) is type(d) is int and 0 <= c <= d < _END):
                _span("the ends of an interval", c, d)
            if not (rule is None or isinstance(rule, str)):
                _texts("the rule of an interval", rule)
        self.intervals = told if self.intervals is None else self.intervals + told

    def held(self, units: int) -> None:
        """See `tripscope.processor.Probe`."""
        if not (type(units) is int and 0 <= units < _END):
            _offset("the number of units held", units)
        self.held_now = self.said_held = units

    def warning(self, message: str, detail: JSON = None) -> None:
        """See `tripscope.processor.Probe`."""
        _texts("a warning", message)
        self._recorder.emit_of(Source(self.hook, self._processor), Warned, message, detail)


def _span(what: str, start: int, end: int) -> None:
    if not (type(start) is type(end) is int and 0 <= start <= end < _END):
        _offset(what, start)
        _offset(what, end)
        raise ValueError(f"{what}: {end} comes before {start}")


def _offset(what: str, value: int) -> None:
    if type(value) is not int:
        raise TypeError(f"{what}: a whole number is expected, not {value!r:.40}")
    if not 0 <= value < _END:
        raise ValueError(f"{what}: no text has a unit {value}")


def _texts(what: str, *values: Any) -> None:
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{what} is a text, not {value!r:.40}")
