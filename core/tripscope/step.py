"""One step: attempts until one is accepted, the retries are used up, or the run has to end.

Rules: docs/rules.md, section 3. An abort with retry undoes the attempt and asks again with
feedback; a repair by processAPIError keeps the edits and asks again without.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from itertools import count
from typing import Final

from tripscope.attempt import Attempt
from tripscope.chunks import Chunk, ErrorPayload, delta_text
from tripscope.errors import HookError, TripWire, message_of
from tripscope.message_list import Snapshot
from tripscope.model_call import ModelFailure
from tripscope.processor import ProcessAPIErrorArgs
from tripscope.return_shapes import Returned
from tripscope.run import Run
from tripscope.structured_output import ObjectStream
from tripscope.trace.events import AttemptEnded, AttemptStarted, Warned
from tripscope.trace.recorder import Source

_FEEDBACK: Final = (
    "[Processor Feedback] Your previous response was not accepted: {reason}. "
    "Please try again with the feedback in mind."
)
_OUTPUT_STEP: Final = "processOutputStep"
_RUNTIME_DEFAULT_REPAIRS: Final = 3
"""Repairs of one call that the reference runtime grants by default (docs/rules.md D1)."""


def add_feedback(run: Run, feedback: list[str], wire: TripWire) -> None:
    """Add what the model is told of a rejection to ``feedback``; identical ones once."""
    text = _FEEDBACK.format(reason=wire.reason)
    if text not in feedback:
        feedback.append(text)
    run.feedback_given.add(text)


class Step:
    """Step ``number`` of a run. ``goes_on``: another step follows it."""

    def __init__(self, run: Run, number: int) -> None:
        self.run = run
        self.number = number
        self.goes_on = False
        self._feedback = list(run.input_feedback) if number == 0 else []

    async def chunks(self) -> AsyncGenerator[Chunk, None]:
        """Make attempts until one is accepted, or its model call failed and nobody repaired it.

        Raises:
            TripWire: a final abort.
            HookError: a hook raised.
        """
        for number in count():
            may_retry = number < self.run.limits.retries
            # Taken only where it may be needed: it copies the conversation.
            before = self.run.messages.snapshot() if may_retry else None
            attempt = self._begin(number)
            rejection: TripWire | None = None
            try:
                async with aclosing(self._try(attempt, may_retry)) as chunks:
                    async for chunk in chunks:
                        yield chunk
            except TripWire as wire:
                if not (wire.retry and may_retry):
                    raise
                rejection = wire
            if rejection is None and not attempt.repaired:
                self._settle(attempt)
                return
            async with aclosing(self._reject(attempt, rejection, before)) as chunks:
                async for chunk in chunks:
                    yield chunk

    def _begin(self, number: int) -> Attempt:
        run = self.run
        run.messages.reset_system()
        run.messages.response.begin_attempt(self.number)
        attempt = run.attempt = Attempt(run, self.number, number, self._feedback)
        run.answer = attempt.answer
        run.output.begin_attempt(number)
        run.recorder.step, run.recorder.attempt = self.number, number
        run.recorder.emit(AttemptStarted, tuple(self._feedback))
        run.hooks.snapshot_states()
        return attempt

    async def _try(self, attempt: Attempt, may_retry: bool) -> AsyncGenerator[Chunk, None]:
        try:
            async with aclosing(attempt.chunks()) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        except ModelFailure as failure:
            error = attempt.failure = failure.error
        async with aclosing(self._process_api_error(attempt, error)) as chunks:
            async for chunk in chunks:
                yield chunk
        attempt.repaired &= may_retry
        if not attempt.repaired:
            async with aclosing(self._fail(attempt, error)) as chunks:
                async for chunk in chunks:
                    yield chunk

    async def _process_api_error(
        self, attempt: Attempt, error: Exception
    ) -> AsyncGenerator[Chunk, None]:
        run, hook = self.run, "processAPIError"
        for bound in run.having(run.chains.error, hook):
            args = ProcessAPIErrorArgs(
                error=error,
                messages=run.messages.for_hook(hook),
                step_number=self.number,
                steps=run.steps_as_left(),
                **attempt.common(bound),
            )
            returned = Returned(hook, bound.id, run.messages)

            def take(value: object, returned: Returned = returned) -> bool:
                attempt.repaired = returned.retry(value)
                return attempt.repaired

            try:
                await run.call(bound, hook, args, take)
            except HookError as failed:
                # An error processor that fails repairs nothing: the next one is asked, and the
                # error that it was to handle stays the error. The trace has both.
                if failed.hook != hook:
                    raise
            for chunk in run.leaving():
                yield chunk
            if attempt.repaired:
                return

    async def _fail(self, attempt: Attempt, error: Exception) -> AsyncGenerator[Chunk, None]:
        """Nobody repaired the failed call: only the text of its answer stays."""
        run, response = self.run, self.run.messages.response
        if _failure_shows(run, attempt):
            run.hooks.advisories.tell("D17")
        await run.output.push(Chunk("error", ErrorPayload(error=error), run.id))
        for chunk in run.leaving():
            yield chunk
        attempt.answer.close()
        if response.drop_attempt(keep_text=True):
            response.mark_incomplete()
        for chunk in await attempt.close("error", is_continued=False):
            yield chunk

    def _settle(self, attempt: Attempt) -> None:
        """The attempt is the step's last: accepted, or failed for good."""
        run, error = self.run, attempt.failure
        run.error = error
        record = attempt.record("error" if error else attempt.finish_reason, failed=bool(error))
        run.steps.append(record)
        run.accepted_text.append(record.text)
        run.answer = None
        if attempt.stream.object is not None:
            self._keep_object(attempt.stream.object)
        self.goes_on = attempt.goes_on
        run.hooks.versions.sync(run.messages)
        run.hooks.snapshot_states()
        run.hooks.note_measures()
        run.recorder.emit(
            AttemptEnded, "errored" if error else "pass", message_of(error) if error else None
        )

    def _keep_object(self, stream: ObjectStream) -> None:
        run = self.run
        run.object = stream.result
        if stream.problem is not None:
            run.recorder.emit(Warned, f"no structured output: {stream.problem}")
        else:
            run.messages.response.annotate("structuredOutput", stream.result)

    async def _reject(
        self, attempt: Attempt, wire: TripWire | None, before: Snapshot | None
    ) -> AsyncGenerator[Chunk, None]:
        run = self.run
        self._advise(attempt, wire)
        run.drop_offered()
        run.output.drop_held("the attempt was rejected")
        closing = attempt.step_finish("retry", True)
        try:
            for chunk in run.leaving():
                yield chunk
            if attempt.stream.started:
                await run.output.push(closing)
                for chunk in self._without_text():
                    yield chunk
        finally:
            self._undo(attempt, wire, before)

    def _without_text(self) -> Iterator[Chunk]:
        """Deliver what closes the attempt; text that a processor still held is dropped."""
        ready = self.run.output.ready
        while ready:
            part = ready.popleft()
            if delta_text(part.chunk) is None:
                yield self.run.deliver(part)

    def _advise(self, attempt: Attempt, wire: TripWire | None) -> None:
        """Tell what the runtime would do otherwise with this rejection."""
        tell, limits = self.run.hooks.advisories.tell, self.run.limits
        if wire is not None:
            place = (wire.hook, wire.processor_id, wire.event)
            if limits.retries_by_default:
                tell("D1", *place)
            if wire.hook != _OUTPUT_STEP:
                tell("D2", *place)
            tell("D3", *place)
        else:
            if limits.retries_by_default and attempt.number >= _RUNTIME_DEFAULT_REPAIRS:
                tell("D1", "processAPIError")
            tell("D24", "processAPIError")
            if attempt.answer.text or attempt.answer.tool_calls:
                tell("D19", "processAPIError")
        if attempt.answer.kept_data:
            tell("D26")

    def _undo(self, attempt: Attempt, wire: TripWire | None, before: Snapshot | None) -> None:
        run = self.run
        why = wire.reason if wire else message_of(attempt.failure) if attempt.failure else None
        if wire is None or (wire.hook == _OUTPUT_STEP and not run.limits.retries_by_default):
            # The rejections that the reference runtime knows as well (docs/rules.md D2, D16).
            run.rejected_text |= bool(attempt.answer.text)
        attempt.tools.discard()
        if wire is None:
            run.messages.response.drop_attempt()
        elif before is not None:
            run.messages.restore(before)
            add_feedback(run, self._feedback, wire)
        run.answer = None
        run.hooks.versions.sync(run.messages)
        run.hooks.note_measures()
        source = Source(wire.hook, wire.processor_id) if wire else Source("processAPIError")
        run.recorder.emit_of(source, AttemptEnded, "blocked", reason=why, retried=True)


def _failure_shows(run: Run, attempt: Attempt) -> bool:
    """Whether anybody can see what the reference runtime does then (docs/rules.md D17)."""
    return bool(
        run.method == "stream"
        or run.memory is not None
        or attempt.answer.text
        or attempt.answer.tool_calls
        or run.having(run.chains.input, "processLLMResponse")
        or run.having(run.chains.output, "processOutputStep")
    )
