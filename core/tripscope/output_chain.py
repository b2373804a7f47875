"""processOutputStream: every stream part goes through the output processors, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from inspect import isawaitable
from typing import Any, Final, NamedTuple, NoReturn

from tripscope.chunks import BlockEdge, Chunk, Delta, delta_text, is_well_formed
from tripscope.errors import TripWire, message_of
from tripscope.patterns.units import utf16_len
from tripscope.processor import Outcome, ProcessOutputStreamArgs
from tripscope.runner import Bound, HookRunner
from tripscope.trace.events import HeldDropped
from tripscope.trace.probe import HookProbe
from tripscope.trace.recorder import Moment
from tripscope.wire import JSON
from tripscope.writer import DataWriter

HOOK = "processOutputStream"


class Part(NamedTuple):
    """A chunk on its way to the client, and its copy for the trace, alone in a tuple.

    ``number`` is the index of the part of the stream that it came from, None if from none.
    """

    chunk: Chunk
    kept: tuple[Chunk]
    number: int | None

    @property
    def snapshot(self) -> Chunk:
        """The copy; nobody edits it."""
        return self.kept[0]


class OutputChain:
    """Takes parts in with `push`; what comes out waits in ``ready`` until it is delivered.

    ``stream_parts`` is the one list that all processors share: the parts as they entered.
    ``retry_count`` is what the hooks are given; the loop keeps it up to date.
    """

    def __init__(self, hooks: HookRunner, bounds: Sequence[Bound]) -> None:
        self.ready: deque[Part] = deque()
        self.stream_parts: list[Chunk] = []
        self.retry_count = 0
        self.next_index = 0
        self._hooks = hooks
        self.writer = DataWriter(self.write)
        self._recorder = hooks.recorder
        self._bounds = tuple(bound for bound in bounds if HOOK in bound.hooks)
        self._data_bounds = tuple(bound for bound in self._bounds if bound.takes_data)

    async def push(self, chunk: Chunk, snapshot: Chunk | None = None) -> None:
        """Send a chunk through the chain; ``snapshot`` is a copy of it that nobody edits.

        Raises:
            TripWire, HookError: as `tripscope.runner.HookRunner.call`; what had passed the whole
                chain by then is in ``ready``.
        """
        part = Part(chunk, (snapshot or copy_of(chunk),), self.next_index)
        self.next_index += 1
        if not self._bounds:  # and nobody who could read the stream parts
            self.ready.append(part)
            return
        self.stream_parts.append(chunk)
        await self._down(self._data_bounds if chunk.is_data else self._bounds, 0, part)

    def write(self, chunk: Chunk) -> None:
        """Put a chunk out that no processor sees."""
        self.ready.append(Part(chunk, (copy_of(chunk),), None))

    def refresh(self, chunk: Chunk) -> None:
        """The engine changed a chunk that is ready: copy it anew."""
        for at, part in enumerate(self.ready):
            if part.chunk is chunk:
                self.ready[at] = Part(chunk, (copy_of(chunk),), part.number)

    def drop_held(self, reason: str) -> None:
        """Record the text that processors still hold back as dropped."""
        for bound in self._bounds:
            if units := bound.probe.held_now:
                bound.probe.held_now = 0
                self._recorder.emit(HeldDropped, units, reason, hook=HOOK, processor=bound.id)

    async def _down(self, bounds: tuple[Bound, ...], at: int, part: Part) -> None:
        for position in range(at, len(bounds)):
            out = await self._call(bounds[position], part)
            if len(out) != 1:
                for item in out:
                    await self._down(bounds, position + 1, item)
                return
            part = out[0]
        self.ready.append(part)

    async def _call(self, bound: Bound, part: Part) -> Sequence[Part]:
        chunk, kept, number = part
        probe, hooks, recorder = bound.probe, self._hooks, self._recorder
        held = probe.held_now
        payload = chunk.payload
        probe.begin(HOOK, number, payload.id if type(payload) is Delta else _block(payload, probe))
        bound.tracing.hook = HOOK
        args = ProcessOutputStreamArgs(
            part=chunk,
            stream_parts=self.stream_parts,
            retry_count=self.retry_count,
            writer=self.writer,
            abort=bound.abort,
            state=bound.state.values,
            probe=probe,
            tracing_context=bound.tracing,
            request_context=hooks.request_context,
            message_list=hooks.message_list,
            abort_signal=hooks.abort_signal,
        )
        begun = recorder.moment()
        try:
            value = bound.hooks[HOOK](args)
            if type(value) is not Chunk and isawaitable(value):
                value = await value
            if value is chunk and same(chunk, kept[0]):
                out: Sequence[Part] = (part,)
                told: tuple[Chunk, ...] = kept
                outcome: Outcome = "flagged" if probe.flagged else "pass"
            else:
                out = _parts_of(value, part)
                told = tuple([item.kept[0] for item in out])
                unchanged = _all_told(bound, part, out, held)
                outcome = "flagged" if probe.flagged else "pass" if unchanged else "changed"
        except BaseException as error:
            await self._fail(bound, part, begun, error)
        hooks.note_call(bound, HOOK, outcome)
        recorder.stream_hook(
            bound.id, begun, outcome, number, kept[0], told, probe.intervals, probe.said_held
        )
        if self.retry_count:
            hooks.advisories.tell("D4", HOOK, bound.id)
        if held and chunk.type in _LAST_RESORTS and any(map(_is_text, told)):
            hooks.advisories.tell("D21", HOOK, bound.id)
        if chunk.type == "finish" and not out:
            hooks.advisories.tell("D25", HOOK, bound.id)
        if chunk.type == "tool-call" and not out:
            hooks.advisories.tell("dropped-tool-call", HOOK, bound.id)
        return out

    async def _fail(
        self, bound: Bound, part: Part, begun: Moment, error: BaseException
    ) -> NoReturn:
        hooks, probe = self._hooks, bound.probe
        failure, outcome = hooks.failure(error, bound.id, HOOK)
        text = message_of(failure if isinstance(failure, TripWire) else error)
        hooks.note_call(bound, HOOK, outcome)
        self._recorder.stream_hook(
            bound.id, begun, outcome, part.number, part.snapshot,
            None, probe.intervals, probe.said_held, text,
        )  # fmt: skip
        event = self._recorder.seq
        if self.retry_count:
            hooks.advisories.tell("D4", HOOK, bound.id)
        if isinstance(failure, TripWire):
            await hooks.report_violation(bound, HOOK, failure, event)
        raise failure from (None if failure is error else error)


_LAST_RESORTS: Final = frozenset({"error", "step-finish", "finish"})
"""Parts before which held text is let out if no part closed its block."""
_NO_EXTRA: Final[dict[str, JSON]] = {}
"""Shared by all copies that have none: a run keeps one for every chunk."""


def copy_of(chunk: Chunk) -> Chunk:
    """A copy for the trace, which nobody edits; a value that cannot be copied is shared."""
    payload = chunk.payload
    if type(payload) is Delta and not payload.extra and not chunk.extra:
        kept = Delta(
            id=payload.id,
            text=payload.text,
            provider_metadata=payload.provider_metadata,
            extra=_NO_EXTRA,
        )
        return Chunk(chunk.type, kept, chunk.run_id, chunk.from_, None, False, _NO_EXTRA)
    try:
        return chunk.copy()
    except Exception:
        return replace(chunk)


def _block(payload: object, probe: HookProbe) -> str | None:
    """The block of a call for a part that is no delta: that of the text held back, if any is."""
    if probe.held_now and probe.block is not None:
        return probe.block
    return payload.id if type(payload) is BlockEdge else None


def _is_text(chunk: Chunk) -> bool:
    return delta_text(chunk) is not None


def same(chunk: Chunk, snapshot: Chunk) -> bool:
    """Whether a chunk still is what it was when ``snapshot`` was made of it."""
    now, then = chunk.payload, snapshot.payload
    if type(now) is Delta and type(then) is Delta:
        return (
            now.text == then.text
            and now.id == then.id
            and chunk.type == snapshot.type
            and now.extra == then.extra
            and now.provider_metadata == then.provider_metadata
        )
    return chunk == snapshot


def _parts_of(value: Any, given: Part) -> list[Part]:
    """What a hook returned, as parts.

    Raises:
        TypeError: it is not a chunk, None, or a list of chunks.
    """
    if value is None:
        return []
    chunks = [value] if isinstance(value, Chunk) else value
    if not isinstance(chunks, list) or not all(isinstance(chunk, Chunk) for chunk in chunks):
        raise TypeError(f"returned {value!r:.120}, not a Chunk, a list of Chunks or None")
    for item in chunks:
        if not is_well_formed(item):
            raise TypeError(f"returned a {item.type} chunk with the payload {item.payload!r:.80}")
    return [
        given
        if item is given.chunk and same(item, given.snapshot)
        else Part(item, (copy_of(item),), given.number)
        for item in chunks
    ]


def _all_told(bound: Bound, given: Part, out: Sequence[Part], held: int) -> bool:
    """Whether a call only took text in or let text out, none of it changed."""
    if len(out) == 1 and out[0] is given:
        return True
    probe = bound.probe
    if probe.said_held is None and probe.intervals is None:
        return False
    if any(rule is not None for *_, rule in probe.intervals or ()):
        return False
    if delta_text(given.chunk) is None and not any(item is given for item in out):
        return False
    let_out = sum(utf16_len(delta_text(item.chunk) or "") for item in out)
    taken_in = utf16_len(delta_text(given.chunk) or "")
    return held + taken_in == let_out + probe.held_now
