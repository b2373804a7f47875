"""What the hooks may return, besides messages and chunks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tripscope.chunks import Chunk
from tripscope.messages import Message, SystemMessage
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList
    from tripscope.models.base import Model, Prompt
    from tripscope.tools import Tool


@dataclass(slots=True, kw_only=True)
class InputResult:
    """``{messages, systemMessages}`` of processInput (and the message fields of the step hook)."""

    messages: list[Message] | None = None
    system_messages: list[SystemMessage] | None = None


@dataclass(slots=True, kw_only=True)
class InputStepResult:
    """What processInputStep may override; None leaves a property as it is."""

    model: Model | str | None = None
    tool_choice: JSON = None
    active_tools: list[str] | None = None
    tools: dict[str, Tool] | None = None
    messages: list[Message] | None = None
    message_list: MessageList | None = None
    system_messages: list[SystemMessage] | None = None
    provider_options: dict[str, JSON] | None = None
    model_settings: dict[str, JSON] | None = None
    structured_output: JSON = None


@dataclass(slots=True, kw_only=True)
class LLMRequestResult:
    """``{prompt}`` replaces the prompt of this call; ``{response}`` is replayed instead of it."""

    prompt: Prompt | None = None
    response: CachedResponse | None = None


@dataclass(slots=True, kw_only=True)
class CachedResponse:
    """A whole model response, as processLLMResponse was given it."""

    chunks: list[Chunk]
    warnings: list[JSON] = field(default_factory=list)
    request: JSON = None
    raw_response: JSON = None


@dataclass(slots=True, kw_only=True)
class APIErrorResult:
    """``{retry: true}`` makes another attempt of the step."""

    retry: bool = False
