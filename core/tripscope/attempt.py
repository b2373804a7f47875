"""One attempt of a step: the specification's diagram from processInputStep to processToolResult.

`Attempt.chunks` goes through the boxes in order. It ends normally when the attempt is accepted;
with `TripWire` when a processor aborted, with `ModelFailure` when the model call failed, and with
`HookError` when a hook raised.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from copy import copy
from typing import Any, TypeAlias

from msgspec.structs import replace

from tripscope.answer_stream import AnswerStream
from tripscope.chunks import Chunk, Finish
from tripscope.model_call import ModelCall
from tripscope.models.base import Prompt
from tripscope.processor import (
    CachedResponse,
    LLMRequestResult,
    ProcessInputStepArgs,
    ProcessLLMRequestArgs,
    ProcessLLMResponseArgs,
    ProcessOutputStepArgs,
    StepResult,
)
from tripscope.response import Answer
from tripscope.results import StepRecord
from tripscope.return_shapes import Returned
from tripscope.run import Run
from tripscope.runner import Bound
from tripscope.structured_output import ObjectStream
from tripscope.tool_runner import ToolRunner

Chunks: TypeAlias = AsyncGenerator[Chunk, None]


class Attempt:
    """Attempt ``number`` of step ``step``; ``feedback`` goes into its prompt.

    ``stream`` takes in what the model answers, ``answer`` what of it is delivered. ``failure``: the
    model call failed; ``repaired``: processAPIError asks for another attempt.
    """

    def __init__(self, run: Run, step: int, number: int, feedback: list[str]) -> None:
        self.run = run
        self.step = step
        self.number = number
        self.feedback = feedback
        self.settings = replace(run.settings)
        self.answer = Answer(run.messages)
        self.goes_on = False
        self.failure: Exception | None = None
        self.repaired = False
        self.tools = ToolRunner(self)
        self.stream = AnswerStream(run, self.tools)
        self._prompt: Prompt = []
        self._cached: CachedResponse | None = None
        self._call: ModelCall | None = None

    async def chunks(self) -> Chunks:
        """Run the attempt; yields what the client gets of it."""
        stages: tuple[Callable[[], Chunks], ...] = (
            self._process_input_step,
            self._process_llm_request,
            self._model_and_output_stream,
            self._process_llm_response,
            self._process_output_step,
            self.tools.chunks,
            self._step_finish,
        )
        for stage in stages:
            async with aclosing(stage()) as chunks:
                async for chunk in chunks:
                    yield chunk

    # -- the boxes of the diagram ----------------------------------------------------------------

    async def _process_input_step(self) -> Chunks:
        run, hook = self.run, "processInputStep"
        calls = [(bound, hook) for bound in run.having(run.chains.input, hook)]
        if run.chains.prepare_step is not None:
            calls.append((run.chains.prepare_step, "prepareStep"))
        for bound, name in calls:
            settings = self.settings
            args = ProcessInputStepArgs(
                messages=run.messages.for_hook(hook),
                system_messages=run.messages.system_messages,
                step_number=self.step,
                steps=run.steps_as_left(),
                model=settings.model,
                tools=dict(settings.tools),
                tool_choice=settings.tool_choice,
                active_tools=settings.active_tools,
                provider_options=settings.provider_options,
                model_settings=settings.model_settings,
                structured_output=settings.structured_output,
                **self.common(bound),
            )
            returned = Returned(name, bound.id, run.messages, args.messages)

            def take(value: Any, returned: Returned = returned) -> bool:
                return returned.step(value, self.settings, run.resolve_model)

            await run.call(bound, name, args, take)
            for chunk in run.leaving():
                yield chunk

    async def _process_llm_request(self) -> Chunks:
        run, hook = self.run, "processLLMRequest"
        self._prompt = run.messages.prompt(self.feedback)
        for bound in run.having(run.chains.input, hook):
            args = ProcessLLMRequestArgs(
                prompt=self._prompt,
                model=self.settings.model,
                step_number=self.step,
                steps=run.steps_as_left(),
                **self.common(bound),
            )
            returned = Returned(hook, bound.id, run.messages)

            def take(value: Any, returned: Returned = returned) -> bool:
                return self._take_request(returned.request(value))

            await run.call(bound, hook, args, take)
            for chunk in run.leaving():
                yield chunk

    def _take_request(self, result: LLMRequestResult) -> bool:
        if result.response is not None and self._cached is None:
            self._cached = result.response
        if result.prompt is not None:
            self._prompt = result.prompt
        return result.prompt is not None or result.response is not None

    async def _model_and_output_stream(self) -> Chunks:
        run, schema = self.run, self.settings.structured_output
        call = self._call = ModelCall(run, self.settings, self._prompt, self._cached)
        if schema is not None:
            self.stream.object = ObjectStream(schema, run.id)
        try:
            await call.open()
            self._advise()
            async with aclosing(self.stream.chunks(call)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            await call.close()
        self.answer.close()
        if call.failure is not None:
            raise call.failure

    def _advise(self) -> None:
        """Tell what the runtime would do otherwise with this request."""
        advisories = self.run.hooks.advisories
        if self.run.feedback_given.difference(self.feedback):
            advisories.tell("D5")
        if self._cached is not None:
            advisories.tell("D13")

    async def _process_llm_response(self) -> Chunks:
        run, hook, call = self.run, "processLLMResponse", self._call
        assert call is not None
        for bound in run.having(run.chains.input, hook):
            args = ProcessLLMResponseArgs(
                chunks=list(self.stream.left_chain),
                model=self.settings.model,
                step_number=self.step,
                steps=[*run.steps_as_left(), self.current()],
                from_cache=self._cached is not None,
                warnings=call.warnings,
                request=call.request,
                raw_response=call.raw_response,
                **self.common(bound),
            )
            returned = Returned(hook, bound.id, run.messages)
            await run.call(bound, hook, args, returned.nothing, differs=["D14"])
            for chunk in run.leaving():
                yield chunk

    async def _process_output_step(self) -> Chunks:
        run, hook, finish = self.run, "processOutputStep", self.stream.finish
        for bound in run.having(run.chains.output, hook):
            args = ProcessOutputStepArgs(
                messages=run.messages.for_hook(hook),
                system_messages=run.messages.system_messages,
                step_number=self.step,
                steps=[*run.steps_as_left(), self.current()],
                finish_reason=self.finish_reason,
                tool_calls=list(self.answer.tool_calls),
                text=self.answer.text,
                usage=copy(self.stream.usage),
                provider_metadata=finish.provider_metadata if finish else None,
                **self.common(bound),
            )
            returned = Returned(hook, bound.id, run.messages, args.messages)
            await run.call(bound, hook, args, returned.messages, differs=["D14"])
            for chunk in run.leaving():
                yield chunk

    async def _step_finish(self) -> Chunks:
        wants_more = self.stream.called_tools or self.finish_reason == "tool-calls"
        more = wants_more and not self.tools.needs_client()
        self.goes_on = more and self.step + 1 < self.run.limits.max_steps
        for chunk in await self.close(self.finish_reason, is_continued=self.goes_on):
            yield chunk

    # -- for the pieces around it ----------------------------------------------------------------

    @property
    def finish_reason(self) -> str:
        """The model's reason, ``unknown`` if its answer just ended."""
        return self.stream.finish.reason if self.stream.finish is not None else "unknown"

    def common(self, bound: Bound) -> dict[str, Any]:
        """The arguments that every hook of this attempt gets."""
        return self.run.hooks.common(bound, self.number, self.run.writer)

    def current(self, *, with_results: bool = True) -> StepResult:
        """This step as the last entry of ``steps`` shows it while it is going on."""
        results = list(self.answer.tool_results) if with_results else []
        return StepResult(
            text=self.run.messages.response.text(self.step),
            tool_calls=list(self.answer.tool_calls),
            tool_results=results,
            usage=copy(self.stream.usage),
        )

    async def close(self, reason: str, *, is_continued: bool) -> Iterator[Chunk]:
        """Send step-finish through the chain; the text that it lets out still counts."""
        output = self.run.output
        closing = self.step_finish(reason, is_continued)
        await output.push(closing)
        deltas = (part.chunk for part in output.ready if part.chunk.type == "text-delta")
        if let_out := "".join(chunk.payload.text for chunk in deltas):
            closing.payload.text += let_out
            output.refresh(closing)
        return self._closing()

    def _closing(self) -> Iterator[Chunk]:
        yield from self.run.leaving()
        self.answer.close()

    def step_finish(self, reason: str, is_continued: bool) -> Chunk:
        """The chunk that closes the attempt."""
        finish = Finish(
            reason=reason,
            usage=copy(self.stream.usage),
            is_continued=is_continued,
            text=self.answer.text,
        )
        return Chunk("step-finish", finish, self.run.id)

    @property
    def is_replayed(self) -> bool:
        """Whether the response came from a cache."""
        return self._cached is not None

    def record(self, reason: str, *, failed: bool = False) -> StepRecord:
        """The step as this attempt leaves it; of a ``failed`` one only the text counts."""
        return StepRecord(
            number=self.step,
            attempt=self.number,
            text=self.answer.text,
            tool_calls=[] if failed else self.answer.tool_calls,
            tool_results=[] if failed else self.answer.tool_results,
            usage=self.stream.usage,
            finish_reason=reason,
        )
