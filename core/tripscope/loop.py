"""The whole run after processInput: the agentic loop, processOutputResult, and how a run ends.

`generation` is the specification's diagram; `run_chunks` is what a stream reads: the same, closed
by the right ending (`tripscope.endings`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from copy import copy
from itertools import count

from tripscope import endings
from tripscope.chunks import Chunk
from tripscope.errors import NeedsLive, TripWire
from tripscope.processor import OutputResult, ProcessOutputResultArgs
from tripscope.results import ZERO_USAGE, is_known
from tripscope.return_shapes import Returned
from tripscope.run import Run
from tripscope.step import Step

Chunks = AsyncGenerator[Chunk, None]


async def run_chunks(run: Run) -> Chunks:
    """Everything that the client gets after processInput."""
    try:
        async with aclosing(generation(run)) as chunks:
            async for chunk in chunks:
                yield chunk
                if run.source is not None:
                    async for piece in run.source:
                        yield piece
                    run.source = None
        last = endings.finished(run)
    except TripWire as wire:
        last = endings.tripped(run, wire)
    except (asyncio.CancelledError, GeneratorExit):
        await endings.cancelled(run)
        raise
    except NeedsLive as error:
        last = endings.broken(run, error, "needs-live")
    except Exception as error:
        last = endings.broken(run, error, "error")
    for chunk in last:
        yield chunk


async def generation(run: Run) -> Chunks:
    """The agentic loop, then processOutputResult, then storing."""
    if run.input_tripwire is not None:
        raise run.input_tripwire
    run.output.write(Chunk("start", run_id=run.id))
    for chunk in run.leaving():
        yield chunk
    async with aclosing(agentic_loop(run)) as chunks:
        async for chunk in chunks:
            yield chunk
    async with aclosing(process_output_result(run)) as chunks:
        async for chunk in chunks:
            yield chunk
    await endings.store(run)


async def agentic_loop(run: Run) -> Chunks:
    """Steps, until one asks for no other."""
    for number in count():
        step = Step(run, number)
        async with aclosing(step.chunks()) as chunks:
            async for chunk in chunks:
                yield chunk
        if not step.goes_on:
            return


async def process_output_result(run: Run) -> Chunks:
    """processOutputResult: the last say on the response messages."""
    hook = "processOutputResult"
    run.recorder.step = run.recorder.attempt = None
    usage = copy(run.usage) if is_known(run.usage) else copy(ZERO_USAGE)
    differs = ["D4"] if run.steps[-1].attempt else []
    if run.rejected_text:
        differs.append("D16")
    for bound in run.having(run.chains.output, hook):
        args = ProcessOutputResultArgs(
            messages=run.messages.for_hook(hook),
            result=OutputResult(
                text="".join(run.accepted_text),
                usage=usage,
                finish_reason=run.steps[-1].finish_reason,
                steps=run.steps_as_streamed(),
            ),
            **run.hooks.common(bound, run.steps[-1].attempt, run.output.writer),
        )
        returned = Returned(hook, bound.id, run.messages, args.messages)
        await run.hooks.call(bound, hook, args, returned.messages, differs=differs)
        for chunk in run.leaving():
            yield chunk
