"""Tool execution of a step: the tools start together, their results are used in call order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from inspect import isawaitable
from typing import TYPE_CHECKING

from msgspec import Struct

from tripscope.chunks import Chunk, ToolCall, ToolError, ToolResult
from tripscope.data_writer import DataWriter
from tripscope.errors import NeedsLive, describe_error, message_of
from tripscope.messages import ToolInvocation, ToolInvocationPart
from tripscope.processor import ProcessToolResultArgs
from tripscope.return_shapes import Returned
from tripscope.tasks import SideBySide
from tripscope.tools import Tool, ToolContext
from tripscope.trace.events import ResultDiscarded, ToolEnded, ToolStarted, Warned
from tripscope.trace.plain import plain
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.attempt import Attempt

HOOK = "processToolResult"


class Ran(Struct):
    """What came of one call; ``error`` if the tool raised. ``here``: the engine executed it."""

    result: JSON = None
    error: Exception | None = None
    here: bool = True


class ToolRunner:
    """Runs the tool calls of one attempt that left the output chain."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._run = attempt.run
        self._ran: dict[str, Ran] = {}
        self._executed: list[ToolCall] = []

    def provided(self, payload: ToolResult) -> None:
        """The provider ran this call itself and sent its result."""
        self._ran[payload.tool_call_id] = Ran(payload.result, here=False)

    def needs_client(self) -> bool:
        """Whether a call waits for the client to run it."""
        return any(self._is_clients(call) for call in self._attempt.answer.tool_calls)

    async def chunks(self) -> AsyncGenerator[Chunk, None]:
        """Execute, then processToolResult and the tool-result chunk of each call in turn."""
        calls = [c for c in self._attempt.answer.tool_calls if not self._is_clients(c)]
        async with aclosing(self._execute_all(calls)) as chunks:
            async for chunk in chunks:
                yield chunk
        for call in calls:
            async with aclosing(self._use_result(call, self._ran[call.tool_call_id])) as chunks:
                async for chunk in chunks:
                    yield chunk

    def discard(self) -> None:
        """The attempt was rejected after tools had run: say so for each."""
        for call in self._executed:
            recorder = self._run.recorder
            recorder.emit(ResultDiscarded, call.tool_call_id, call.tool_name)
            message = f"tool {call.tool_name!r} ran in a rejected attempt; a retry may run it twice"
            recorder.emit(Warned, message, {"toolCallId": call.tool_call_id})

    # -- executing -------------------------------------------------------------------------------

    async def _execute_all(self, calls: list[ToolCall]) -> AsyncGenerator[Chunk, None]:
        run = self._run
        async with SideBySide() as work:

            def offer(chunk: Chunk) -> None:
                run.offer(chunk)
                work.stir()

            for call in calls:
                if call.tool_call_id not in self._ran:
                    name = f"tool {call.tool_name} {call.tool_call_id}"
                    work.start(self._execute(call, offer), name=name)
            async with aclosing(work.rounds()) as rounds:
                async for _ in rounds:
                    await run.settle()
                    for chunk in run.leaving():
                        yield chunk

    async def _execute(self, call: ToolCall, offer: Callable[[Chunk], None]) -> None:
        run = self._run
        recorder = run.recorder
        number = run.tool_calls.get(call.tool_name, 0)
        run.tool_calls[call.tool_name] = number + 1
        self._executed.append(call)
        recorder.emit(ToolStarted, call.tool_call_id, call.tool_name, plain(call.args), number)
        if self._attempt.is_replayed:
            run.hooks.advisories.tell("D27")
        start = recorder.now()
        ran = Ran()
        wrote: list[tuple[int, JSON]] = []

        def write(chunk: Chunk) -> None:
            wrote.append((recorder.now(), plain(chunk.to_wire())))
            offer(chunk)

        try:
            ran.result = await self._call_tool(call, DataWriter(write))
        except asyncio.CancelledError as cancelled:
            ran.error = RuntimeError("cancelled")
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            ran.error.__cause__ = cancelled
        except NeedsLive as error:
            ran.error = error
            raise
        except Exception as error:
            ran.error = error
        finally:
            recorder.emit(
                ToolEnded,
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                duration=recorder.now() - start,
                result=ran.result,
                error=None if ran.error is None else message_of(ran.error),
                call=number,
                wrote=tuple(wrote),
            )
        self._ran[call.tool_call_id] = ran

    async def _call_tool(self, call: ToolCall, writer: DataWriter) -> JSON:
        tool = self._tool(call)
        if tool is None or tool.execute is None:
            known = ", ".join(self._attempt.settings.tools) or "none"
            raise LookupError(f"no tool {call.tool_name!r} in this step; there are: {known}")
        if call.extra.get("invalid"):
            raise ValueError(f"arguments for {call.tool_name!r} are not JSON: {call.args!r:.200}")
        context = ToolContext(
            tool_call_id=call.tool_call_id,
            request_context=self._run.request_context,
            writer=writer,
            abort_signal=self._run.abort_signal,
        )
        result = tool.execute(call.args, context)
        if isawaitable(result):
            result = await result
        return plain(result)

    def _tool(self, call: ToolCall) -> Tool | None:
        settings = self._attempt.settings
        if settings.active_tools is not None and call.tool_name not in settings.active_tools:
            return None
        return settings.tools.get(call.tool_name)

    def _is_clients(self, call: ToolCall) -> bool:
        tool = self._tool(call)
        return tool is not None and tool.execute is None and call.tool_call_id not in self._ran

    # -- using -----------------------------------------------------------------------------------

    async def _use_result(self, call: ToolCall, ran: Ran) -> AsyncGenerator[Chunk, None]:
        run = self._run
        if ran.error is None:
            async with aclosing(self._process_tool_result(call, ran)) as chunks:
                async for chunk in chunks:
                    yield chunk
            result = self._result_as_left(call, ran)
            self._note_result(call, "result", result=result)
            payload: ToolResult | ToolError = ToolResult(
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                args=call.args,
                result=plain(result),
                provider_executed=call.provider_executed,
            )
            kind = "tool-result"
        else:
            message = message_of(ran.error)
            self._note_result(call, "output-error", error_text=message)
            payload = ToolError(
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                args=call.args,
                error=describe_error(ran.error),
            )
            kind = "tool-error"
        await run.output.push(Chunk(kind, payload, run.id))
        for chunk in run.leaving():
            yield chunk

    async def _process_tool_result(self, call: ToolCall, ran: Ran) -> AsyncGenerator[Chunk, None]:
        run, attempt = self._run, self._attempt
        for bound in run.having(run.chains.output, HOOK):
            args = ProcessToolResultArgs(
                messages=run.messages.for_hook(HOOK),
                system_messages=run.messages.system_messages,
                step_number=attempt.step,
                steps=[*run.steps_as_left(), attempt.current(with_results=False)],
                tool_name=call.tool_name,
                tool_call_id=call.tool_call_id,
                args=call.args,
                result=self._result_as_left(call, ran),
                provider_executed=None if ran.here else True,
                **attempt.common(bound),
            )
            differs = ["D15"]
            if attempt.number:
                differs.append("D4")
            if args.result != ran.result:
                differs.append("D20")
            returned = Returned(HOOK, bound.id, run.messages, args.messages)
            await run.call(bound, HOOK, args, returned.messages, differs=differs)
            for chunk in run.leaving():
                yield chunk

    def _result_as_left(self, call: ToolCall, ran: Ran) -> JSON:
        """The result, as a processor put it into the message list if one did."""
        invocation = self._run.messages.find_tool_invocation(call.tool_call_id)
        if invocation is None or invocation.state != "result":
            return ran.result
        return invocation.result

    def _note_result(
        self, call: ToolCall, state: str, *, result: JSON = None, error_text: str | None = None
    ) -> None:
        invocation = ToolInvocation(
            state=state,
            tool_call_id=call.tool_call_id,
            tool_name=call.tool_name,
            args=call.args,
            result=result,
            error_text=error_text,
        )
        self._run.messages.update_tool_invocation(ToolInvocationPart(tool_invocation=invocation))
