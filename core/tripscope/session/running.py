"""Start a run of a session: scripted, live, or as the replay of a recording."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tripscope.agent import Agent
from tripscope.clock import Clock, SkippingClock, SystemClock, VirtualClock
from tripscope.context import AbortSignal, Pace
from tripscope.errors import SessionError
from tripscope.models.recorded import RecordedModel, recorded_tools
from tripscope.session.build import build_chain, build_model, build_tools
from tripscope.session.model import PromptMessage, Session
from tripscope.stream import AgentStream
from tripscope.trace.events import AnyEvent, Mode, RunStarted
from tripscope.trace.recorder import RunInfo

Prompt: TypeAlias = str | Sequence[PromptMessage]


def first_prompt(session: Session) -> Prompt:
    """The prompt that runs if none is given.

    Raises:
        SessionError: the session has none.
    """
    if not session.prompts:
        raise SessionError("the session has no prompt; give one", place="prompts")
    return session.prompts[0]


def run_mode(session: Session, *, model: str | None = None, replay: bool = False) -> Mode:
    """``replay``, ``scripted`` or ``live``: what a run with these choices would be."""
    if replay:
        return "replay"
    return "scripted" if (model or session.model.use) == "scripted" else "live"


async def start_run(
    session: Session,
    *,
    prompt: Prompt | None = None,
    model: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    replay: Sequence[AnyEvent] | None = None,
    trace: Callable[[AnyEvent], None] | str | os.PathLike[str] | None = None,
    pace: Pace | None = None,
    run_id: str | None = None,
    parent_run: str | None = None,
    abort_signal: AbortSignal | None = None,
    real_time: bool = True,
    check: bool = False,
) -> AgentStream:
    """Run processInput and open the stream; reading it drives the run.

    ``replay``: the events of the run whose model answers and tool results are served again, on a
    clock of recorded times. ``real_time`` false lets a scripted model's delays pass at once; the
    trace has them all the same. ``check``: a model that no call can succeed with is refused before
    anything runs, else its first call fails.

    Raises:
        SessionError: the session cannot be built.
        UnknownModel: no such provider.
        APIError: what `tripscope.models.base.Model.check` says.
        HookError: processInput of a processor raised.
    """
    mode = run_mode(session, model=model, replay=replay is not None)
    clock: Clock = _clock(mode, real_time=real_time)
    chain = build_chain(session.chain)
    tools = build_tools(session.tools, clock)
    if replay is not None:
        used_model: Any = RecordedModel.from_events(replay, clock=clock)
        tools = recorded_tools(tools, replay, clock=clock)
    else:
        used_model = build_model(session, clock, use=model, base_url=base_url, api_key=api_key)
        if check:
            used_model.check()
    agent = Agent(
        id=session.name,
        model=used_model,
        instructions=session.instructions or (),
        tools=tools,
        input_processors=chain.input,
        output_processors=chain.output,
        error_processors=chain.error,
        max_processor_retries=session.max_processor_retries,
        max_retries=_model_retries(session),
        resolve_model=used_model.resolve if replay is not None else None,
    )
    messages = prompt if prompt is not None else first_prompt(session)
    return await agent.stream(
        messages if isinstance(messages, str) else [m.model_dump() for m in messages],
        max_steps=session.max_steps,
        tool_choice=session.tool_choice,
        model_settings=session.model.settings or None,
        provider_options=session.model.provider_options or None,
        trace=trace,
        run=RunInfo(run_id=run_id, mode=mode, parent_run=parent_run, recorded=_started(replay)),
        clock=clock,
        pace=pace,
        abort_signal=abort_signal,
    )


def _started(replay: Sequence[AnyEvent] | None) -> RunStarted | None:
    first = replay[0] if replay else None
    return first if isinstance(first, RunStarted) else None


def _clock(mode: Mode, *, real_time: bool) -> Clock:
    if mode == "replay":
        return VirtualClock()
    return SystemClock() if real_time or mode == "live" else SkippingClock()


def _model_retries(session: Session) -> int:
    """How often a call that failed in passing is made again: ``maxRetries`` of the settings."""
    given = (session.model.settings or {}).get("maxRetries", 0)
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise SessionError(
            f"must be a whole number from 0 on, not {given!r:.60}",
            place="model.settings.maxRetries",
        )
    return given
