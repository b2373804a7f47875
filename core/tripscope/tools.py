"""Tools that a model may call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from msgspec import Struct, field

from tripscope.context import AbortSignal, RequestContext, Writer
from tripscope.wire import JSON


class ToolContext(Struct, kw_only=True):
    """What ``execute`` is given besides its arguments."""

    tool_call_id: str
    request_context: RequestContext
    writer: Writer
    abort_signal: AbortSignal | None = None


Execute: TypeAlias = Callable[[Any, ToolContext], Awaitable[JSON] | JSON]


class Tool(Struct, kw_only=True):
    """A tool. Without ``execute`` the client runs it: a call to it ends the run after its step."""

    name: str
    description: str = ""
    input_schema: dict[str, JSON] = field(default_factory=lambda: {"type": "object"})
    execute: Execute | None = None
