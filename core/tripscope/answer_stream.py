"""The model's answer on its way: into the output chain, and from there to the client."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from itertools import count
from typing import TYPE_CHECKING, Final

from tripscope.chunks import Chunk, Finish, ToolCall, Usage
from tripscope.parts import Part, copy_of
from tripscope.structured_output import ObjectStream
from tripscope.trace.events import Warned

if TYPE_CHECKING:
    from tripscope.model_call import ModelCall
    from tripscope.run import Run
    from tripscope.tool_runner import ToolRunner

_SPECIAL: Final = frozenset({"tool-call", "tool-result", "finish", "step-start", "stream-start"})


class AnswerStream:
    """The answer of one attempt.

    ``started``: its step-start has passed the output chain. ``finish`` and ``usage`` are the
    model's. ``called_tools``: it asks for tools that the provider has not run itself.
    ``left_chain``: what processLLMResponse is shown, where a processor has that hook. ``object``
    makes the structured output, if any is asked for.
    """

    def __init__(self, run: Run, tools: ToolRunner) -> None:
        self.started = False
        self.finish: Finish | None = None
        self.usage = Usage()
        self.called_tools = False
        self.left_chain: list[Chunk] = []
        self.object: ObjectStream | None = None
        self._run = run
        self._tools = tools
        self._collects = bool(run.having(run.chains.input, "processLLMResponse"))
        self._call_ids: set[str] = set()
        self._broken: Exception | None = None

    async def chunks(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """What the client gets of an opened call's answer.

        Raises:
            TripWire, HookError: as `tripscope.output_chain.OutputChain.push`.
            NeedsLive: the answer goes beyond its recording.
        """
        run = self._run
        await run.output.push(Chunk("step-start", run_id=run.id))
        self.started = True
        for chunk in self._leaving():
            yield chunk
        try:
            async with aclosing(self._answer(call)) as answer:
                run.source = answer
                async for chunk in answer:
                    yield chunk
        finally:
            run.source = None
        broken, self._broken = self._broken, None
        if broken is not None:
            raise broken

    async def _answer(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """See `tripscope.run.Run.source`."""
        run, output = self._run, self._run.output
        try:
            async with aclosing(call.parts()) as parts:
                async for part in parts:
                    snapshot = self._entering(call.number, part)
                    if snapshot is not None:
                        await output.push(part, snapshot)
                    for chunk in self._leaving():
                        yield chunk
                    if run.pace is not None:
                        await run.pace()
        except Exception as error:
            self._broken = error

    def _entering(self, call: int, part: Chunk) -> Chunk | None:
        """Record a part of the answer; its copy if it enters the output chain."""
        run = self._run
        part.run_id = run.id
        snapshot = copy_of(part)
        if part.type in _SPECIAL and not self._enters_chain(part):
            run.recorder.model_chunk(call, None, snapshot)
            return None
        run.recorder.model_chunk(call, run.output.next_index, snapshot)
        if part.type == "tool-call" and self._tell_apart(part.payload):
            return copy_of(part)
        return snapshot

    def _tell_apart(self, call: ToolCall) -> bool:
        """Whether a call had to get another id: an earlier one of this answer has its own."""
        given, known = call.tool_call_id, self._call_ids
        if given in known and not call.provider_executed:
            own = next(id for n in count(2) if (id := f"{given}-{n}") not in known)
            call.tool_call_id = own
            message = f"the model made two calls with the id {given!r}; one is {own!r} from here on"
            self._run.recorder.emit(Warned, message, {"toolCallId": own})
        known.add(call.tool_call_id)
        return call.tool_call_id != given

    def _enters_chain(self, part: Chunk) -> bool:
        """Take notes of a special part; False for one that no output processor gets."""
        match part.type:
            case "tool-call":
                self.called_tools |= not part.payload.provider_executed
            case "tool-result":
                self._tools.provided(part.payload)
                return False
            case "finish":
                self.finish = part.payload
                self.usage = part.payload.usage
                self._run.count_usage(self.usage)
                if self.called_tools:
                    self.left_chain.append(part)
                    return False
            case "step-start" | "stream-start":
                return False
        return True

    def _leaving(self) -> Iterator[Chunk]:
        """Deliver what left the chain; the model's own ``finish`` ends here."""
        run, ready = self._run, self._run.output.ready
        while ready:
            part = ready.popleft()
            chunk = part.chunk
            if self._collects and not chunk.is_data:
                self.left_chain.append(chunk)
            if chunk.type == "finish":
                continue
            if self.object is None:
                yield run.deliver(part)
            else:
                yield from self._with_object(part, self.object)

    def _with_object(self, part: Part, stream: ObjectStream) -> Iterator[Chunk]:
        for leaving in (stream.before(part.chunk), part, stream.after(part.chunk)):
            if isinstance(leaving, Chunk):
                leaving = Part(leaving, (copy_of(leaving),), part.number)
            if leaving is not None:
                yield self._run.deliver(leaving)
