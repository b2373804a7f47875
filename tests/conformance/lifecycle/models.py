"""Models and tools of a scenario: scripted, and told to the record."""

from __future__ import annotations

import copy
from typing import Any

from tests.conformance.lifecycle import normal
from tests.conformance.lifecycle.record import Record
from tripscope.errors import APIError
from tripscope.models.base import Model, ModelRequest, ModelResponse
from tripscope.models.scripted import ScriptedModel
from tripscope.models.v2 import chunk_from_v2
from tripscope.tools import Tool, ToolContext

_SETTINGS = ("temperature", "topP", "maxOutputTokens")


class RecordedModel(Model):
    """Serves the responses of one model id, in order, over all calls of the scenario."""

    def __init__(self, id: str, responses: list[dict[str, Any]], record: Record) -> None:
        self.provider, self.model_id = id.split("/", 1)
        self._script = ScriptedModel([_response(response) for response in responses])
        self._record = record

    async def call(self, request: ModelRequest) -> ModelResponse:
        """See `Model.call`."""
        self._record.hooks.append({"hook": "model.call", "model": self.id})
        self._record.model_calls.append(self._digest(request))
        response = await self._script.call(request)
        response.request, response.raw_response = {}, {}
        return response

    def _digest(self, request: ModelRequest) -> dict[str, Any]:
        choice = request.tool_choice
        settings = {name: request.model_settings.get(name) for name in _SETTINGS}
        kind = request.response_format
        digest: dict[str, Any] = {
            "model": self.id,
            "prompt": normal.prompt(request.prompt),
            "tools": [tool.name for tool in request.tools],
            "toolChoice": {"type": choice} if isinstance(choice, str) else choice,
            **settings,
            "providerOptions": request.provider_options or None,
            "responseFormat": {"type": kind["type"]} if kind else None,
        }
        return copy.deepcopy(normal.without_none(digest))


def _response(response: dict[str, Any]) -> Any:
    if "error" in response:
        error = response["error"]
        return APIError(
            error["message"], status_code=error["statusCode"], is_retryable=error["isRetryable"]
        )
    chunks = [chunk_from_v2(part) for part in response["chunks"]]
    return [chunk for chunk in chunks if chunk is not None]


class ToolFailure(Exception):
    """What a tool with an ``error`` raises."""


def make_tool(name: str, spec: dict[str, Any], record: Record) -> Tool:
    """A tool that returns, raises, or is left to the client."""

    async def execute(args: Any, context: ToolContext) -> Any:
        record.hooks.append({"hook": "tool.execute", "tool": name, "args": copy.deepcopy(args)})
        for chunk in spec.get("custom", ()):
            await context.writer.custom(copy.deepcopy(chunk))
        if "error" in spec:
            raise ToolFailure(spec["error"])
        return copy.deepcopy(spec["result"])

    return Tool(name=name, description=name, execute=None if spec.get("client") else execute)
