"""The actions that return: what a hook hands back, in the shapes of the Python interface."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.conformance.lifecycle.select import change, mapped, takes
from tripscope.chunks import Chunk
from tripscope.message_list import MessageList
from tripscope.messages import Message, SystemMessage, text_message
from tripscope.models.base import Model
from tripscope.processor import (
    APIErrorResult,
    CachedResponse,
    InputResult,
    InputStepResult,
    LLMRequestResult,
)
from tripscope.tools import Tool

ANSWER_SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
}


class World:
    """What the rules of a scenario can name."""

    def __init__(self, models: dict[str, Model], tools: dict[str, Tool]) -> None:
        self.models = models
        self.tools = tools
        self.saved_chunks: dict[str, list[Chunk]] = {}


def make_message(spec: dict[str, Any]) -> Message:
    """A new message from a message spec."""
    message = text_message(spec["role"], spec["text"])
    if "metadata" in spec:
        message.content.metadata = copy.deepcopy(spec["metadata"])
    return message


def _return(rule: dict[str, Any], hook: str, args: Any, world: World) -> Any:
    match rule["what"]:
        case "undefined" | "null":
            return None
        case "emptyArray":
            return []
        case "messages":
            return args.messages
        case "messageList":
            return args.message_list
        case "foreignMessageList":
            return MessageList()
        case "messagesAndMessageList":
            return InputStepResult(messages=args.messages, message_list=args.message_list)
        case "part":
            return args.part
    raise NotImplementedError(f"return {rule['what']!r}")


def _fields(rule: dict[str, Any], hook: str, args: Any, world: World) -> Any:
    given = copy.deepcopy(rule["fields"])
    match hook:
        case "processAPIError":
            return APIErrorResult(**given)
        case "processLLMRequest" if not given:
            return LLMRequestResult()
        case "processInputStep" | "prepareStep":
            fields: dict[str, Any] = {}
            for name, value in given.items():
                fields |= _STEP_FIELDS[name](value, args, world)
            return InputStepResult(**fields)
    raise NotImplementedError(f"returnFields in {hook}")


_STEP_FIELDS: dict[str, Callable[[Any, Any, World], dict[str, Any]]] = {
    "model": lambda value, args, world: {"model": world.models[value]},
    "tools": lambda value, args, world: {"tools": {name: world.tools[name] for name in value}},
    "addTools": lambda value, args, world: {
        "tools": args.tools | {name: world.tools[name] for name in value}
    },
    "systemMessages": lambda value, args, world: {"system_messages": _system(value)},
    "appendSystem": lambda value, args, world: {
        "system_messages": [*args.system_messages, SystemMessage(value)]
    },
    "messages": lambda value, args, world: {"messages": [make_message(spec) for spec in value]},
    "structuredOutput": lambda value, args, world: {"structured_output": {"schema": ANSWER_SCHEMA}},
    "toolChoice": lambda value, args, world: {"tool_choice": value},
    "activeTools": lambda value, args, world: {"active_tools": value},
    "providerOptions": lambda value, args, world: {"provider_options": value},
    "modelSettings": lambda value, args, world: {"model_settings": value},
}


def _mapped(rule: dict[str, Any], hook: str, args: Any, world: World) -> list[Message]:
    return mapped(args.messages, rule["op"], rule.get("select"))


def _filtered(rule: dict[str, Any], hook: str, args: Any, world: World) -> list[Message]:
    return [message for message in args.messages if not takes(rule["drop"], message)]


def _appended(rule: dict[str, Any], hook: str, args: Any, world: World) -> list[Message]:
    return [*args.messages, make_message(rule["message"])]


def _replaced(rule: dict[str, Any], hook: str, args: Any, world: World) -> list[Message]:
    return [make_message(spec) for spec in rule["messages"]]


def _metadata(rule: dict[str, Any], hook: str, args: Any, world: World) -> list[Message]:
    result = []
    for message in args.messages:
        if takes(rule["select"], message):
            message = message.copy()
            known = message.content.metadata or {}
            message.content.metadata = known | copy.deepcopy(rule["metadata"])
        result.append(message)
    return result


def _with_system(rule: dict[str, Any], hook: str, args: Any, world: World) -> Any:
    messages = mapped(args.messages, rule.get("op"), rule.get("select"))
    system = list(args.system_messages)
    if "systemMessages" in rule:
        system = _system(rule["systemMessages"])
    elif "appendSystem" in rule:
        system.append(SystemMessage(rule["appendSystem"]))
    shape = InputStepResult if hook in ("processInputStep", "prepareStep") else InputResult
    return shape(messages=messages, system_messages=system)


def _prompt(rule: dict[str, Any], hook: str, args: Any, world: World) -> LLMRequestResult:
    prompt = copy.deepcopy(args.prompt)
    if rule.get("dropSystem"):
        prompt = [message for message in prompt if message["role"] != "system"]
    if "op" in rule:
        for message in prompt:
            parts = [] if message["role"] == "system" else message["content"]
            for part in parts:
                if part["type"] == "text":
                    part["text"] = change(rule["op"], part["text"])
    if "appendUser" in rule:
        text = {"type": "text", "text": rule["appendUser"]}
        prompt.append({"role": "user", "content": [text]})
    return LLMRequestResult(prompt=prompt)


def _response(rule: dict[str, Any], hook: str, args: Any, world: World) -> LLMRequestResult:
    if "key" in rule:
        chunks = [chunk.copy() for chunk in world.saved_chunks[rule["key"]]]
    else:
        chunks = [Chunk.from_wire(copy.deepcopy(wire)) for wire in rule["chunks"]]
    return LLMRequestResult(response=CachedResponse(chunks=chunks, warnings=[], request={}))


def _part(rule: dict[str, Any], hook: str, args: Any, world: World) -> Chunk:
    part: Chunk = args.part.copy()
    part.payload.text = change(rule["op"], part.payload.text)
    return part


def _data(rule: dict[str, Any], hook: str, args: Any, world: World) -> Chunk:
    part: Chunk = args.part.copy()
    part.data = copy.deepcopy(rule["data"])
    return part


def _system(texts: list[str]) -> list[SystemMessage]:
    return [SystemMessage(text) for text in texts]


RETURNS: dict[str, Callable[[dict[str, Any], str, Any, World], Any]] = {
    "return": _return,
    "returnFields": _fields,
    "returnMapped": _mapped,
    "returnFiltered": _filtered,
    "returnAppended": _appended,
    "returnReplaced": _replaced,
    "returnMetadata": _metadata,
    "returnWithSystem": _with_system,
    "returnPrompt": _prompt,
    "returnResponse": _response,
    "returnPart": _part,
    "returnData": _data,
}
