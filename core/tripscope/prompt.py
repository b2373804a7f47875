"""From the message list to the prompt of one provider call (``LanguageModelV2Prompt``).

System messages come first, then the conversation. Each step of an assistant message becomes an
assistant message followed by one tool message with the results of its calls; a call that has no
result is left out, since providers refuse it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from tripscope.messages import (
    Message,
    OtherPart,
    ReasoningPart,
    SystemMessage,
    TextPart,
    ToolInvocation,
    ToolInvocationPart,
)
from tripscope.signals import SIGNAL_ROLE, signal_prompt_text
from tripscope.wire import JSON

PromptMessage: TypeAlias = dict[str, JSON]

STEP_START = "step-start"
"""Type of the part that divides the steps inside an assistant message."""

_OPENER: PromptMessage = {"role": "user", "content": [{"type": "text", "text": "."}]}


def to_prompt(
    messages: Iterable[Message], system: Sequence[SystemMessage] = ()
) -> list[PromptMessage]:
    """The prompt; it shares no object with ``messages``.

    A conversation that would start with an assistant message gets a user message ``.`` in front.
    """
    conversation = to_model_messages(messages)
    if conversation and conversation[0]["role"] == "assistant":
        conversation.insert(0, copy.deepcopy(_OPENER))
    return [{"role": "system", "content": message.content} for message in system] + conversation


def to_model_messages(messages: Iterable[Message]) -> list[PromptMessage]:
    """The conversation without system messages; a message with nothing to say is left out."""
    written: list[PromptMessage] = []
    for message in messages:
        if message.role == "assistant":
            written += _assistant(message)
        elif message.role == SIGNAL_ROLE:
            text = {"type": "text", "text": signal_prompt_text(message)}
            written.append({"role": "user", "content": [text]})
        elif content := _parts(message.parts):
            written.append({"role": message.role, "content": content})
    return written


def _assistant(message: Message) -> list[PromptMessage]:
    written: list[PromptMessage] = []
    for step in split_steps(message.parts):
        if content := _parts(step):
            written.append({"role": "assistant", "content": content})
        if results := [_result(invocation) for invocation in _answered(step)]:
            written.append({"role": "tool", "content": results})
    return written


def split_steps(parts: Sequence[Any]) -> list[list[Any]]:
    """The parts of an assistant message by step.

    Steps are divided by ``step-start`` parts and, for messages made elsewhere, where text or
    reasoning follows a tool call.
    """
    steps: list[list[Any]] = [[]]
    for part in parts:
        if isinstance(part, OtherPart) and part.type == STEP_START:
            # The first step may go on with what the caller put into the assistant's mouth.
            if part.extra.get("stepNumber") != 0:
                steps.append([])
            continue
        speaks = isinstance(part, TextPart | ReasoningPart)
        if speaks and any(isinstance(earlier, ToolInvocationPart) for earlier in steps[-1]):
            steps.append([])
        steps[-1].append(part)
    return [step for step in steps if step]


def _parts(parts: Sequence[Any]) -> list[JSON]:
    written = (_part(part) for part in parts)
    return [part for part in written if part is not None]


def _part(part: Any) -> JSON:
    match part:
        case TextPart():
            wire = {"type": "text", "text": part.text}
        case ReasoningPart():
            # A processor may have renamed the type for the provider at hand ("thinking").
            wire = {"type": part.type, "text": part.reasoning}
        case ToolInvocationPart(tool_invocation=call) if call.state != "call":
            wire = {
                "type": "tool-call",
                "toolCallId": call.tool_call_id,
                "toolName": call.tool_name,
                "input": copy.deepcopy(call.args),
            }
        case OtherPart(type="file" | "image" as kind):
            return {"type": kind} | copy.deepcopy(part.extra)
        case _:
            return None
    if metadata := getattr(part, "provider_metadata", None):
        wire["providerOptions"] = copy.deepcopy(metadata)
    return wire


def _answered(step: Sequence[Any]) -> list[ToolInvocation]:
    calls = [part.tool_invocation for part in step if isinstance(part, ToolInvocationPart)]
    return [call for call in calls if call.state != "call"]


def _result(call: ToolInvocation) -> JSON:
    if call.state == "output-error":
        output = {"type": "error-text", "value": call.error_text or ""}
    elif isinstance(call.result, str):
        output = {"type": "text", "value": call.result}
    else:
        output = {"type": "json", "value": copy.deepcopy(call.result)}
    return {
        "type": "tool-result",
        "toolCallId": call.tool_call_id,
        "toolName": call.tool_name,
        "output": output,
    }
