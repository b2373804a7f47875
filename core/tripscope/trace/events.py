"""The events of a trace: one closed, discriminated union, in one numbered order.

All are frozen and hold their own copies of what hooks may edit. ``time`` is in nanoseconds of a
monotonic clock since the run began. Text offsets are UTF-16 code units. ``step`` counts from 0,
``attempt`` from 0 within its step (None outside the loop). ``hook`` is spelled as on the wire.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from tripscope.chunks import Chunk
from tripscope.processor import Interval, Outcome
from tripscope.wire import JSON

Status: TypeAlias = Literal[
    "running", "passed", "changed", "flagged", "blocked", "error", "cancelled", "needs-live"
]
Mode: TypeAlias = Literal["live", "replay", "scripted"]
Method: TypeAlias = Literal["stream", "generate"]
"""Which of the agent's two methods was called."""


class Event(Struct, frozen=True, gc=False):
    """What every event has. ``processor`` is the processor's id."""

    kind: ClassVar[str] = ""

    seq: int
    time: int
    step: int | None
    attempt: int | None
    hook: str | None
    processor: str | None


class RunStarted(Event, frozen=True, gc=False):
    """The first event.

    ``chain``: ``{input: [...], output: [...], error: [...]}`` of processor descriptions, each with
    ``id``, ``type``, ``hooks`` (the names it has) and its options; ``started_at``: ISO 8601, UTC.
    """

    kind: ClassVar[str] = "run-started"

    run_id: str
    mode: Mode
    method: Method
    agent: str
    model: str
    instructions: tuple[str, ...]
    prompt: tuple[JSON, ...]
    chain: JSON
    chain_hash: str
    tools: tuple[JSON, ...]
    settings: JSON
    started_at: str
    parent_run: str | None = None


class AttemptStarted(Event, frozen=True, gc=False):
    """A pass from processInputStep to processToolResult; ``feedback`` as put into its prompt."""

    kind: ClassVar[str] = "attempt-started"

    feedback: tuple[str, ...] = ()


class HookCalled(Event, frozen=True, gc=False):
    """One hook call of one processor; ``time`` is its start, ``duration`` is in ns.

    In processOutputStream ``part`` is the chunk as it entered and ``out`` what came out: the same
    object where nothing changed, () where nothing came out. ``index`` counts the parts that entered
    the chain (0 = first of the run), so calls for one part share it. ``intervals`` and ``held`` are
    what the processor told its probe; None: it said nothing. ``error``: message of what it raised.
    """

    kind: ClassVar[str] = "hook"

    duration: int
    outcome: Outcome
    index: int | None = None
    part: Chunk | None = None
    out: tuple[Chunk, ...] | None = None
    intervals: tuple[Interval, ...] | None = None
    held: int | None = None
    error: str | None = None


class ModelRequested(Event, frozen=True, gc=False):
    """A provider call, ``call`` counting from 0 over the run.

    ``differs``: in a replay, the prompt is not the recorded one.
    """

    kind: ClassVar[str] = "model-request"

    call: int
    model: str
    prompt: tuple[JSON, ...]
    tools: tuple[JSON, ...] = ()
    tool_choice: JSON = None
    model_settings: JSON = None
    provider_options: JSON = None
    response_format: JSON = None
    from_cache: bool = False
    differs: bool = False


class RawFrameReceived(Event, frozen=True, gc=False):
    """A frame of provider call ``call`` as it came."""

    kind: ClassVar[str] = "raw-frame"

    call: int
    data: str


class ModelChunk(Event, frozen=True, gc=False):
    """A part of provider call ``call`` as the model gave it.

    ``index``: see `HookCalled`; None for a part that does not enter the chain. ``call`` is -1 for a
    response that a processor replays.
    """

    kind: ClassVar[str] = "model-chunk"

    call: int
    index: int | None
    chunk: Chunk


class Delivered(Event, frozen=True, gc=False):
    """A chunk that the client received; ``index`` of the part it came from, None if from none."""

    kind: ClassVar[str] = "delivered"

    chunk: Chunk
    index: int | None = None


class ToolStarted(Event, frozen=True, gc=False):
    """``call``: how often this tool was called before in this run."""

    kind: ClassVar[str] = "tool-started"

    tool_call_id: str
    tool_name: str
    args: JSON
    call: int = 0


class ToolEnded(Event, frozen=True, gc=False):
    """``result``, or ``error`` if the tool raised or was cancelled.

    ``wrote``: (time in ns, chunk in wire shape) of each ``data-*`` chunk that it wrote by its
    writer, so that a replay can write them again.
    """

    kind: ClassVar[str] = "tool-ended"

    tool_call_id: str
    tool_name: str
    duration: int
    result: JSON = None
    error: str | None = None
    call: int = 0
    wrote: tuple[tuple[int, JSON], ...] = ()


class FindingMade(Event, frozen=True, gc=False):
    """One match of one rule: see `tripscope.processor.Probe.finding`.

    ``block`` is the id of its text block in a stream; ``index`` that of the part at hand. ``path``
    leads to the string of a tool's result that it lies in.
    """

    kind: ClassVar[str] = "finding"

    rule: str
    start: int
    end: int
    outcome: Outcome
    reported: tuple[int, int] | None = None
    replacement: str | None = None
    value: str | None = None
    winner: str | None = None
    block: str | None = None
    index: int | None = None
    message_id: str | None = None
    part_index: int | None = None
    tool_call_id: str | None = None
    path: str | None = None


class ViolationReported(Event, frozen=True, gc=False):
    """What ``onViolation`` was given."""

    kind: ClassVar[str] = "violation"

    message: str
    detail: JSON = None


class Warned(Event, frozen=True, gc=False):
    """Something to know that is neither a finding nor an error."""

    kind: ClassVar[str] = "warning"

    message: str
    detail: JSON = None


class AdvisoryRaised(Event, frozen=True, gc=False):
    """The deployed runtime would go another way here: ``row`` of the rules, ``about`` a ``seq``."""

    kind: ClassVar[str] = "advisory"

    row: str
    sentence: str
    about: int | None = None


class StateChanged(Event, frozen=True, gc=False):
    """What became of ``processor``'s state.

    ``changes``: (key, before, after) digests. ``snapshot``: exact values of the whole state at an
    attempt's start or a step's end (``before`` is then None).
    """

    kind: ClassVar[str] = "state"

    changes: tuple[tuple[str, JSON, JSON], ...]
    snapshot: bool = False


class MessagesChanged(Event, frozen=True, gc=False):
    """The message list as it now stands.

    ``order``: (message key, source) of each; ``versions`` holds the wire form of the keys that were
    not on record yet. A key is ``<id>@<version>``.
    """

    kind: ClassVar[str] = "messages"

    order: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, JSON], ...]
    system: tuple[str, ...] = ()


class HeldDropped(Event, frozen=True, gc=False):
    """Text that ``processor`` still held was dropped: ``units`` UTF-16 units."""

    kind: ClassVar[str] = "held-dropped"

    units: int
    reason: str


class ResultDiscarded(Event, frozen=True, gc=False):
    """A tool that ran in a rejected attempt; a retry may run it twice."""

    kind: ClassVar[str] = "result-discarded"

    tool_call_id: str
    tool_name: str


class SpanEnded(Event, frozen=True, gc=False):
    """A span that a processor opened; ``time`` is its start, ``duration`` in ns."""

    kind: ClassVar[str] = "span"

    span: int
    name: str
    duration: int
    parent: int | None = None
    attributes: JSON = None


class EditedByHand(Event, frozen=True, gc=False):
    """In a replay: what a person changed since the recorded run; ``what`` says so in words.

    ``detail``: `tripscope.trace.chain_diff.Edit` as files spell it; for the recording of another
    session, its run.
    """

    kind: ClassVar[str] = "edited-by-hand"

    what: str
    detail: JSON = None


class AttemptEnded(Event, frozen=True, gc=False):
    """How an attempt ended.

    ``outcome`` pass: accepted; blocked: rejected (``reason``, asked by ``processor`` in ``hook``)
    and followed by another attempt if ``retried``; errored, or not-run for a cancel.
    """

    kind: ClassVar[str] = "attempt-ended"

    outcome: Outcome
    reason: str | None = None
    retried: bool = False


class RunEnded(Event, frozen=True, gc=False):
    """The last event. ``text``: result.text; ``error``, ``tripwire``: wire descriptions."""

    kind: ClassVar[str] = "run-ended"

    status: Status
    text: str
    finish_reason: str | None = None
    usage: JSON = None
    tripwire: JSON = None
    error: JSON = None
    stored: bool = False


class UnknownEvent(Event, frozen=True, gc=False):
    """An event of a newer version; ``name`` is its kind. It loads and shows as JSON."""

    kind: ClassVar[str] = "unknown"

    name: str
    body: JSON


AnyEvent: TypeAlias = (
    RunStarted
    | AttemptStarted
    | HookCalled
    | ModelRequested
    | RawFrameReceived
    | ModelChunk
    | Delivered
    | ToolStarted
    | ToolEnded
    | FindingMade
    | ViolationReported
    | Warned
    | AdvisoryRaised
    | StateChanged
    | MessagesChanged
    | HeldDropped
    | ResultDiscarded
    | SpanEnded
    | EditedByHand
    | AttemptEnded
    | RunEnded
    | UnknownEvent
)
