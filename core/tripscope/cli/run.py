"""``tripscope run``: run a session without a window."""

from __future__ import annotations

import argparse
import asyncio
import os
from contextlib import suppress
from typing import Any

from tripscope.cli import exit_codes
from tripscope.cli.report import Report
from tripscope.cli.terminal import say
from tripscope.errors import HookError, SessionError, TripscopeError
from tripscope.processor import StepResult
from tripscope.session import Session, load_session, start_run
from tripscope.trace.events import AnyEvent
from tripscope.trace.file import TraceWriter, load
from tripscope.trace.lines import dumps


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    parser.add_argument("session", metavar="SESSION", help="a session file, NAME.tripscope.json")
    parser.add_argument("--prompt", metavar="TEXT", help="instead of the session's first prompt")
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="provider/model, or 'scripted', instead of the session's model;"
        " the key comes from OPENAI_API_KEY",
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="address of the provider; else the session's, else OPENAI_BASE_URL",
    )
    parser.add_argument(
        "--replay", metavar="TRACE", help="serve the model answers and tool results of this trace"
    )
    parser.add_argument(
        "--trace",
        metavar="OUT",
        help="write the trace here while running; it holds the text before redaction,"
        " so only you can read the file",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--strict", action="store_true", help="fail if a stream check fails")


def execute(options: argparse.Namespace) -> int:
    """Run, print the report, and give the exit code of its status."""
    session = load_session(options.session)
    recording = load(options.replay) if options.replay else None
    for read in (options.session, options.replay):
        _keep_apart(options.trace, read)
    return asyncio.run(_run(session, options, recording))


def _keep_apart(written: str | None, read: str | None) -> None:
    """See to it that the trace does not take the place of a file that this run is made from."""
    with suppress(OSError):
        if written and read and os.path.samefile(written, read):
            raise SessionError("the trace would overwrite this file; name another", file=read)


async def _run(
    session: Session, options: argparse.Namespace, recording: list[AnyEvent] | None
) -> int:
    events: list[AnyEvent] = []
    writer = TraceWriter(options.trace) if options.trace else None

    def sink(event: AnyEvent) -> None:
        if writer is not None:
            writer(event)
        events.append(event)

    steps: list[dict[str, Any]] = []
    try:
        stream = await start_run(
            session,
            prompt=options.prompt,
            model=options.model,
            base_url=options.base_url,
            api_key=os.environ.get("OPENAI_API_KEY"),
            replay=recording,
            trace=sink,
            real_time=False,
            check=True,
        )
        try:
            result = await stream.result()
        finally:
            await stream.aclose()
        if not isinstance(result.error, HookError):
            steps = [_step_to_wire(step) for step in result.steps]
    except (asyncio.CancelledError, TripscopeError):
        # Once it has an end, the report tells of it.
        if Report(events).ended is None:
            raise
    finally:
        if writer is not None:
            writer.close()
    return _print(Report(events, steps), options)


def _step_to_wire(step: StepResult) -> dict[str, Any]:
    return {
        "text": step.text,
        "finishReason": step.finish_reason,
        "toolCalls": [call.to_wire() for call in step.tool_calls],
        "toolResults": [result.to_wire() for result in step.tool_results],
        "usage": step.usage.to_wire(),
    }


def _print(report: Report, options: argparse.Namespace) -> int:
    if options.json:
        say(dumps(report.to_wire()))
    else:
        for line in report.lines():
            say(line)
    ended = report.ended
    code = exit_codes.OF_STATUS[ended.status] if ended else exit_codes.ERROR
    failed = code == 0 and options.strict and report.failed
    return exit_codes.CHECK_FAILED if failed else code
