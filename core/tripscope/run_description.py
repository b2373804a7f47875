"""The first event of a trace: what runs, with which processors, tools and settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
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
    settings = run.settings
    chain = {
        "input": [_describe(bound) for bound in run.chains.input],
        "output": [_describe(bound) for bound in run.chains.output],
        "error": [_describe(bound) for bound in run.chains.error],
    }
    scripted = settings.model.provider == "scripted"
    started = partial(
        RunStarted,
        run_id=run.id,
        mode=info.mode or ("scripted" if scripted else "live"),
        method=run.method,
        agent=agent,
        model=settings.model.id,
        instructions=tuple(
            given if isinstance(given, str) else given.content for given in instructions
        ),
        prompt=tuple(plain(message) for message in run.messages.messages("input")),
        chain=chain,
        chain_hash=hashlib.sha256(json.dumps(chain, sort_keys=True).encode()).hexdigest()[:16],
        tools=tuple(
            {"name": t.name, "description": t.description, "inputSchema": t.input_schema}
            for t in settings.tools.values()
        ),
        settings=_settings(run),
        started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        parent_run=info.parent_run,
    )
    run.recorder.emit(started)
    if info.recorded is not None:
        _tell_edits(run, info.recorded, started(0, 0, None, None, None, None))


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
    processor = bound.processor
    scans = getattr(processor, "scans", None)
    scanned = {} if scans is None else {"scans": [str(kind) for kind in scans]}
    described: dict[str, JSON] = plain(
        {**_own_description(processor), "id": bound.id, "hooks": list(bound.hooks), **scanned}
    )
    return described


def _own_description(processor: Any) -> dict[Any, Any]:
    """What a processor says of itself, with its type; what it scans is not told here."""
    try:
        said = processor.describe()
    except Exception:  # it has none, or a foreign one, which may do anything
        said = None
    own = dict(said) if isinstance(said, dict) else {}
    own.pop("scans", None)
    if not isinstance(own.get("type"), str):
        own["type"] = type(processor).__name__
    return own


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
