"""One processor's place in the output chain: what a call of processOutputStream costs per chunk.

`StreamStation.begin` makes the arguments; `judge` and `done` see to what the hook returned, `fail`
to what it raised. Calls of one station never overlap, so what belongs to the call at hand is kept
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final, NoReturn

from tripscope.chunks import BlockEdge, Chunk, Delta, delta_text
from tripscope.errors import TripWire, message_of
from tripscope.parts import Part, only_held, part_of, parts_of
from tripscope.processor import Outcome, ProcessOutputStreamArgs
from tripscope.trace.events import HeldDropped
from tripscope.trace.probe import HookProbe
from tripscope.trace.recorder import Source
from tripscope.wire import shallow

if TYPE_CHECKING:
    from tripscope.context import Writer
    from tripscope.runner import Bound, HookRunner

HOOK: Final = "processOutputStream"
_LAST_RESORTS: Final = frozenset({"error", "step-finish", "finish"})
"""Parts before which held text is let out if no part closed its block."""


class StreamStation:
    """``hook`` is the processor's processOutputStream."""

    def __init__(
        self, bound: Bound, hooks: HookRunner, stream_parts: list[Chunk], writer: Writer
    ) -> None:
        self.hook = bound.hooks[HOOK]
        self._bound = bound
        self._id = bound.id
        self._hooks = hooks
        self._recorder = hooks.recorder
        self._probe = bound.probe
        self._tracing = bound.tracing
        self._args = ProcessOutputStreamArgs(
            **hooks.common(bound, 0, writer), part=Chunk(""), stream_parts=stream_parts
        )
        """Of each call a copy, with its part."""
        self._held = self._time = self._begun = self._duration = 0
        self._told: tuple[Chunk, ...] = ()
        self._outcome: Outcome = "pass"

    def begin_attempt(self, number: int) -> None:
        """From now on the hook is given ``number`` as its ``retry_count``."""
        self._args.retry_count = number

    def begin(self, part: Part) -> ProcessOutputStreamArgs:
        """The arguments for ``part``; the call begins now."""
        probe, chunk = self._probe, part.chunk
        payload = chunk.payload
        self._held = probe.held_now
        block = payload.id if type(payload) is Delta else _block(payload, probe)
        probe.begin(HOOK, part.number, block)
        self._tracing.hook = HOOK
        args = shallow(self._args)
        args.part = chunk
        self._time, self._begun = self._recorder.moment()
        return args

    def judge(self, value: object, part: Part) -> Part | Sequence[Part]:
        """What goes on down the chain, made of what the hook returned: one part or any number.

        Raises:
            TypeError: it is not what the hook may return.
        """
        self._duration = perf_counter_ns() - self._begun
        chunk, kept, probe = part.chunk, part.kept, self._probe
        out: Part | Sequence[Part] = part
        if value is chunk and chunk == kept[0]:
            self._told = kept
            unchanged = True
        elif isinstance(value, Chunk):
            out = part_of(value, part)
            self._told = out.kept
            unchanged = only_held(probe, part, (out,), self._held)
        else:
            out = parts_of(value, part)
            self._told = tuple([p.kept[0] for p in out])
            unchanged = only_held(probe, part, out, self._held)
        self._outcome = "flagged" if probe.flagged else "pass" if unchanged else "changed"
        return out

    def done(self, part: Part) -> None:
        """Record the call."""
        chunk, told, probe = part.chunk, self._told, self._probe
        self._hooks.note_call(self._bound, HOOK, self._outcome)
        self._recorder.stream_hook(
            self._id, self._time, self._duration, self._outcome, part.number, part.kept[0], told,
            probe.intervals, probe.said_held, None,
        )  # fmt: skip
        if self._args.retry_count:
            self._tell("D4")
        if type(chunk.payload) is Delta:
            return
        if self._held and chunk.type in _LAST_RESORTS and any(map(_is_text, told)):
            self._tell("D21")
        if not told and chunk.type == "finish":
            self._tell("D25")
        if not told and chunk.type == "tool-call":
            self._tell("dropped-tool-call")

    async def fail(self, part: Part, error: BaseException) -> NoReturn:
        """Record that the hook raised, or returned what it may not return.

        Raises:
            TripWire, HookError: as `tripscope.runner.HookRunner.failure`.
        """
        self._duration = perf_counter_ns() - self._begun
        hooks, bound, probe = self._hooks, self._bound, self._probe
        failure, outcome = hooks.failure(error, bound.id, HOOK)
        text = message_of(failure if isinstance(failure, TripWire) else error)
        hooks.note_call(bound, HOOK, outcome)
        self._recorder.stream_hook(
            bound.id, self._time, self._duration, outcome, part.number, part.snapshot, None,
            probe.intervals, probe.said_held, text,
        )  # fmt: skip
        event = self._recorder.seq
        if self._args.retry_count:
            self._tell("D4")
        if isinstance(failure, TripWire):
            await hooks.report_violation(bound, HOOK, failure, event)
        raise failure from (None if failure is error else error)

    def drop_held(self, reason: str) -> None:
        """Record the text that the processor still holds back as dropped."""
        if units := self._probe.held_now:
            self._probe.held_now = 0
            self._recorder.emit_of(Source(HOOK, self._bound.id), HeldDropped, units, reason)

    def _tell(self, row: str) -> None:
        self._hooks.advisories.tell(row, HOOK, self._id)


def _block(payload: object, probe: HookProbe) -> str | None:
    """The block of a call for a part that is no delta: that of the text held back, if any is."""
    if probe.held_now and probe.block is not None:
        return probe.block
    return payload.id if type(payload) is BlockEdge else None


def _is_text(chunk: Chunk) -> bool:
    return delta_text(chunk) is not None
