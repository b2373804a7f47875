"""The engine of Tripscope: runs LLM processor chains and records what each processor did.

The public names are loaded when they are first used, so ``import tripscope`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tripscope.agent import Agent
    from tripscope.chunks import Chunk
    from tripscope.clock import SystemClock, VirtualClock
    from tripscope.context import AbortSignal, RequestContext
    from tripscope.errors import (
        APIError,
        HookError,
        HookTimeout,
        NeedsLive,
        SessionError,
        TripscopeError,
        TripWire,
    )
    from tripscope.memory import InMemoryStore, Memory, SQLiteStore
    from tripscope.message_list import MessageList
    from tripscope.messages import Message, SystemMessage, TextPart, text_message
    from tripscope.models import resolve
    from tripscope.models.scripted import ScriptedModel
    from tripscope.processor import (
        APIErrorResult,
        CachedResponse,
        InputResult,
        InputStepResult,
        LLMRequestResult,
        Processor,
        Violation,
    )
    from tripscope.processors.prefill_error_handler import PrefillErrorHandler
    from tripscope.processors.regex_filter import RegexFilterProcessor
    from tripscope.processors.response_cache import ResponseCache
    from tripscope.results import RunResult
    from tripscope.rules.rule import RegexRule
    from tripscope.stream import AgentStream
    from tripscope.tools import Tool, ToolContext
    from tripscope.trace.recorder import EventLog, RunInfo

__version__ = "0.1.0"

_HOMES = {
    "agent": ["Agent"],
    "chunks": ["Chunk"],
    "clock": ["SystemClock", "VirtualClock"],
    "context": ["AbortSignal", "RequestContext"],
    "errors": [
        "APIError",
        "HookError",
        "HookTimeout",
        "NeedsLive",
        "SessionError",
        "TripWire",
        "TripscopeError",
    ],
    "memory": ["InMemoryStore", "Memory", "SQLiteStore"],
    "message_list": ["MessageList"],
    "messages": ["Message", "SystemMessage", "TextPart", "text_message"],
    "models": ["resolve"],
    "models.scripted": ["ScriptedModel"],
    "processor": [
        "APIErrorResult",
        "CachedResponse",
        "InputResult",
        "InputStepResult",
        "LLMRequestResult",
        "Processor",
        "Violation",
    ],
    "processors.prefill_error_handler": ["PrefillErrorHandler"],
    "processors.regex_filter": ["RegexFilterProcessor"],
    "processors.response_cache": ["ResponseCache"],
    "results": ["RunResult"],
    "rules.rule": ["RegexRule"],
    "stream": ["AgentStream"],
    "tools": ["Tool", "ToolContext"],
    "trace.recorder": ["EventLog", "RunInfo"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "APIError",
    "APIErrorResult",
    "AbortSignal",
    "Agent",
    "AgentStream",
    "CachedResponse",
    "Chunk",
    "EventLog",
    "HookError",
    "HookTimeout",
    "InMemoryStore",
    "InputResult",
    "InputStepResult",
    "LLMRequestResult",
    "Memory",
    "Message",
    "MessageList",
    "NeedsLive",
    "PrefillErrorHandler",
    "Processor",
    "RegexFilterProcessor",
    "RegexRule",
    "RequestContext",
    "ResponseCache",
    "RunInfo",
    "RunResult",
    "SQLiteStore",
    "ScriptedModel",
    "SessionError",
    "SystemClock",
    "SystemMessage",
    "TextPart",
    "Tool",
    "ToolContext",
    "TripWire",
    "TripscopeError",
    "Violation",
    "VirtualClock",
    "__version__",
    "resolve",
    "text_message",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
