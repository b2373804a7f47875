"""How a run ends: finished, tripped, broken by an exception, or cancelled.

Each ending settles the result before its last chunks go out, so whoever has seen the last chunk can
read it.
"""

from __future__ import annotations

from copy import copy
from typing import Final, Literal

from tripscope.chunks import Chunk, ErrorPayload, Finish, Tripwire
from tripscope.errors import HookError, TripWire, describe_error, message_of
from tripscope.messages import TextPart, ToolInvocationPart
from tripscope.prompt import STEP_START
from tripscope.results import ZERO_USAGE, Answered, RunResult, is_known
from tripscope.run import Run
from tripscope.trace.events import AttemptEnded, RunEnded, Status
from tripscope.trace.plain import plain
from tripscope.trace.recorder import NOWHERE, Source


def finished(run: Run) -> list[Chunk]:
    """All steps are done; ``run.error`` if the last one's model call failed."""
    last = run.steps[-1]
    usage = copy(run.usage) if is_known(run.usage) else copy(ZERO_USAGE)
    finish = Finish(
        reason=last.finish_reason or "unknown", usage=usage, is_continued=False, text=last.text
    )
    run.output.write(Chunk("finish", finish, run.id))
    chunks = list(run.leaving())
    left = last.as_left(run.messages)
    answered = Answered(
        text=left.text,
        finish_reason=last.finish_reason,
        usage=run.usage,
        steps=[*run.steps_as_streamed()[:-1], left],
        object=run.object,
    )
    hooks = run.hooks
    if run.error is None and left.text != _text_in_runtime(run):
        hooks.advisories.tell("D23")
    clean: Status = "flagged" if hooks.flagged else "changed" if hooks.changed else "passed"
    conclude(run, answered, "error" if run.error else clean, error=run.error)
    return chunks


def tripped(run: Run, wire: TripWire) -> list[Chunk]:
    """A final abort: the tripwire is the last chunk, nothing is stored."""
    _advise_tripped(run, wire)
    chunks = _cut(run, "a tripwire ended the run", "blocked", wire.reason, wire)
    payload = Tripwire(
        reason=wire.reason,
        processor_id=wire.processor_id,
        retry=wire.retry,
        metadata=wire.metadata,
    )
    run.output.write(Chunk("tripwire", payload, run.id))
    chunks += run.leaving()
    answered = Answered(
        text=run.delivered_text,
        finish_reason="other",
        usage=run.usage,
        steps=run.steps_as_streamed(),
        tripwire=payload,
    )
    conclude(run, answered, "blocked")
    return chunks


def broken(run: Run, error: Exception, status: Literal["error", "needs-live"]) -> list[Chunk]:
    """A hook raised, or a replay went beyond its recording: fails closed, nothing is stored."""
    if isinstance(error, HookError):
        run.hooks.advisories.tell("D18", error.hook, error.processor_id)
    chunks = _cut(run, "an error ended the run", "errored", message_of(error))
    run.output.write(Chunk("error", ErrorPayload(error=error), run.id))
    chunks += run.leaving()
    conclude(run, Answered(), status, error=error, broken=True)
    return chunks


def refused(run: Run, error: Exception) -> None:
    """ProcessInput raised: the call itself raises, there is no stream."""
    conclude(run, Answered(), "error", error=error, broken=True)


async def cancelled(run: Run) -> None:
    """The caller gave up: what was shown is kept and marked incomplete; no hook runs any more."""
    if run.result is not None:
        return
    run.output.ready.clear()
    _cut(run, "the caller cancelled the run", "not-run")
    response = run.messages.response
    if run.attempt is not None and run.answer is run.attempt.answer:
        response.drop_attempt(keep_text=True)
    if run.answer is not None or run.steps:
        response.mark_incomplete()
    answered = Answered(text=run.delivered_text, usage=run.usage, steps=run.steps_as_streamed())
    try:
        if run.input_done:
            await store(run)
    finally:
        conclude(run, answered, "cancelled")


_ROW_OF_ABORT: Final = {
    "processOutputStep": "D6",
    "processOutputResult": "D7",
    "processToolResult": "D8",
    "processOutputStream": "D9",
    "processAPIError": "D10",
}
_BEFORE_THE_CALL: Final = frozenset({"processInputStep", "prepareStep", "processLLMRequest"})


def _advise_tripped(run: Run, wire: TripWire) -> None:
    tell, place = run.hooks.advisories.tell, (wire.hook, wire.processor_id, wire.event)
    if run.method == "generate" and wire.hook == "processOutputResult":
        return  # only the stream's chunks differ
    if row := _ROW_OF_ABORT.get(wire.hook or ""):
        tell(row, *place)
    # Before the first model call both ways are the same.
    if run.steps or wire.hook not in _BEFORE_THE_CALL:
        tell("D11", *place)


def _text_in_runtime(run: Run) -> str:
    """What the reference runtime gives as ``result.text`` (docs/rules.md D23)."""
    response = run.messages.messages("response")
    if not response:
        return run.steps[-1].text
    texts: list[str] = []
    for part in response[-1].parts:
        if isinstance(part, TextPart):
            texts.append(part.text)
        elif isinstance(part, ToolInvocationPart) or getattr(part, "type", "") == STEP_START:
            texts.clear()
    return "".join(texts)


async def store(run: Run) -> None:
    """Save the messages of this request, if there is a memory."""
    if run.memory is not None:
        await run.memory.save(run.messages.messages("input", "response"))
        run.stored = True


def _cut(
    run: Run,
    why: str,
    outcome: Literal["blocked", "errored", "not-run"],
    reason: str | None = None,
    wire: TripWire | None = None,
) -> list[Chunk]:
    """Deliver what was ready, drop what was held, and end the attempt at hand."""
    run.drop_offered()
    chunks = list(run.leaving())
    run.output.drop_held(why)
    if run.answer is not None:
        run.answer.close()
        run.hooks.versions.sync(run.messages)
        run.hooks.note_measures()
        source = Source(wire.hook, wire.processor_id) if wire else NOWHERE
        run.recorder.emit_of(source, AttemptEnded, outcome, reason)
    return chunks


def conclude(
    run: Run,
    answered: Answered,
    status: Status,
    *,
    error: Exception | None = None,
    broken: bool = False,
) -> None:
    """Settle the result and record it; the last event of a run."""
    answered.messages = run.messages.messages()
    run.result = RunResult(answered, status, error=error, broken=broken)
    recorder = run.recorder
    recorder.step = recorder.attempt = None
    run.hooks.versions.sync(run.messages)
    run.hooks.note_measures()
    recorder.emit(
        RunEnded,
        status=status,
        text=answered.text,
        finish_reason=answered.finish_reason,
        usage=run.usage.to_wire(),
        tripwire=plain(answered.tripwire) if answered.tripwire else None,
        error=describe_error(error) if error is not None else None,
        stored=run.stored,
    )
    # A hook may have kept its arguments; what it says with them from here on is of no run.
    recorder.sink = None
