"""Tools that a model may call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tripscope.context import AbortSignal, RequestContext, Writer
from tripscope.wire import JSON


@dataclass(slots=True, kw_only=True)
class ToolContext:
    """What ``execute`` is given besides its arguments."""

    tool_call_id: str
    request_context: RequestContext
    writer: Writer
    abort_signal: AbortSignal | None = None


Execute: TypeAlias = Callable[[Any, ToolContext], Awaitable[JSON] | JSON]


@dataclass(slots=True, kw_only=True)
class Tool:
    """A tool. Without ``execute`` the client runs it: a call to it ends the run after its step."""

    name: str
    description: str = ""
    input_schema: dict[str, JSON] = field(default_factory=lambda: {"type": "object"})
    execute: Execute | None = None
