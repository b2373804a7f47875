"""The request body of Chat Completions, made from a `ModelRequest`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from tripscope.errors import APIError
from tripscope.models.base import ModelRequest, Prompt
from tripscope.tools import Tool
from tripscope.wire import JSON

_SETTINGS: Final = {
    "temperature": "temperature",
    "topP": "top_p",
    "topK": "top_k",
    "presencePenalty": "presence_penalty",
    "frequencyPenalty": "frequency_penalty",
    "stopSequences": "stop",
    "seed": "seed",
}
# Settings of the engine itself, or of the transport.
_NOT_SENT: Final = frozenset({"maxRetries", "timeout", "headers", "maxOutputTokens"})
_RESERVED: Final = frozenset({"messages", "stream", "stream_options"})
_AUDIO: Final = {"audio/wav": "wav", "audio/mp3": "mp3", "audio/mpeg": "mp3"}


def request_body(
    model_id: str, request: ModelRequest, *, provider: str, max_tokens_key: str
) -> tuple[dict[str, JSON], list[JSON]]:
    """The body to post, and warnings about settings that have no place in it.

    Raises:
        APIError: the prompt holds something that this format cannot carry.
    """
    body: dict[str, JSON] = {"model": model_id, "messages": messages(request.prompt)}
    warnings: list[JSON] = []
    for key, value in request.model_settings.items():
        if value is None or key in _NOT_SENT:
            continue
        if key in _SETTINGS:
            body[_SETTINGS[key]] = value
        else:
            warnings.append({"type": "unsupported-setting", "setting": key})
    if (limit := request.model_settings.get("maxOutputTokens")) is not None:
        body[max_tokens_key] = limit
    if request.tools:
        body["tools"] = tools(request.tools)
        if (choice := _tool_choice(request.tool_choice)) is not None:
            body["tool_choice"] = choice
    if (answer := _response_format(request.response_format)) is not None:
        body["response_format"] = answer
    options = request.provider_options.get(provider)
    if isinstance(options, dict):
        body |= {
            name: value
            for key, value in options.items()
            if (name := _snake_case(key)) not in _RESERVED
        }
    if request.streaming:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return body, warnings


def messages(prompt: Prompt) -> list[dict[str, JSON]]:
    """Chat messages for a ``LanguageModelV2Prompt``; a tool message becomes one for each result."""
    result: list[dict[str, JSON]] = []
    for message in prompt:
        role, content = message["role"], message["content"]
        if role == "system":
            result.append({"role": "system", "content": content})
        elif role == "user":
            result.append({"role": "user", "content": _user_content(content)})
        elif role == "assistant":
            result.append(_assistant(content))
        elif role == "tool":
            result += map(_tool_result, content)
        else:
            raise APIError(f"the prompt has a message of unknown role {role!r}")
    return result


def tools(available: Sequence[Tool]) -> list[dict[str, JSON]]:
    """The tools as functions."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                **({"description": tool.description} if tool.description else {}),
                "parameters": tool.input_schema,
            },
        }
        for tool in available
    ]


def _user_content(content: JSON) -> JSON:
    if isinstance(content, str):
        return content
    if len(content) == 1 and content[0]["type"] == "text":
        return content[0]["text"]
    return [_user_part(part) for part in content]


def _user_part(part: dict[str, JSON]) -> dict[str, JSON]:
    if part["type"] == "text":
        return {"type": "text", "text": part["text"]}
    kind, data = str(part.get("mediaType", "")), part.get("data")
    if part["type"] == "file" and isinstance(data, str):
        url = data if re.match(r"(https?|data):", data) else f"data:{_exact(kind)};base64,{data}"
        if kind.startswith("image/"):
            return {"type": "image_url", "image_url": {"url": url}}
        if kind in _AUDIO:
            audio = {"data": url.partition(";base64,")[2] or data, "format": _AUDIO[kind]}
            return {"type": "input_audio", "input_audio": audio}
        if kind == "application/pdf":
            file = {"filename": part.get("filename") or "document.pdf", "file_data": url}
            return {"type": "file", "file": file}
    raise APIError(
        f"the prompt holds a {part['type']} part ({kind or 'no media type'}) that Chat Completions "
        "cannot carry; it takes text, images, WAV or MP3 audio, and PDF"
    )


def _exact(media_type: str) -> str:
    return "image/jpeg" if media_type == "image/*" else media_type


def _assistant(content: JSON) -> dict[str, JSON]:
    if isinstance(content, str):
        return {"role": "assistant", "content": content}
    text = "".join(part["text"] for part in content if part["type"] == "text")
    calls = [
        {
            "id": part["toolCallId"],
            "type": "function",
            "function": {"name": part["toolName"], "arguments": _json_text(part.get("input"))},
        }
        for part in content
        if part["type"] == "tool-call"
    ]
    message: dict[str, JSON] = {"role": "assistant", "content": text or ("" if not calls else None)}
    return message | {"tool_calls": calls} if calls else message


def _tool_result(part: dict[str, JSON]) -> dict[str, JSON]:
    output = part.get("output")
    value = output.get("value") if isinstance(output, dict) else output
    text = value if isinstance(value, str) and _is_text(output) else _json_text(value)
    return {"role": "tool", "tool_call_id": part["toolCallId"], "content": text}


def _is_text(output: JSON) -> bool:
    return not isinstance(output, dict) or output.get("type") in ("text", "error-text")


def _json_text(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _tool_choice(choice: JSON) -> JSON:
    if isinstance(choice, dict):
        name = choice.get("toolName")
        if choice.get("type") == "tool" and name:
            return {"type": "function", "function": {"name": name}}
        choice = choice.get("type")
    return choice if choice in ("auto", "none", "required") else None


def _response_format(wanted: JSON) -> JSON:
    if not isinstance(wanted, dict) or wanted.get("type") != "json":
        return None
    if not wanted.get("schema"):
        return {"type": "json_object"}
    schema = {"name": wanted.get("name") or "response", "schema": wanted["schema"]}
    if wanted.get("description"):
        schema["description"] = wanted["description"]
    return {"type": "json_schema", "json_schema": schema}


def _snake_case(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: "_" + match[1].lower(), key)
