"""The model's side of an attempt: a provider call, or a response that a processor replays."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from tripscope.chunks import Chunk, ErrorPayload, Finish, Usage, is_well_formed
from tripscope.errors import APIError, NeedsLive, message_of
from tripscope.model_settings import for_trace
from tripscope.models.base import WARNS, ModelRequest, ModelResponse, Prompt, RawFrame
from tripscope.parts import copy_of
from tripscope.tools import Tool
from tripscope.trace.events import ModelRequested, RawFrameReceived, Warned
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.processor import CachedResponse
    from tripscope.run import Run, StepSettings

CACHED_CALL: Final = -1
"""The call number of a replayed response, which is no provider call."""

_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 30.0


class ModelFailure(Exception):
    """A model call failed and its own retries are used up; ``error`` is what it raised."""

    def __init__(self, error: Exception) -> None:
        super().__init__(message_of(error))
        self.error = error


class ModelCall:
    """One call. ``failure`` is set, not raised, when it fails: the step began all the same."""

    def __init__(
        self, run: Run, settings: StepSettings, prompt: Prompt, cached: CachedResponse | None
    ) -> None:
        self._run = run
        self._request = build_request(settings, prompt, streaming=run.method == "stream")
        self._model = settings.model
        self._cached = cached
        self._response: ModelResponse | None = None
        self.number = CACHED_CALL
        self.failure: ModelFailure | None = None
        self.warnings: list[JSON] = []
        self.request: JSON = None
        self.raw_response: JSON = None

    async def open(self) -> None:
        """Ask the provider; again after retryable errors, at most ``model_retries`` times."""
        if self._cached is not None:
            self._announce()
            self._tell(self._cached)
            return
        for failures in count():
            self.number = self._run.model_calls
            self._run.model_calls += 1
            self._announce()
            try:
                self._response = await self._model.call(self._request)
            except NeedsLive:
                raise
            except Exception as error:
                refused = ErrorPayload(error=error, extra={"refused": True})
                self._run.recorder.model_chunk(self.number, None, copy_of(Chunk("error", refused)))
                if failures >= self._run.limits.model_retries or not _is_retryable(error):
                    self.failure = ModelFailure(error)
                    return
                await self._run.clock.sleep(_pause(error, failures))
            else:
                self._tell(self._response)
                return

    async def parts(self) -> AsyncGenerator[Chunk, None]:
        """The chunks of the answer, in order; after a failure in mid-stream it just ends."""
        if self._cached is not None:
            for chunk in self._cached.chunks:
                yield _replayed(chunk)
        if self._response is None:
            return
        recorder, number = self._run.recorder, self.number
        try:
            async with aclosing(self._response.parts) as parts:
                async for part in parts:
                    if isinstance(part, RawFrame):
                        recorder.emit(RawFrameReceived, number, part.data)
                    elif part.type == "error":
                        recorder.model_chunk(number, None, copy_of(part))
                        self.failure = ModelFailure(_error_of(part))
                        return
                    elif not is_well_formed(part):
                        raise APIError(
                            f"the model gave a {part.type!r:.40} part with the payload"
                            f" {part.payload!r:.80}"
                        )
                    else:
                        yield part
        except NeedsLive:
            raise
        except Exception as error:
            failed = Chunk("error", ErrorPayload(error=error))
            recorder.model_chunk(number, None, copy_of(failed))
            self.failure = ModelFailure(error)

    async def close(self) -> None:
        """Give the connection back, however far the answer was read."""
        if self._response is not None:
            await self._response.parts.aclose()
            for warning in self._response.warnings:
                self._run.recorder.emit(Warned, _words_of(warning), warning)

    def _announce(self) -> None:
        request = self._request
        self._run.recorder.emit(
            ModelRequested,
            call=self.number,
            model=self._model.id,
            prompt=tuple(request.prompt),
            tools=tuple(_describe_tool(tool) for tool in request.tools),
            tool_choice=request.tool_choice,
            model_settings=for_trace(request.model_settings),
            provider_options=dict(request.provider_options),
            response_format=request.response_format,
            from_cache=self._cached is not None,
            differs=self._cached is None and self._model.differs(request),
        )

    def _tell(self, response: ModelResponse | CachedResponse) -> None:
        self.warnings = response.warnings
        self.request = response.request
        self.raw_response = response.raw_response


def build_request(settings: StepSettings, prompt: Prompt, *, streaming: bool) -> ModelRequest:
    """The request for one provider call, with the tools that are active."""
    active = settings.active_tools
    choice = settings.tool_choice
    if isinstance(choice, str):
        choice = {"type": choice}
    is_none = isinstance(choice, dict) and choice.get("type") == "none"
    tools = [
        tool
        for name, tool in settings.tools.items()
        if not is_none and (active is None or name in active)
    ]
    output = settings.structured_output
    return ModelRequest(
        prompt=prompt,
        tools=tools,
        tool_choice=choice if tools or is_none else None,
        model_settings=dict(settings.model_settings or {}),
        provider_options=dict(settings.provider_options or {}),
        response_format=None if output is None else {"type": "json", "schema": _schema(output)},
        streaming=streaming,
    )


def _schema(output: Any) -> JSON:
    schema = output.get("schema", output) if isinstance(output, dict) else output
    describe = getattr(schema, "model_json_schema", None)
    return describe() if callable(describe) else schema


def _describe_tool(tool: Tool) -> JSON:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "client": tool.execute is None,
    }


def _is_retryable(error: Exception) -> bool:
    return isinstance(error, APIError) and error.is_retryable


def _pause(error: Exception, failures: int) -> float:
    """Seconds until the next try: what the provider asks for, or twice as long each time."""
    asked = error.retry_after if isinstance(error, APIError) else None
    return min(_FIRST_PAUSE * 2**failures if asked is None else asked, _LONGEST_PAUSE)


def _words_of(warning: JSON) -> str:
    """The sentence of a call warning: its ``message`` or ``details``, else the whole of it."""
    if isinstance(warning, dict):
        warning = warning.get("message") or warning.get("details") or warning
    return f"{WARNS}{warning}"


def _error_of(part: Chunk) -> Exception:
    error = getattr(part.payload, "error", part.payload)
    if isinstance(error, Exception):
        return error
    message = error.get("message") if isinstance(error, dict) else error
    return APIError(str(message))


def _replayed(chunk: Chunk) -> Chunk:
    """A copy of a cached chunk; a ``finish`` as the reference runtime stores it is understood."""
    copied = chunk.copy()
    payload = copied.payload
    if copied.type == "finish" and isinstance(payload, dict):
        reason = (payload.get("stepResult") or {}).get("reason", "unknown")
        usage = (payload.get("output") or {}).get("usage") or {}
        copied.payload = Finish(reason=reason, usage=Usage.from_wire(usage))
    return copied
