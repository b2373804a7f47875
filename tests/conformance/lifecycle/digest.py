"""What a hook was called with, as the record shows it."""

from __future__ import annotations

import copy
from typing import Any

from tests.conformance.lifecycle import normal
from tests.conformance.lifecycle.normal import Normaliser
from tripscope.wire import camel_case

_EVERYWHERE = {"abort", "retryCount", "requestContext", "state", "writer", "messageList"}
_TRACED = _EVERYWHERE | {"tracingContext"}
_DOCUMENTED: dict[str, set[str]] = {
    "processInput": _TRACED | {"messages", "systemMessages"},
    "processInputStep": _TRACED
    | {"messages", "systemMessages", "stepNumber", "steps", "model", "toolChoice", "activeTools"}
    | {"tools", "providerOptions", "modelSettings", "structuredOutput"},
    "processLLMRequest": _TRACED | {"prompt", "model", "stepNumber", "steps", "abortSignal"},
    "processLLMResponse": (_TRACED - {"messageList"})
    | {"chunks", "model", "stepNumber", "steps", "fromCache", "warnings", "request"}
    | {"rawResponse", "abortSignal"},
    "processAPIError": _EVERYWHERE | {"error", "messages", "stepNumber", "steps", "abortSignal"},
    "processOutputStream": _TRACED | {"part", "streamParts"},
    "processOutputStep": _TRACED
    | {"messages", "systemMessages", "stepNumber", "steps", "finishReason", "providerMetadata"}
    | {"toolCalls", "text", "usage"},
    "processToolResult": _TRACED
    | {"messages", "systemMessages", "stepNumber", "steps", "toolName", "toolCallId", "args"}
    | {"result", "providerExecuted"},
    "processOutputResult": _TRACED | {"messages", "result"},
}


class Digest:
    """Digests the arguments of hooks. ``context``: also the request context."""

    def __init__(
        self, normal: Normaliser, *, context: bool, present: bool, stream_parts: bool
    ) -> None:
        self._normal = normal
        self._context = context
        self._present = present
        self._stream_parts = stream_parts

    def args(self, hook: str, args: Any) -> dict[str, Any]:
        """The ``args`` of a hook entry, before its rules run."""
        record: dict[str, Any] = {"retryCount": args.retry_count}
        for name in ("messages", "system_messages", "step_number", "steps"):
            if hasattr(args, name):
                record[camel_case(name)] = self._common(name, getattr(args, name))
        record |= self._own(hook, args)
        if args.state:
            record["state"] = copy.deepcopy(args.state)
        if self._context:
            record["requestContext"] = dict(args.request_context)
        if self._present:
            record["present"] = present(hook, args)
        return normal.without_none(record)

    def _common(self, name: str, value: Any) -> Any:
        match name:
            case "messages":
                return self._normal.messages(value)
            case "system_messages":
                return normal.system_texts(value)
            case "steps":
                return self._normal.steps(value, finish_reasons=False)
        return value

    def _own(self, hook: str, args: Any) -> dict[str, Any]:
        match hook:
            case "processInputStep" | "prepareStep":
                return _step_args(args)
            case "processLLMRequest":
                return {"prompt": normal.prompt(args.prompt), "model": args.model.id}
            case "processLLMResponse":
                chunks = [self._normal.chunk(chunk) for chunk in args.chunks]
                return {"chunks": chunks, "model": args.model.id, "fromCache": args.from_cache}
            case "processOutputStream":
                own: dict[str, Any] = {"part": self._normal.chunk(args.part)}
                if self._stream_parts:
                    own["streamParts"] = [part.type for part in args.stream_parts]
                return own
            case "processOutputStep":
                return {
                    "finishReason": args.finish_reason,
                    "toolCalls": normal.tool_calls(args.tool_calls) or None,
                    "text": args.text,
                    "usage": normal.usage(args.usage),
                }
            case "processToolResult":
                return {
                    "toolName": args.tool_name,
                    "toolCallId": args.tool_call_id,
                    "args": normal.plain(args.args),
                    "result": normal.plain(args.result),
                    "providerExecuted": args.provider_executed,
                }
            case "processOutputResult":
                return {"result": self._result(args.result)}
            case "processAPIError":
                return {"error": self._normal.error(args.error)}
        return {}

    def _result(self, result: Any) -> dict[str, Any]:
        return normal.without_none(
            {
                "text": result.text,
                "finishReason": result.finish_reason,
                "usage": normal.usage(result.usage),
                "steps": self._normal.steps(result.steps, finish_reasons=True),
            }
        )


def _step_args(args: Any) -> dict[str, Any]:
    settings = {
        key: value
        for key, value in (args.model_settings or {}).items()
        if key not in ("maxRetries", "timeout")
    }
    return {
        "model": args.model.id,
        "toolChoice": normal.plain(args.tool_choice),
        "activeTools": normal.plain(args.active_tools),
        "tools": list(args.tools),
        "providerOptions": normal.plain(args.provider_options) or None,
        "modelSettings": settings or None,
        "structuredOutput": True if args.structured_output is not None else None,
    }


def present(hook: str, args: Any) -> list[str]:
    """The documented arguments that were given, by their documented names."""
    given = {camel_case(name) for name in args.__struct_fields__ if getattr(args, name) is not None}
    if hook == "processOutputStep" and not args.tool_calls:
        given.discard("toolCalls")
    return sorted(given & _DOCUMENTED[hook])
