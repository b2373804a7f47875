"""A session made of a run: its chain can be edited, and its recording replayed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pydantic import ValidationError

from tripscope.arrays import ARRAYS, Array
from tripscope.errors import SessionError
from tripscope.processors import BUILT_INS
from tripscope.session.build import build_chain
from tripscope.session.file import first_fault
from tripscope.session.model import (
    ModelChoice,
    ProcessorSpec,
    PromptMessage,
    Session,
    SessionRule,
    ToolSpec,
)
from tripscope.trace.described_chain import NOT_OPTIONS, described_in
from tripscope.trace.events import RunStarted
from tripscope.wire import JSON

_NO_REPLY: Final = "only the recorded results of this tool are known: replay them"
_ROLES: Final = ("user", "assistant", "system")


def session_of(started: RunStarted) -> tuple[Session, list[str]]:
    """The chain, instructions, tools, settings and prompt of a run.

    Headers are left out: a trace has their names only.

    Returns:
        The session, and the ids of the processors that are no built-ins, which it leaves out.

    Raises:
        SessionError: the run describes what this version cannot build.
    """
    specs: dict[str, ProcessorSpec] = {}
    left_out: dict[str, None] = {}
    try:
        for array, described in described_in(started.chain):
            name = described["id"]
            if described.get("type") not in BUILT_INS:
                left_out[name] = None
            elif name in specs:
                specs[name].arrays = [*(specs[name].arrays or ()), array]
            else:
                specs[name] = _spec(name, described, array)
        settings = started.settings if isinstance(started.settings, dict) else {}
        scripted = started.model.partition("/")[0] == "scripted"
        session = Session(
            name=started.agent or "run",
            instructions="\n\n".join(started.instructions),
            max_steps=settings.get("maxSteps") or 5,
            max_processor_retries=settings.get("maxProcessorRetries"),
            tool_choice=choice if (choice := settings.get("toolChoice")) != "auto" else None,
            model=ModelChoice(
                use="scripted" if scripted else started.model,
                settings=_model_settings(settings),
                provider_options=settings.get("providerOptions") or {},
            ),
            chain=[specs[name] for name in _order(started.chain) if name in specs],
            tools=[_tool(tool) for tool in started.tools],
            prompts=list(_prompts(started)),
        )
    except ValidationError as error:
        place, message = first_fault(error)
        raise SessionError(f"the run describes no session: {place}: {message}") from error
    except (AttributeError, LookupError, TypeError) as error:
        raise SessionError(f"the run describes no session: {error!r}") from error
    build_chain(session.chain)
    return session, list(left_out)


def _order(chain: dict[str, Any]) -> list[str]:
    """All ids in one order that agrees with each of the arrays, where they agree."""
    order: list[str] = []
    for array in ARRAYS:
        names = [described["id"] for described in chain.get(array, ())]
        before: str | None = None
        for place, name in enumerate(names):
            if name not in order:
                behind = (order.index(other) for other in names[place:] if other in order)
                at = next(behind, len(order)) if before is None else order.index(before) + 1
                order.insert(at, name)
            before = name
    return order


def _spec(name: str, described: dict[str, Any], array: Array) -> ProcessorSpec:
    return ProcessorSpec(
        id=name,
        type=described["type"],
        arrays=[array],
        options={k: v for k, v in described.items() if k not in NOT_OPTIONS and k != "rules"},
        rules=[SessionRule(**rule) for rule in described.get("rules") or ()],
    )


def _model_settings(settings: dict[str, Any]) -> dict[str, Any]:
    given = settings.get("modelSettings") or {}
    known = {key: value for key, value in given.items() if key != "headers"}
    retries = settings.get("maxRetries")
    return known | ({"maxRetries": retries} if retries else {})


def _tool(described: dict[str, Any]) -> ToolSpec:
    return ToolSpec(
        name=described["name"],
        description=described.get("description") or "",
        input_schema=described.get("inputSchema") or {"type": "object"},
        error=_NO_REPLY,
    )


def _prompts(started: RunStarted) -> Iterator[str | list[PromptMessage]]:
    """The one prompt; none if it has parts that no session can hold."""
    found: list[PromptMessage] = []
    for message in started.prompt:
        text = _text(message)
        role = message.get("role") if isinstance(message, dict) else None
        if text is None or role not in _ROLES:
            return
        found.append(PromptMessage(role=role, content=text))
    if len(found) == 1 and found[0].role == "user":
        yield found[0].content
    elif found:
        yield found


def _text(message: JSON) -> str | None:
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    parts = content.get("parts") if isinstance(content, dict) else content
    if not isinstance(parts, list | tuple):
        return None
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    kept = [text for text in texts if isinstance(text, str)]
    return "\n".join(kept) if kept and len(kept) == len(parts) else None
