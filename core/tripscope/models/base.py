"""What a model is to the engine: one call, one stream of chunks.

``call`` opens the request and raises `tripscope.errors.APIError` if the provider refuses it. The
parts of the answer are `Chunk`s (``text-start/-delta/-end``, ``reasoning-*``, ``tool-call``,
``finish``, other types pass through; an ``error`` chunk is a failure in mid-stream) with the
provider's raw frames between them, in order of arrival.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from typing import Final, TypeAlias

from msgspec import Struct, field

from tripscope.chunks import Chunk
from tripscope.tools import Tool
from tripscope.wire import JSON

Prompt: TypeAlias = list[dict[str, JSON]]
"""``LanguageModelV2Prompt``: ``{role, content}`` objects. Content is a string for ``system``, else
a list of ``text``, ``reasoning``, ``file``, ``tool-call`` and ``tool-result`` objects in wire
spelling."""


WARNS: Final = "the provider warns: "
"""How the trace's warning of a provider begins; its detail is the provider's own object."""


class RawFrame(Struct, frozen=True):
    """One frame as the provider sent it (the data of one SSE event, say)."""

    data: str


class ModelRequest(Struct, kw_only=True):
    """Everything that one provider call depends on. ``streaming`` is false under ``generate``."""

    prompt: Prompt
    tools: list[Tool] = field(default_factory=list)
    tool_choice: JSON = None
    model_settings: dict[str, JSON] = field(default_factory=dict)
    provider_options: dict[str, JSON] = field(default_factory=dict)
    response_format: JSON = None
    streaming: bool = True


class ModelResponse(Struct, kw_only=True):
    """An open answer. Whoever reads ``parts`` closes it (``aclose``), also when it stops early."""

    parts: AsyncGenerator[Chunk | RawFrame, None]
    warnings: list[JSON] = field(default_factory=list)
    request: JSON = None
    raw_response: JSON = None


class Model(ABC):
    """A language model behind some provider; ``f"{provider}/{model_id}"`` names it."""

    provider: str
    model_id: str

    @property
    def id(self) -> str:
        """``provider/model``, as sessions and traces spell it."""
        return f"{self.provider}/{self.model_id}"

    @abstractmethod
    async def call(self, request: ModelRequest) -> ModelResponse:
        """Open one provider call.

        Raises:
            APIError: the provider refused it or cannot be reached.
        """

    def check(self) -> None:  # noqa: B027 - most models cannot be set up wrong
        """Refuse a set-up that no call can succeed with, before anything runs.

        Raises:
            APIError: what is wrong, and what to do.
        """

    def differs(self, request: ModelRequest) -> bool:
        """Whether the next call of a replay was recorded with another prompt than this one."""
        return False

    async def aclose(self) -> None:  # noqa: B027 - most models hold nothing open
        """Give back what the model holds open (connections)."""
