"""A model that says what it was told to: the embedded default, and the fake for tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from tripscope.chunks import Chunk
from tripscope.errors import APIError
from tripscope.models.base import Model, ModelRequest, ModelResponse, RawFrame
from tripscope.models.whole import join_deltas
from tripscope.wire import JSON
from tripscope.wording import many

if TYPE_CHECKING:
    from tripscope.clock import Clock


class Delay(Struct, frozen=True):
    """A pause before the next part."""

    seconds: float


Part: TypeAlias = Chunk | RawFrame | Delay
Response: TypeAlias = Sequence[Part] | APIError
"""What one call gets: parts in order, or the error with which the provider refuses it."""


class ScriptedModel(Model):
    """Serves its responses in order, one a call.

    A response serves copies of its chunks, so that hooks may edit them. To a request that does not
    stream it gives each text or reasoning block as one delta, without delays, as a provider does
    that is asked for the whole answer. ``requests`` holds what was asked, oldest first.
    """

    def __init__(
        self,
        responses: Sequence[Response],
        *,
        provider: str = "scripted",
        model_id: str = "scripted",
        clock: Clock | None = None,
        warnings: Sequence[JSON] = (),
    ) -> None:
        self.provider = provider
        self.model_id = model_id
        self.responses = list(responses)
        self.requests: list[ModelRequest] = []
        self._warnings = list(warnings)
        self._sleep: Callable[[float], Awaitable[None]] = clock.sleep if clock else asyncio.sleep

    async def call(self, request: ModelRequest) -> ModelResponse:
        """Serve the next response.

        Raises:
            APIError: the script says so, or it has no response left.
        """
        number = len(self.requests)
        self.requests.append(request)
        if number >= len(self.responses):
            raise APIError(
                f"call {number + 1} of model {self.id}, whose script has "
                f"{many(len(self.responses), 'response')}; add one, or lower the number of steps"
            )
        response = self.responses[number]
        if isinstance(response, APIError):
            raise response
        parts = response if request.streaming else _whole(response)
        return ModelResponse(parts=self._serve(parts), warnings=list(self._warnings))

    async def _serve(self, parts: Sequence[Part]) -> AsyncGenerator[Chunk | RawFrame, None]:
        for part in parts:
            if isinstance(part, Delay):
                await self._sleep(part.seconds)
            else:
                yield part.copy() if isinstance(part, Chunk) else part


def _whole(parts: Sequence[Part]) -> list[Chunk | RawFrame]:
    return join_deltas([part for part in parts if not isinstance(part, Delay)])
