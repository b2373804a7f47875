"""The first event of a trace: what runs, with which processors, tools and settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from tripscope.messages import SystemMessage
from tripscope.model_settings import for_trace
from tripscope.run import Run
from tripscope.runner import Bound
from tripscope.trace.events import EditedByHand, RunStarted
from tripscope.trace.plain import plain
from tripscope.trace.recorder import RunInfo, Source
from tripscope.wire import JSON


def describe_run(
    run: Run, agent: str, instructions: Sequence[str | SystemMessage], info: RunInfo
) -> None:
    """Record the start of the run."""
    if not run.recorder.on:
        return
    chains, settings = run.chains, run.settings
    chain = {
        "input": [_describe(bound) for bound in chains.input],
        "output": [_describe(bound) for bound in chains.output],
        "error": [_describe(bound) for bound in chains.error],
    }
    texts = (given if isinstance(given, str) else given.content for given in instructions)
    scripted = settings.model.provider == "scripted"
    body = (
        run.id,
        info.mode or ("scripted" if scripted else "live"),
        run.method,
        agent,
        settings.model.id,
        tuple(texts),
        tuple(plain(message) for message in run.messages.messages("input")),
        chain,
        hashlib.sha256(json.dumps(chain, sort_keys=True).encode()).hexdigest()[:16],
        tuple(
            {"name": t.name, "description": t.description, "inputSchema": t.input_schema}
            for t in settings.tools.values()
        ),
        _settings(run),
        datetime.now(UTC).isoformat(timespec="milliseconds"),
        info.parent_run,
    )
    run.recorder.emit(RunStarted, *body)
    if info.recorded is not None:
        _tell_edits(run, info.recorded, RunStarted(0, 0, None, None, None, None, *body))


def _tell_edits(run: Run, recorded: RunStarted, now: RunStarted) -> None:
    """Record what differs from the recording that this run is served from."""
    # only a replay needs the rules of presets
    from tripscope.trace.chain_diff import chain_diff

    if recorded.agent != now.agent:
        what = (
            f"the recording was made by session {recorded.agent!r} and is replayed by"
            f" {now.agent!r}: answers and tool results were made for that one's prompt, tools and"
            " chain"
        )
        detail = {"runId": recorded.run_id, "startedAt": recorded.started_at}
        run.recorder.emit(EditedByHand, what, detail)
    for edit in chain_diff(recorded, now):
        source = Source(processor=edit.processor or None)
        run.recorder.emit_of(source, EditedByHand, edit.words, edit.to_wire())


def _describe(bound: Bound) -> dict[str, JSON]:
    describe = getattr(bound.processor, "describe", None)
    own: Any = describe() if callable(describe) else {"type": type(bound.processor).__name__}
    scans = getattr(bound.processor, "scans", None)
    scanned = {} if scans is None else {"scans": list(scans)}
    described: dict[str, JSON] = plain(
        {**own, "id": bound.id, "hooks": list(bound.hooks), **scanned}
    )
    return described


def _settings(run: Run) -> dict[str, JSON]:
    settings, limits = run.settings, run.limits
    return {
        "maxSteps": limits.max_steps,
        "maxProcessorRetries": limits.retries,
        "maxRetries": limits.model_retries,
        "toolChoice": plain(settings.tool_choice),
        "activeTools": settings.active_tools,
        "providerOptions": plain(settings.provider_options),
        "modelSettings": plain(for_trace(settings.model_settings)),
        "structuredOutput": settings.structured_output is not None,
    }
