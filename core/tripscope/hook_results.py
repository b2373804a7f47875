"""What the hooks may return, besides messages and chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from tripscope.chunks import Chunk
from tripscope.messages import Message, SystemMessage
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList
    from tripscope.models.base import Model, Prompt
    from tripscope.tools import Tool


class InputResult(Struct, kw_only=True):
    """``{messages, systemMessages}`` of processInput (and the message fields of the step hook)."""

    messages: list[Message] | None = None
    system_messages: list[SystemMessage] | None = None


class InputStepResult(Struct, kw_only=True):
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


class LLMRequestResult(Struct, kw_only=True):
    """``{prompt}`` replaces the prompt of this call; ``{response}`` is replayed instead of it."""

    prompt: Prompt | None = None
    response: CachedResponse | None = None


class CachedResponse(Struct, kw_only=True):
    """A whole model response, as processLLMResponse was given it."""

    chunks: list[Chunk]
    warnings: list[JSON] = field(default_factory=list)
    request: JSON = None
    raw_response: JSON = None


class APIErrorResult(Struct, kw_only=True):
    """``{retry: true}`` makes another attempt of the step."""

    retry: bool = False
