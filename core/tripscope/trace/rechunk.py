"""Re-chunk: is what leaves the same however the model cuts its text?

The text of a block is sent through the stream hooks of the output chain again, cut in many ways; no
tool and no model is asked. Each rule-based processor is held against its rules applied once to all
that it is given. A cutting fails

* under ``redact`` if what leaves, joined, is another text;
* under ``block`` if the whole text matches and no tripwire comes, if a unit of a match leaves, or
  if a tripwire comes and the whole text does not match;
* under ``warn`` if the set of findings (rule, start, end) is another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from tripscope.agent import Agent
from tripscope.chunks import BlockEdge, Chunk, Finish, delta_text, text_delta
from tripscope.clock import VirtualClock
from tripscope.context import Pace, RequestContext
from tripscope.errors import HookError, TripWire
from tripscope.message_list import MessageList
from tripscope.models.scripted import ScriptedModel
from tripscope.output_chain import OutputChain
from tripscope.patterns.units import join_surrogates, utf16_len
from tripscope.processor import RuleBased, Whole, hook_of
from tripscope.rules.options import CARRYOVER
from tripscope.runner import HookRunner
from tripscope.stream_station import HOOK
from tripscope.trace.blocks import Block, BlockCollector, BlockKey
from tripscope.trace.cuttings import Cutting, cuttings
from tripscope.trace.events import AnyEvent, FindingMade, HookCalled
from tripscope.trace.recorder import Recorder, RunInfo
from tripscope.trace.text_diff import common_prefix

Progress: TypeAlias = Callable[[int, int], None]
Way: TypeAlias = Literal["redact", "block", "warn"]
MOST_KEPT: Final = 200
"""Failing cuttings that are kept with their reason; all are counted."""
_ID: Final = "t1"


@dataclass(frozen=True, slots=True)
class FailedCut:
    """A cutting under which ``processor`` did something else; ``why`` in words."""

    cutting: Cutting
    processor: str
    why: str


@dataclass(slots=True)
class BlockResult:
    """What became of one block. ``made`` of ``planned`` cuttings were tried, ``failed`` failed.

    ``not_made``: why the check could not be made at all; empty if it could. ``unchecked``:
    processors that were not held against anything, as they or one before them have no rules.
    """

    key: BlockKey
    text: str
    planned: int = 0
    made: int = 0
    failed: int = 0
    failures: list[FailedCut] = field(default_factory=list)
    not_made: str = ""
    unchecked: tuple[str, ...] = ()

    @property
    def first(self) -> FailedCut | None:
        """The failing cut to look at: one that cuts once, where there is such."""
        return min(self.failures, key=lambda cut: not cut.cutting.simple, default=None)

    @property
    def passed(self) -> bool:
        """Whether every cutting was tried and none failed."""
        return not self.not_made and not self.failed and self.made == self.planned


@dataclass(frozen=True, slots=True)
class _Expected:
    """What a processor has to do with a whole text, however that is cut."""

    id: str
    way: Way
    given: str
    whole: Whole


def blocks_to_check(events: Iterable[AnyEvent]) -> list[Block]:
    """The text blocks of a run, those of rejected attempts too, that hold any text."""
    blocks = BlockCollector(events).blocks.values()
    return [block for block in blocks if block.kind == "text" and block.model.length]


def stream_processors(processors: Iterable[Any]) -> list[Any]:
    """Those that look at the stream."""
    return [processor for processor in processors if hook_of(processor, HOOK)]


async def rechunk(
    blocks: Iterable[tuple[BlockKey, str]],
    processors: Sequence[Any],
    *,
    progress: Progress | None = None,
    pace: Pace | None = None,
) -> list[BlockResult]:
    """Check text blocks, each with its model's text, against the output chain.

    ``progress`` is told (cuttings tried, of how many) after each one; ``pace`` is awaited after
    each chunk and may give other tasks a turn. A cancel ends it at once.
    """
    used = stream_processors(processors)
    plans: list[tuple[BlockResult, list[_Expected], list[Cutting]]] = []
    for key, text in blocks:
        result = BlockResult(key, text)
        expected = await _expect(result, used)
        planned: list[Cutting] = []
        if not result.not_made:
            near, window = list(_near(expected)), _window(used)
            planned = await asyncio.to_thread(cuttings, text, near, window=window)
        result.planned = len(planned)
        plans.append((result, expected, planned))
    total = sum(len(planned) for *_, planned in plans)
    done = 0
    for result, expected, planned in plans:
        for cutting in planned:
            seen = await _Passage(used).run(cutting.pieces(result.text), pace)
            done += 1
            result.made += 1
            failures = list(_judge(cutting, expected, seen))
            if failures:
                result.failed += 1
                result.failures += failures[: max(0, MOST_KEPT - len(result.failures))]
            if progress is not None:
                progress(done, total)
    return [result for result, *_ in plans]


async def cut_events(
    text: str, cutting: Cutting, processors: Sequence[Any], *, name: str = "re-chunk"
) -> list[AnyEvent]:
    """The trace of a run in which a scripted model sends ``text`` so cut through the chain."""
    prompt = f"{name}: {cutting.name}"
    return await passage_events(cutting.pieces(text), processors, name=name, prompt=prompt)


async def passage_events(
    pieces: Iterable[str],
    processors: Sequence[Any],
    *,
    name: str,
    prompt: str = "",
    pace: Pace | None = None,
) -> list[AnyEvent]:
    """The trace of a run in which a scripted model sends one block of these pieces."""
    parts = [Chunk("text-start", BlockEdge(id=_ID))]
    parts += [text_delta(piece, id=_ID) for piece in pieces]
    parts += [Chunk("text-end", BlockEdge(id=_ID)), Chunk("finish", Finish(reason="stop"))]
    events: list[AnyEvent] = []
    agent = Agent(
        id=name,
        model=ScriptedModel([parts]),
        output_processors=stream_processors(processors),
        max_processor_retries=0,
    )
    stream = await agent.stream(
        prompt or name,
        max_steps=1,
        trace=events.append,
        run=RunInfo(mode="scripted"),
        clock=VirtualClock(),
        pace=pace,
    )
    try:
        async for _chunk in stream.full_stream:
            pass
    except HookError:
        pass  # the trace tells it
    finally:
        await stream.aclose()
    return events


class _Passage:
    """One cutting's way through the chain, and what each processor did."""

    def __init__(self, processors: Sequence[Any]) -> None:
        self.out: dict[str, list[str]] = {}
        self.findings: dict[str, set[tuple[str, int, int]]] = {}
        self.tripped: str | None = None
        self.error: tuple[str, str] | None = None
        runner = HookRunner(
            recorder=Recorder(self._take, VirtualClock()),
            request_context=RequestContext(),
            abort_signal=None,
            message_list=MessageList(),
        )
        self._chain = OutputChain(runner, runner.bind(processors))

    async def run(self, pieces: Sequence[str], pace: Pace | None) -> _Passage:
        """Send all pieces; a tripwire or an error ends it."""
        chain = self._chain
        try:
            await chain.push(Chunk("text-start", BlockEdge(id=_ID)))
            for piece in pieces:
                await chain.push(text_delta(piece, id=_ID))
                chain.ready.clear()
                if pace is not None:
                    await pace()
            await chain.push(Chunk("text-end", BlockEdge(id=_ID)))
        except TripWire as tripwire:
            self.tripped = tripwire.processor_id
        except HookError as error:
            self.error = (error.processor_id, str(error))
        return self

    def text(self, processor: str) -> str:
        """All that left a processor."""
        return join_surrogates("".join(self.out.get(processor, ())))

    def _take(self, event: AnyEvent) -> None:
        processor = event.processor or ""
        if isinstance(event, HookCalled):
            texts = [delta_text(chunk) for chunk in event.out or ()]
            self.out.setdefault(processor, []).extend(text for text in texts if text)
        elif isinstance(event, FindingMade) and event.end > event.start:
            finding = (event.rule, event.start, event.end)
            self.findings.setdefault(processor, set()).add(finding)


async def _expect(result: BlockResult, processors: Sequence[Any]) -> list[_Expected]:
    """What each rule-based processor has to do, one after the other down the chain."""
    text = result.text
    expected: list[_Expected] = []
    for place, processor in enumerate(processors):
        if not isinstance(processor, RuleBased):
            # what comes behind it depends on what it does with each chunk
            result.unchecked = tuple(str(getattr(p, "id", "")) for p in processors[place:])
            break
        if "text" not in processor.block_kinds:
            continue
        identity = str(getattr(processor, "id", ""))
        try:
            # a pattern may be slow, and lets go of the interpreter while it matches
            whole = await asyncio.to_thread(processor.whole, text)
        except Exception as error:
            result.not_made = f"{identity}: its rules cannot be applied to the whole text: {error}"
            return []
        expected.append(_Expected(identity, _way(processor, text, whole), text, whole))
        text = whole.text
    if not expected:
        result.not_made = "no processor with rules comes first on the stream"
    return expected


def _way(processor: Any, text: str, whole: Whole) -> Way:
    if processor.passes_matches:
        return "warn"
    describe = getattr(processor, "describe", None)
    said = describe().get("strategy") if callable(describe) else None
    if said in ("redact", "block"):
        way: Way = said
        return way
    return "redact" if whole.text != text else "block"


def _near(expected: Sequence[_Expected]) -> Iterator[tuple[int, int]]:
    """Spans around which to cut, in units of the model's text, a little wide after a redaction."""
    for one in expected:
        shift = utf16_len(one.given) - utf16_len(expected[0].given)
        for _, start, end in one.whole.matches:
            # what was replaced before it has moved it by so much at most
            yield min(start, start - shift), max(end, end - shift)


def _window(processors: Sequence[Any]) -> int:
    windows = [
        size
        for processor in processors
        if callable(describe := getattr(processor, "describe", None))
        and isinstance(size := describe().get("streamCarryoverSize"), int)
    ]
    return max(windows, default=CARRYOVER)


def _judge(cutting: Cutting, expected: Sequence[_Expected], seen: _Passage) -> Iterator[FailedCut]:
    if seen.error is not None:
        yield FailedCut(cutting, *seen.error)
        return
    for one in expected:
        why = _differs(one, seen)
        if why:
            yield FailedCut(cutting, one.id, why)
        if seen.tripped == one.id:
            return  # what stands behind it was not given all


def _differs(one: _Expected, seen: _Passage) -> str:
    own, cut_short = seen.tripped == one.id, seen.tripped is not None
    out = seen.text(one.id)
    if one.way == "redact":
        same = one.whole.text.startswith(out) if cut_short else out == one.whole.text
        return "" if same else _where(out, one.whole.text)
    if one.way == "warn":
        found, wanted = seen.findings.get(one.id, set()), set(one.whole.matches)
        if found == wanted or (cut_short and found <= wanted):
            return ""
        return _sets(found, wanted)
    left = utf16_len(out)
    for rule, start, end in one.whole.matches:
        if start < left:
            return f"{rule}: {min(end, left) - start} of {end - start} UTF-16 units left"
    if one.whole.matches and not cut_short:
        return f"{one.whole.matches[0][0]} matches the whole text, and no tripwire came"
    if own and not one.whole.matches:
        return "a tripwire came, and nothing matches the whole text"
    return ""


def _where(out: str, wanted: str) -> str:
    unit = utf16_len(wanted[: common_prefix(out, wanted)])
    return f"differs from UTF-16 unit {unit} of what leaves"


def _sets(found: set[tuple[str, int, int]], wanted: set[tuple[str, int, int]]) -> str:
    missing, extra = sorted(wanted - found), sorted(found - wanted)
    told = []
    if missing:
        rule, start, end = missing[0]
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        told.append(f"{rule} at {start}-{end} UTF-16{more} not found")
    if extra:
        rule, start, end = extra[0]
        more = f" and {len(extra) - 1} more" if len(extra) > 1 else ""
        told.append(f"{rule} at {start}-{end} UTF-16{more} found too")
    return "; ".join(told)
