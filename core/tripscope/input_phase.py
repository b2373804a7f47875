"""processInput: once, before the loop, on the conversation as it is after memory recall."""

from __future__ import annotations

from itertools import count

from tripscope.errors import TripWire
from tripscope.processor import ProcessInputArgs
from tripscope.return_shapes import Returned
from tripscope.run import Run
from tripscope.step import add_feedback

HOOK = "processInput"


async def process_input(run: Run) -> None:
    """Run the chain, again from its start for each granted retry.

    Raises:
        TripWire: a final abort.
        HookError: a hook raised.
    """
    messages = run.messages
    for retries in count():
        may_retry = retries < run.limits.retries
        before = messages.snapshot() if may_retry else None
        try:
            await _chain(run, retries)
        except TripWire as wire:
            if not wire.retry or before is None:
                raise
            run.hooks.advisories.tell("D2", HOOK, wire.processor_id, wire.event)
            messages.restore(before)
            add_feedback(run, run.input_feedback, wire)
        else:
            break
    messages.set_base_system()
    run.input_done = True


async def _chain(run: Run, retries: int) -> None:
    for bound in run.having(run.chains.input, HOOK):
        args = ProcessInputArgs(
            messages=run.messages.for_hook(HOOK),
            system_messages=run.messages.system_messages,
            **run.hooks.common(bound, retries, None),
        )
        returned = Returned(HOOK, bound.id, run.messages, args.messages)
        await run.hooks.call(bound, HOOK, args, returned.messages)
